"""Files that programs write: none that exists is overwritten unless that is asked for."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import click
from attrs import frozen

from quoridor_net.protocols.common.transcript import Transcript

Command = TypeVar("Command", bound=Callable[..., Any])

_KEY = "quoridor_net.overwrite"


def overwrite_option(command: Command) -> Command:
    """Give ``command`` the option ``--overwrite``, at which :data:`NEW_FILE` looks."""

    def remember(context: click.Context, _option: click.Parameter, is_given: bool) -> None:
        context.meta[_KEY] = is_given

    # Eager, so that it is known before any path is looked at, wherever it stands.
    return click.option(
        "--overwrite",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=remember,
        help="Let files that exist be written over.",
    )(command)


def may_overwrite(context: click.Context) -> bool:
    """Return whether ``--overwrite`` was given."""
    return bool(context.meta.get(_KEY))


def refuse_existing(paths: Iterable[Path]) -> None:
    """Refuse to write over what one of ``paths`` holds. An empty file holds nothing, nor does a device.

    Raises:
        FileExistsError: one is a file with something in it.
    """
    for path in paths:
        if path.is_file() and path.stat().st_size:
            raise FileExistsError(
                errno.EEXIST, "it exists; name another, or give --overwrite", os.fspath(path)
            )


class NewFile:
    """A text file that is opened when the first line is written: what it replaces is not lost for nothing.

    Args:
        path: where it lies; ``-`` is standard output.
        overwrites: whether it may replace a file.
    """

    def __init__(self, path: Path, *, overwrites: bool = False) -> None:
        self.path = path
        self._overwrites = overwrites
        self._file: IO[str] | None = None

    @property
    def name(self) -> str:
        """The path, for messages."""
        return str(self.path)

    def check(self) -> None:
        """Raise what opening it would raise, as far as that can be known beforehand.

        Raises:
            OSError: it exists and may not be replaced, or cannot be written.
        """
        if self.name == "-":
            return
        if not self._overwrites:
            refuse_existing([self.path])
        if not self.path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no such folder", self.name)
        if not os.access(self.path if self.path.exists() else self.path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), self.name)

    def write(self, text: str) -> int:
        """Write ``text``; the first time, make the file.

        Raises:
            OSError: it cannot be written, or exists by now.
        """
        file = self._file
        if file is None:
            self.check()
            if self.name == "-":
                file = click.open_file(self.name, "w", encoding="utf-8")
            else:
                # The same bytes on every system.
                file = self.path.open("w", encoding="utf-8", newline="\n")
            self._file = file
        return file.write(text)

    def flush(self) -> None:
        """Have everything written by now in the file.

        Raises:
            OSError: it cannot be written.
        """
        if self._file is not None:
            self._file.flush()

    def fileno(self) -> int:
        """Return the descriptor.

        Raises:
            OSError: nothing has opened the file.
        """
        if self._file is None:
            raise OSError(errno.EBADF, "not opened", self.name)
        return self._file.fileno()

    def close(self) -> None:
        """Close the file if anything was written."""
        if self._file is not None:
            self._file.close()


@frozen
class LogFolder:
    """A folder with a transcript of each connection; :meth:`open` begins one."""

    path: Path
    overwrites: bool

    @contextmanager
    def open(self, number: int) -> Iterator[Transcript]:
        """Give the transcript of connection ``number``, whose file is made by its first line."""
        file = NewFile(self.path / f"connection-{number}.log", overwrites=self.overwrites)
        with closing(file), closing(Transcript(file, time.monotonic)) as transcript:
            yield transcript


class _NewFileType(click.Path):
    """The path of a file to write, which is closed when the command ends."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a :class:`NewFile`; fail with a sentence when it cannot be made."""
        assert ctx is not None
        file = NewFile(Path(os.fsdecode(super().convert(value, param, ctx))), overwrites=may_overwrite(ctx))
        try:
            file.check()
        except OSError as error:
            self.fail(f"cannot write {value}: {error.strerror}.", param, ctx)
        ctx.call_on_close(file.close)
        return file


NEW_FILE = _NewFileType(dir_okay=False, allow_dash=True)
