"""The displays of a match: the choice of one, and the plain display for files and pipes."""

from __future__ import annotations

import enum
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TextIO

from quoridor_net.match import (
    Event,
    GameEnded,
    GameStarted,
    Listener,
    MoveMade,
    MoveRequested,
    PlayerOut,
    TurnPassed,
)
from quoridor_net.match.encoding import as_object
from quoridor_net.output import Output
from quoridor_net.rules import Move, Position
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.text import count_things, pad
from quoridor_net.ui.wording import describe_limits, format_duration, pad_move

#: Minimum columns of a name in the line of a move.
NAME_WIDTH = 16


class DisplayKind(enum.Enum):
    """The kinds of displays."""

    #: The board on a terminal, a line for every move elsewhere.
    USUAL = "usual"
    #: A JSON object for every event (docs/reference/events.md).
    JSON = "json"
    #: The result only.
    QUIET = "quiet"


@asynccontextmanager
async def open_display(
    kind: DisplayKind,
    file: TextIO,
    note: Callable[[], str] = str,
    picture: BoardPicture = BoardPicture.STANDARD,
) -> AsyncIterator[Listener]:
    """Provide a listener that shows matches on ``file`` until the context ends.

    Exceptions of the body propagate unchanged.

    Args:
        kind: the display.
        file: a text file, usually standard output; the caller closes it.
        note: returns a note to show on a terminal during the game; empty for none.
        picture: the picture of boards, with its notation.
    """
    output = Output(file)

    def write_result(event: Event) -> None:
        if isinstance(event, GameEnded):
            output.write_line(event.result.sentence)

    match kind:
        case DisplayKind.JSON:
            yield lambda event: output.write_line(json.dumps(as_object(event)))
        case DisplayKind.QUIET:
            yield write_result
        case DisplayKind.USUAL if file.isatty() and os.environ.get("TERM") not in {"dumb", "unknown"}:
            # Imported late, because loading rich takes longer than everything else in a quiet client.
            from quoridor_net.ui.terminal import open_terminal

            async with open_terminal(file, note, picture) as listener:
                yield listener
        case DisplayKind.USUAL:
            yield PlainDisplay(output, picture).listen


class PlainDisplay:
    """A display that writes one line for each event, except for requests."""

    def __init__(self, output: Output, picture: BoardPicture = BoardPicture.STANDARD) -> None:
        self._output = output
        self._picture = picture
        self._names: tuple[str, ...] = ()

    def listen(self, event: Event) -> None:
        """Write the line of ``event``."""
        match event:
            case GameStarted():
                self._names = event.names
                self._output.write_line(self._start(event))
            case MoveMade():
                self._output.write_line(self._move(event))
            case TurnPassed(player):
                self._output.write_line(f"   - {self._label_of(player)} has no legal move and is passed over")
            case PlayerOut():
                self._output.write_line(self._out(event))
                if event.fault.hint:
                    self._output.write_line(f"     {event.fault.hint}")
            case GameEnded(result):
                self._output.write_line(
                    f"{result.sentence} [{result.termination}, {count_things(result.plies, 'move')}]"
                )
            case MoveRequested():
                pass

    def _start(self, event: GameStarted[Position]) -> str:
        position = event.position
        players = ", ".join(
            f"{player} {event.names[player - 1]} ({self._picture.heading(player).value})"
            for player in position.order
        )
        limits = describe_limits(event)
        limit = f", {limits}" if limits else ""
        return f"Game on {position.size}x{position.size}, {position.jumps} jumps{limit}: {players}"

    def _move(self, event: MoveMade[Position, Move]) -> str:
        name = self._names[event.player - 1]
        move = pad_move(event.move, self._picture, event.position.size)
        left = "" if event.left is None else f" {format_duration(event.left):>7} left"
        return (
            f"{event.ply:>4} {event.player} {pad(name, NAME_WIDTH)}"
            f" {move}"
            f" {format_duration(event.seconds):>7}{left}  {_describe_standing(event.position)}"
        )

    def _out(self, event: PlayerOut[Position]) -> str:
        fault = event.fault
        answer = f"; the answer was '{fault.line}'" if fault.line else ""
        return f"   - {self._label_of(event.player)} is out [{fault.termination}]: {fault.sentence}{answer}"

    def _label_of(self, player: int) -> str:
        return f"{player} {self._names[player - 1]}"


def _describe_standing(position: Position) -> str:
    """Return the walls left and steps to go of all players, in order of play."""
    walls = "/".join(str(position.walls_left(player)) for player in position.order)
    ways = (position.distance(player) for player in position.order)
    return f"walls {walls:<7} to go {'/'.join('-' if way is None else str(way) for way in ways)}"
