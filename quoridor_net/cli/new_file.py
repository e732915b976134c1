"""Output files, which overwrite existing ones only with ``--overwrite``."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar

import click
from attrs import frozen

from quoridor_net.output import discard_unwritten
from quoridor_net.protocols.common.transcript import Transcript

Command = TypeVar("Command", bound=Callable[..., Any])

_KEY = "quoridor_net.overwrite"


def overwrite_option(command: Command) -> Command:
    """Give ``command`` the option ``--overwrite``, which :data:`NEW_FILE` respects."""

    def remember(context: click.Context, _option: click.Parameter, is_given: bool) -> None:
        context.meta[_KEY] = is_given

    # Eager, so that its value is known before any path is checked.
    return click.option(
        "--overwrite",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=remember,
        help="Overwrite existing files.",
    )(command)


def may_overwrite(context: click.Context) -> bool:
    """Return whether ``--overwrite`` was given."""
    return bool(context.meta.get(_KEY))


def refuse_existing(paths: Iterable[Path]) -> None:
    """Refuse to overwrite any of ``paths``. Empty files and devices have nothing to lose.

    Raises:
        FileExistsError: one is a file that is not empty.
    """
    for path in paths:
        if path.is_file() and path.stat().st_size:
            raise FileExistsError(
                errno.EEXIST, "it exists; choose another name or add --overwrite", os.fspath(path)
            )


class NewFile:
    """A text file that is opened with the first line, so that a failed start overwrites nothing.

    Args:
        path: the file; ``-`` is standard output.
        overwrites: whether it may replace an existing file.
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
        """Check in advance, as far as possible, that the file can be written.

        Raises:
            OSError: it exists and must not be replaced, or cannot be written.
        """
        if self.name == "-":
            return
        if not self._overwrites:
            refuse_existing([self.path])
        if not self.path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "its folder does not exist", self.name)
        if not os.access(self.path if self.path.exists() else self.path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), self.name)

    def write(self, text: str) -> int:
        """Write ``text``; the first call creates the file.

        Raises:
            OSError: it cannot be written, or exists by now.
        """
        file = self._file
        if file is None:
            self.check()
            if self.name == "-":
                file = click.open_file(self.name, "w", encoding="utf-8")
            else:
                # Replays and transcripts have the same bytes on every system.
                file = self.path.open("w", encoding="utf-8", newline="\n")
            self._file = file
        return file.write(text)

    def flush(self) -> None:
        """Flush buffered text to the file.

        Raises:
            OSError: it cannot be written.
        """
        if self._file is not None:
            self._file.flush()

    def fileno(self) -> int:
        """Return the descriptor.

        Raises:
            OSError: the file is not open yet.
        """
        if self._file is None:
            raise OSError(errno.EBADF, "not open", self.name)
        return self._file.fileno()

    def close(self) -> None:
        """Close the file if it was opened."""
        if self._file is not None:
            self._file.close()

    def discard(self) -> None:
        """Remove the file if it was opened, because it would be incomplete."""
        if self._file is None:
            return
        discard_unwritten(self._file)
        if self.name != "-" and self.path.is_file():
            with suppress(OSError):
                self.path.unlink()


@frozen
class LogFolder:
    """A folder with one transcript per connection; :meth:`open` begins one."""

    path: Path
    overwrites: bool

    @contextmanager
    def open(self, number: int) -> Iterator[Transcript]:
        """Open the transcript of connection ``number``; its first line creates the file."""
        file = NewFile(self.path / f"connection-{number}.log", overwrites=self.overwrites)
        with closing(file), closing(Transcript(file, time.monotonic)) as transcript:
            yield transcript


class _NewFileType(click.Path):
    """The path of an output file, which is closed when the command ends."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a :class:`NewFile`, or fail with a usage error if it cannot be written."""
        assert ctx is not None
        file = NewFile(Path(os.fsdecode(super().convert(value, param, ctx))), overwrites=may_overwrite(ctx))
        try:
            file.check()
        except OSError as error:
            self.fail(f"cannot write {value}: {error.strerror}.", param, ctx)
        ctx.call_on_close(file.close)
        return file


NEW_FILE = _NewFileType(dir_okay=False, allow_dash=True)
