"""A recorded game on a terminal or in a pipe: one position at a time, with keys to step through it."""

from __future__ import annotations

import math
import os
import re
import select
import sys
from contextlib import nullcontext, suppress

import click

from quoridor_net.notation import standard
from quoridor_net.replay import Replay
from quoridor_net.replay.record import MAX_PLIES
from quoridor_net.replay.replay import apply
from quoridor_net.rules import Position
from quoridor_net.rules.diagram import PAWN_LOOKS, UNICODE, Glyphs, Line, Look, Span, glyphs_for, plain
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.text import visible
from quoridor_net.ui.layout import arrange, arrange_scrolling, scoreboard
from quoridor_net.ui.terminal_mode import can_edit, key_by_key
from quoridor_net.ui.theme import PipedConsole, colour_lines
from quoridor_net.ui.wording import shorten

#: The picture of the replay document: A1 at the bottom left.
PICTURE = BoardPicture.STANDARD

#: Maximum columns of the panel.
WIDTH = 34

#: Number of plies shown before and after the current one.
NEIGHBOURHOOD = 4

KEYS = "space next, b back, g start, G end, q quit"


def _on_windows(codes: str) -> list[str]:
    """Return the cursor keys of Windows, a code after a prefix that depends on the keyboard."""
    return [prefix + code for prefix in "\x00\xe0" for code in codes]


# Number of plies that a key moves forward.
_STEPS = {
    **dict.fromkeys((" ", "n", "\r", "\n", "\x1b[C", "\x1bOC", "\x1b[B", "\x1bOB", *_on_windows("MP")), 1),
    **dict.fromkeys(
        ("b", "p", "\x7f", "\x08", "\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA", *_on_windows("KH")), -1
    ),
    **dict.fromkeys(("g", "\x1b[H", "\x1bOH", "\x1b[1~", *_on_windows("G")), -MAX_PLIES),
    **dict.fromkeys(("G", "\x1b[F", "\x1bOF", "\x1b[4~", *_on_windows("O")), MAX_PLIES),
}
_QUIT = {"q", "Q", "\x1b", "\x03", "\x04"}

#: Descriptor of the keyboard, starts of a sequence, and timeout for the rest of it, in seconds.
_KEYBOARD = 0
_BEGUN = (b"\x1b", b"\x1b[", b"\x1bO")
KEY_TIME = 0.05

#: One key: a sequence of a terminal, the two characters of a key on Windows, or a character.
_KEY = re.compile(r"\x1b\[[0-9]*[A-Za-z~]|\x1bO[A-Za-z]|[\x00\xe0].|.", re.ASCII | re.DOTALL)


class ReplayView:
    """A recorded game and the ply that is shown.

    Args:
        replay: the game.
        glyphs: the characters to draw with.
    """

    def __init__(self, replay: Replay, glyphs: Glyphs = UNICODE) -> None:
        self._replay = replay
        self._glyphs = glyphs
        self._position = replay.setting.position()
        #: Number of plies before the shown position.
        self.ply = 0
        #: Number of plies of the game.
        self.last = len(replay.plies)

    def type(self, typed: str) -> bool:
        """Press all keys in ``typed``; return False if one of them quits."""
        return all(self.press(key) for key in _KEY.findall(typed))

    def press(self, key: str) -> bool:
        """Move to the ply of ``key``, ignoring unknown keys; return False if it quits."""
        self.ply = min(max(self.ply + _STEPS.get(key, 0), 0), self.last)
        return key not in _QUIT

    @property
    def position(self) -> Position:
        """The shown position; callers must not change or keep it."""
        # One position moves back and forth, because a copy for every ply could fill the memory.
        while self._position.ply > self.ply:
            self._position.pop()
        while self._position.ply < self.ply:
            apply(self._position, self._replay.plies[self._position.ply])
        return self._position

    def fill(self, width: int, height: int) -> list[Line]:
        """Return the view for a window of ``width`` columns and ``height`` lines."""
        return arrange(self.position, self._panel, width, height, self._glyphs, PICTURE)

    def lines(self, width: int) -> list[Line]:
        """Return the board with its panel beside it, or below it in a narrow window."""
        return arrange_scrolling(self.position, self._panel, width, math.inf, self._glyphs, PICTURE)

    def _panel(self, width: int, height: float) -> list[Line]:
        width = min(width, WIDTH)
        above: list[Line] = [(Span(f"Ply {self.ply} of {self.last}", Look.STRONG),), ()]
        above += scoreboard(self.position, self._replay.names, width, self._glyphs, PICTURE)
        ending = [(), (Span(self._describe_end(width), Look.STRONG),)] if self.ply == self.last else []
        room = height - len(above) - 1 - len(ending)
        return [*above, (), *self._plies(int(max(min(room, 2 * NEIGHBOURHOOD + 1), 1))), *ending]

    def _plies(self, count: int) -> list[Line]:
        """Return up to ``count`` plies around the current one."""
        first = max(min(self.ply - count // 2, self.last - count + 1), 1)
        return [self._ply(number) for number in range(first, min(first + count - 1, self.last) + 1)]

    def _ply(self, number: int) -> Line:
        played = self._replay.plies[number - 1]
        move = played.move
        what = "is out" if move is None else standard.format_move(move)
        is_present = number == self.ply
        return (
            Span("> " if is_present else "  ", Look.STRONG),
            Span(f"{number:>4} ", Look.FAINT),
            Span(self._glyphs.label(played.player, PICTURE), PAWN_LOOKS[played.player]),
            Span(f" {what}", Look.STRONG if is_present else Look.TEXT),
        )

    def _describe_end(self, width: int) -> str:
        outcome = self._replay.outcome
        if outcome is None:
            return "The game was not finished."
        reason = shorten(outcome.termination, width, self._glyphs)
        if outcome.winner is None:
            return f"Drawn [{reason}]"
        name = shorten(self._replay.names[outcome.winner - 1], width - 14, self._glyphs)
        return f"{name} wins [{reason}]"


def step_through(game: Replay) -> None:
    """Show the game on a terminal, and step through it with keys."""
    console = PipedConsole(highlight=False)
    view = ReplayView(game, glyphs_for(console.encoding))

    def show() -> None:
        width, height = console.size
        console.clear()
        console.print(colour_lines(view.fill(width, height - 2)), end="\n\n")
        console.print(KEYS, style="dim", end="")

    def leave_screen() -> None:
        console.set_alt_screen(False)
        console.show_cursor(True)

    def enter_screen() -> None:
        console.set_alt_screen(True)
        console.show_cursor(False)
        show()

    has_keys = can_edit(_KEYBOARD)
    # One mode for the whole game, because changing it for every key would drop input in between.
    mode = key_by_key(_KEYBOARD, enter_screen, leave_screen) if has_keys else nullcontext()
    with console.screen(hide_cursor=True), mode, suppress(EOFError, KeyboardInterrupt):
        show()
        while view.type(_read_keys() if has_keys else click.getchar()):
            show()
    console.print(colour_lines(view.lines(console.width)))


def _read_keys() -> str:
    """Wait for at least one key; return all keys typed so far, without splitting a sequence.

    Raises:
        EOFError: the terminal was closed.
    """
    typed = os.read(_KEYBOARD, 1024)
    while typed.endswith(_BEGUN) and select.select([_KEYBOARD], [], [], KEY_TIME)[0]:
        typed += os.read(_KEYBOARD, 1024)
    if not typed:
        raise EOFError
    return typed.decode("utf-8", "replace")


def print_position(game: Replay, ply: int) -> None:
    """Print the position after ``ply`` plies."""
    console = PipedConsole(highlight=False)
    view = ReplayView(game, glyphs_for(sys.stdout.encoding))
    view.ply = ply
    lines = view.lines(console.width)
    if console.is_terminal:
        console.print(colour_lines(lines), crop=False)
    else:
        click.echo("\n".join(plain(lines)))


def print_game(game: Replay) -> None:
    """Print a line for every ply, then the last position."""
    names = [visible(name) for name in game.names]
    for number, ply in enumerate(game.plies, 1):
        played = "is out" if ply.move is None else standard.format_move(ply.move)
        click.echo(f"{number:>4} {names[ply.player - 1]}: {played}")
    click.echo()
    print_position(game, len(game.plies))
