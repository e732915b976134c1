"""Limits of a search, and its results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import Attribute, field, frozen
from attrs.validators import optional

from quoridor_net.engine.scores import PROVEN, WIN
from quoridor_net.rules import Move

STRONGEST = 10
#: Each thread takes some megabytes.
MOST_THREADS = 256


def _whole(most: int | None = None) -> Callable[[object, Attribute[int], Any], None]:
    """Return a validator of whole numbers from 1 to ``most``."""

    def check(_limits: object, attribute: Attribute[int], value: Any) -> None:
        is_whole = type(value) is int
        if not is_whole or value < 1 or (most is not None and value > most):
            bounds = "of at least 1" if most is None else f"from 1 to {most}"
            kind = ValueError if is_whole else TypeError
            raise kind(f"{attribute.name} must be a whole number {bounds}, not {value!r}")

    return check


def _seconds(_limits: object, attribute: Attribute[float], value: Any) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not value >= 0:
        kind = ValueError if is_number else TypeError
        raise kind(f"{attribute.name} must be a number of seconds, 0 or more, not {value!r}")


@frozen(kw_only=True)
class Limits:
    """Limits of a search. The first one reached ends it; the default is one second.

    Attributes:
        time: time for this move, in seconds.
        game_time: time left for all moves of the game, in seconds; the engine divides it among them.
        increment: time added to the game time after each move, in seconds.
        nodes: number of positions to search. With this limit alone, only the seed affects the result.
        depth: search depth, in plies.
        level: playing strength from 1, a beginner, to 10, full strength.
        threads: maximum number of search threads, 1 to 256. Only the best-first search (two players, 7x7 to
            11x11, full strength) uses more than one, and is then not repeatable.

    Raises:
        TypeError: a limit has the wrong type.
        ValueError: a limit is out of range.
    """

    time: float | None = field(default=None, validator=optional(_seconds))
    game_time: float | None = field(default=None, validator=optional(_seconds))
    increment: float = field(default=0.0, validator=_seconds)
    nodes: int | None = field(default=None, validator=optional(_whole()))
    depth: int | None = field(default=None, validator=optional(_whole()))
    level: int = field(default=STRONGEST, validator=_whole(STRONGEST))
    threads: int = field(default=1, validator=_whole(MOST_THREADS))


def wins_in(score: int) -> int | None:
    """Return the plies to a proven win, negative for a proven loss; None for an unproven score."""
    if abs(score) <= PROVEN:
        return None
    return WIN - score if score > 0 else -WIN - score


@frozen
class Choice:
    """One move of an analysis.

    Attributes:
        move: the move.
        score: value for the player who makes it, in hundredths of a step. Beyond 28,000 the win is proven.
            Beyond 15,000 the score rests on a race that distances decide, on a search that left out unlikely
            walls or, with four players and a depth limit, on the replies of one rival. Choices never score
            more than those before them.
        wins_in: maximum plies to a proven win of the mover, negative for a proven loss; None without proof.
        line: the expected moves, this one first. With four players and a depth limit it ends before the turn
            of a rival whose reply was not searched.
        visits: number of visits in a best-first search, 0 in other searches.
    """

    move: Move
    score: int
    wins_in: int | None
    line: tuple[Move, ...]
    visits: int = 0


@frozen
class Analysis:
    """The result of a search.

    Attributes:
        choices: the best moves, best first; never empty. There are fewer than requested if there are fewer
            moves, or if the search was stopped before the others or knows that they are worse.
        depth: depth of the last complete iteration, or length of the solution or of the best line, in plies.
        nodes: number of searched positions; 0 for exact solutions and moves from the book.
        seconds: duration of the search.
    """

    choices: tuple[Choice, ...]
    depth: int
    nodes: int
    seconds: float = 0.0

    @property
    def move(self) -> Move:
        """The move to play."""
        return self.choices[0].move

    @property
    def score(self) -> int:
        """Value of the move for the player who makes it, in hundredths of a step."""
        return self.choices[0].score

    @property
    def line(self) -> tuple[Move, ...]:
        """The expected moves, the one to play first."""
        return self.choices[0].line
