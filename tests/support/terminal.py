"""A pseudo-terminal, and the screen that a user sees on it."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import termios
from typing import Any

import trio

from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui.console import Console
from quoridor_net.ui.human_quoridor import HumanQuoridorPlayer

#: The only control sequences expected.
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """A pseudo-terminal between a console and a user."""

    def __init__(self) -> None:
        self.person, self.program = pty.openpty()
        self.output = os.fdopen(os.dup(self.program), "w", encoding="utf-8")
        self.console = Console(self.program, self.output)
        self._rows = [""]
        self._column = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def type(self, data: bytes) -> None:
        os.write(self.person, data)

    @property
    def mode(self) -> list[Any]:
        return termios.tcgetattr(self.program)

    async def see(self, *rows: str) -> None:
        """Wait until these are the last rows on the screen, ignoring trailing spaces."""
        while (shown := [row.rstrip() for row in self._rows])[-len(rows) :] != list(rows):
            with trio.move_on_after(20) as scope:
                await trio.lowlevel.wait_readable(self.person)
            assert not scope.cancelled_caught, f"only {shown} appeared"
            written = self._decoder.decode(os.read(self.person, 4096))
            for letter in _COLOUR.sub("", written):
                self._draw(letter)

    def _draw(self, letter: str) -> None:
        if letter == "\n":
            self._rows.append("")
        elif letter == "\r":
            self._column = 0
        else:
            row = self._rows[-1]
            self._rows[-1] = row[: self._column] + letter + row[self._column + 1 :]
            self._column += 1

    def wait_for_output(self, ending: str) -> str:
        """Wait until the output ends with ``ending``, and return it."""
        written = ""
        while not written.endswith(ending):
            assert select.select([self.person], [], [], 20)[0], f"only {written!r} appeared"
            written += self._decoder.decode(os.read(self.person, 1024))
        return written

    def close(self) -> None:
        self.output.close()
        os.close(self.program)
        os.close(self.person)


def person(
    console: Console, name: str = "qnt:human", picture: BoardPicture = BoardPicture.LAN
) -> HumanQuoridorPlayer:
    """Return a player of Quoridor whose moves are typed at ``console``, by default as at a move server."""
    return HumanQuoridorPlayer(console, name, picture)
