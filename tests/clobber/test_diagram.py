"""The drawn board."""

from __future__ import annotations

from quoridor_net.clobber import Position, parse_move
from quoridor_net.clobber.diagram import draw
from quoridor_net.match import GameEnded, GameStarted
from quoridor_net.outcome import Result
from quoridor_net.rules import Termination
from quoridor_net.rules.diagram import ASCII, UNICODE, plain
from quoridor_net.tournament import GameEvent
from quoridor_net.ui.clobber_boards import BoardDrawings


def lines(position: Position, *, ascii_only: bool = False) -> list[str]:
    history = position.history
    last = history[-1] if history else None
    return [line.rstrip() for line in plain(draw(position, ASCII if ascii_only else UNICODE, last))]


def test_the_start() -> None:
    # Rule 2: a1 is black and no two neighbours are alike.
    assert lines(Position.start(4, 3)) == [
        " 3 ● ○ ● ○",
        " 2 ○ ● ○ ●",
        " 1 ● ○ ● ○",
        "   a b c d",
    ]


def test_the_last_move_stands_in_brackets() -> None:
    position = Position.start(3, 10)
    position.push(parse_move("a1b1"))
    assert lines(position, ascii_only=True)[-3:] == [" 2 o x o", " 1 .(x)x", "   a b c"]
    position.push(parse_move("a10b10"))
    assert lines(position, ascii_only=True)[0] == "10 .(o)o"


def test_boards_of_running_games() -> None:
    boards = BoardDrawings()
    position = Position.start(2, 1)
    assert boards.draw(3) is None
    boards.listen(GameEvent(3, GameStarted(("ann", "bob"), position, None, 0)))
    shown = boards.draw(3)
    assert shown is not None
    assert shown.plain.split() in (["1", "●", "○", "a", "b"], ["1", "x", "o", "a", "b"])
    result = Result(None, Termination.ABORTED, "The game was aborted.", 0)
    boards.listen(GameEvent(3, GameEnded(result, ("ann", "bob"), position)))
    assert boards.draw(3) is None
