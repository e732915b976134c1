"""The opening book: positions of the first plies with the move that a long search chose.

``python -m training book`` writes ``book.txt``. Each line holds a position line, a semicolon, a move, its
score in hundredths of a step, and the depth of the search in plies. Of a position and its mirror image only
the line that sorts first is listed. The book covers games of two on 9x9 with the official jumps.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from quoridor_net.engine.limits import STRONGEST, Choice, Limits
from quoridor_net.notation.standard import format_move, parse_move
from quoridor_net.rules import Jumps, Move, Position
from quoridor_net.rules.symmetry import reflect

SIDE = 9
#: Maximum number of walls on the board in a listed position.
MOST_WALLS = 8
#: Maximum time limit of a move from the book, in seconds. Longer searches find better moves.
LONGEST_MOVE_TIME = 0.5


def mirror_move(move: Move) -> Move:
    """Return ``move`` with left and right swapped."""
    return reflect(move, SIDE, columns=True)


def mirror(position: Position) -> Position:
    """Return ``position`` with left and right swapped, without its history."""
    pawns = [position.pawn(player) for player in (1, 2)]
    return Position.setup(
        [pawn and reflect(pawn, SIDE, columns=True) for pawn in pawns],
        [position.walls_left(player) for player in (1, 2)],
        [reflect(wall, SIDE, columns=True) for wall in position.walls],
        position.turn or 1,
    )


def book_key(position: Position) -> tuple[str, bool]:
    """Return the line that lists ``position``, and whether it is that of its mirror image."""
    line, other = position.to_line(), mirror(position).to_line()
    return min(line, other), other < line


def format_entry(position: Position, choice: Choice, depth: int) -> str:
    """Return the line of the file for ``position``."""
    line, is_mirrored = book_key(position)
    move = mirror_move(choice.move) if is_mirrored else choice.move
    return f"{line}; {format_move(move)} {choice.score} {depth}"


@cache
def _entries() -> dict[str, tuple[Move, int, int]]:
    found = {}
    text = resources.files(__package__).joinpath("book.txt").read_text("ascii")
    for line in text.splitlines():
        position, answer = line.split(";")
        move, score, depth = answer.split()
        found[position] = (parse_move(move, SIDE), int(score), int(depth))
    return found


def covers(size: int, players: int) -> bool:
    """Return whether the book covers games of this size and number of players."""
    return (size, players) == (SIDE, 2)


def applies(limits: Limits) -> bool:
    """Return whether ``limits`` allow moves from the book: full strength, limited by time alone."""
    return (limits.level, limits.nodes, limits.depth) == (STRONGEST, None, None)


def load() -> None:
    """Read the book ahead of the first move."""
    _entries()


def probe(position: Position) -> tuple[Choice, int] | None:
    """Return the move for ``position`` and the depth of its search; None if the position is not listed."""
    if not covers(position.size, position.players) or position.jumps is not Jumps.OFFICIAL:
        return None
    if position.turn is None or len(position.walls) > MOST_WALLS:
        return None
    line, is_mirrored = book_key(position)
    if line not in _entries():
        return None
    move, score, depth = _entries()[line]
    move = mirror_move(move) if is_mirrored else move
    return Choice(move, score, None, (move,)), depth
