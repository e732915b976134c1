"""Files of openings: one in each line, its moves in standard notation; ``#`` begins a comment."""

from __future__ import annotations

from importlib import resources

from quoridor_net.notation.standard import STANDARD, parse_move
from quoridor_net.rules import IllegalMoveError, Move, Position, explain
from quoridor_net.text import UnparsableError

Opening = tuple[Move, ...]

#: Openings that a file has at most.
MAX_OPENINGS = 10_000


#: The name of the openings that come with this package.
BALANCED = "balanced"


class OpeningError(ValueError):
    """A line is not an opening; the message names the line and says why."""


def balanced_openings() -> str:
    """Return the text of the openings that the engine found even: for two players on 9x9.

    They are made by ``python -m benchmarks.balanced_openings``.
    """
    return resources.files(__package__).joinpath("balanced.txt").read_text("utf-8")


def parse_openings(text: str, start: Position) -> list[tuple[int, Opening]]:
    """Return the openings in ``text``, each with the number of its line.

    Args:
        text: the contents of the file.
        start: the position the moves are made from; they are checked there.

    Raises:
        OpeningError: a move cannot be read or is illegal, an opening finishes the game, or there are none or
            too many.
    """
    openings: list[tuple[int, Opening]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if len(openings) == MAX_OPENINGS:
            raise OpeningError(f"line {number}: more than {MAX_OPENINGS} openings: split the file")
        if words:
            openings.append((number, _opening(words, start.copy(), number)))
    if not openings:
        raise OpeningError("there is no opening")
    return openings


def _opening(words: list[str], position: Position, number: int) -> Opening:
    moves = []
    for word in words:
        try:
            move = parse_move(word, position.size)
            position.push(move)
        except UnparsableError as error:
            raise OpeningError(f"line {number}: {error}") from None
        except IllegalMoveError as error:
            reason = explain(error.reason, STANDARD, names_option=True)
            raise OpeningError(f"line {number}: {word} is illegal: {reason}") from None
        moves.append(move)
    if position.turn is None:
        raise OpeningError(f"line {number}: the game is over after this opening")
    return tuple(moves)
