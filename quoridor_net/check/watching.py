"""Waits until a program has been rebuilt or restarted, for ``--watch``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import trio
from trio.abc import Stream

from quoridor_net.check.launching import Connect
from quoridor_net.net.errors import LOST

#: Interval between looks at files or a port, in seconds.
POLL = 0.3

#: Maximum number of files that are watched in the folders of a command.
MOST_FILES = 5000

#: The modification time of each file in nanoseconds, and its size in bytes.
Look = dict[str, tuple[int, int]]


class FileWatch:
    """The files that a command names: the program itself, scripts, and folders such as those of Java classes.

    Args:
        command: the program and its arguments.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._look = self._take_look()

    def mark(self) -> None:
        """Remember the files as they are now."""
        self._look = self._take_look()

    async def wait_changed(self) -> None:
        """Wait until the files differ from those at the last mark, and have stopped changing."""
        last = self._take_look()
        while True:
            await trio.sleep(POLL)
            look = self._take_look()
            # A compiler may remove a file before it writes it again, and writes it bit by bit.
            if look == last and look != self._look and look.keys() >= self._look.keys():
                return
            last = look

    def _take_look(self) -> Look:
        look: Look = {}
        for path in self._find_paths():
            try:
                status = path.stat()
            except OSError:
                continue
            look[str(path)] = status.st_mtime_ns, status.st_size
        return look

    def _find_paths(self) -> Iterator[Path]:
        for word in self._command:
            # Words that cannot be names of files, such as whole programs, are in order, too.
            if os.path.isdir(word):  # noqa: PTH112
                yield from _list_files(Path(word))
            elif os.path.isfile(word):  # noqa: PTH113
                yield Path(word)
            elif word.replace(".", "").isidentifier():
                # The name of a Java class or of a Python module.
                name = word.replace(".", "/")
                yield from (Path(name + end) for end in (".class", ".py"))


def _list_files(folder: Path) -> Iterator[Path]:
    left = MOST_FILES
    for here, _, names in os.walk(folder):
        for name in names[:left]:
            yield Path(here, name)
        left -= len(names)
        if left <= 0:
            return


class ServerWatch:
    """A running server, watched by a connection that it closes when it ends.

    Args:
        connect: tries once to open a connection; raises OSError if it fails.
        patient: the same, but tries again for a while.
    """

    def __init__(self, connect: Connect, patient: Connect) -> None:
        self._connect = connect
        self._patient = patient
        self._kept: Stream | None = None

    async def connect(self) -> Stream:
        """Return a connection: the one that has shown the restart, because a server may accept only one."""
        kept, self._kept = self._kept, None
        return kept or await self._patient()

    async def wait_changed(self) -> None:
        """Wait until the server cannot be reached, and then until it can."""
        was_away = False
        while True:
            try:
                stream = await self._connect()
            except OSError:
                was_away = True
                await trio.sleep(POLL)
                continue
            if was_away:
                self._kept = stream
                return
            async with stream:
                await _wait_closed(stream)


async def _wait_closed(stream: Stream) -> None:
    try:
        while await stream.receive_some(4096):
            pass
    except LOST:
        pass
    # A server that closes idle connections is not asked all the time.
    await trio.sleep(POLL / 10)
