"""Opening files: one opening per line, its moves in standard notation; ``#`` starts a comment."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from quoridor_net.notation.standard import STANDARD, parse_move
from quoridor_net.rules import IllegalMoveError, Move, Position, explain
from quoridor_net.text import UnparsableError
from quoridor_net.text_file import unify_line_ends

Opening = tuple[Move, ...]

#: Maximum number of openings in a file.
MAX_OPENINGS = 10_000

#: The name of the openings that come with this package.
BALANCED = "balanced"


class OpeningError(ValueError):
    """A line is not an opening; the message names the line and the reason."""


def read_balanced_openings() -> str:
    """Return the text of the openings that the engine judged even, for two players on 9x9.

    ``python -m training balanced`` generates them.
    """
    return resources.files(__package__).joinpath("balanced.txt").read_text("utf-8")


def parse_openings(text: str, start: Position) -> list[tuple[int, Opening]]:
    """Return the openings in ``text``, each with its line number.

    Args:
        text: the contents of the file.
        start: the start position, from which the moves are checked.

    Raises:
        OpeningError: a move cannot be parsed or is illegal, an opening finishes the game, or there are no
            openings or too many.
    """
    openings: list[tuple[int, Opening]] = []
    walk = _Walk(start.copy())
    for number, line in enumerate(unify_line_ends(text).split("\n"), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if len(openings) == MAX_OPENINGS:
            raise OpeningError(f"line {number}: more than {MAX_OPENINGS} openings: split the file")
        if words:
            openings.append((number, walk.opening(words, number)))
    if not openings:
        raise OpeningError("no openings found: write one per line, for example e2 e8 e3h")
    return openings


class _Walk:
    """A board that plays openings one by one; moves that one shares with the previous one stay on the board.

    Most files are sorted, and checking moves takes most of the time.

    Args:
        position: the start position of all openings.
    """

    def __init__(self, position: Position) -> None:
        self._position = position
        self._words: list[str] = []
        self._moves: list[Move] = []

    def opening(self, words: Sequence[str], number: int) -> Opening:
        """Return the opening with these words, from line ``number``."""
        pairs = enumerate(zip(words, self._words, strict=False))
        same = next((at for at, (one, other) in pairs if one != other), min(len(words), len(self._words)))
        for _ in self._words[same:]:
            self._position.pop()
        del self._words[same:], self._moves[same:]
        for word in words[same:]:
            self._push(word, number)
        if self._position.turn is None:
            raise OpeningError(f"line {number}: the game is over after this opening")
        return tuple(self._moves)

    def _push(self, word: str, number: int) -> None:
        try:
            move = parse_move(word, self._position.size)
            self._position.push(move)
        except UnparsableError as error:
            raise OpeningError(f"line {number}: {error}") from None
        except IllegalMoveError as error:
            reason = explain(error.reason, STANDARD, names_option=True)
            raise OpeningError(f"line {number}: {word} is illegal: {reason}") from None
        self._words.append(word)
        self._moves.append(move)
