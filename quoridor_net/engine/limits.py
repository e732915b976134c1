"""What a search is given and what it answers."""

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
            raise kind(f"{attribute.name} is a whole number {bounds}, not {value!r}")

    return check


def _seconds(_limits: object, attribute: Attribute[float], value: Any) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not value >= 0:
        kind = ValueError if is_number else TypeError
        raise kind(f"{attribute.name} is a number of seconds, 0 or more, not {value!r}")


@frozen(kw_only=True)
class Limits:
    """When a search ends. Whatever is reached first counts; with nothing given it is one second.

    Attributes:
        time: seconds for this move.
        game_time: seconds left for all moves of the game; the engine shares them out itself.
        increment: seconds added to the game time after each move.
        nodes: positions to look at. With this alone the answer depends on nothing but the seed.
        depth: plies to look ahead.
        level: 1, a beginner, to 10, full strength.
        threads: how many may search at once, 1 to 256. Only the best-first search, for two players on 7x7 to
            11x11 at full strength, uses more than one, and is no longer repeatable then.

    Raises:
        TypeError: a limit is of the wrong type.
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
    """Return after how many plies a score that is proven has come true, negative for a loss, else None."""
    if abs(score) <= PROVEN:
        return None
    return WIN - score if score > 0 else -WIN - score


@frozen
class Choice:
    """One move of an analysis.

    Attributes:
        move: the move.
        score: what it is worth to the player that makes it, in hundredths of a step. Beyond 28,000 the win is
            proven; beyond 15,000 it rests on a race that distances decide, on a search that left unlikely
            walls out or, with four players and a depth limit, on one that had not all rivals reply. No choice
            scores more than one before it.
        wins_in: plies, at most, until the mover has won, when that is proven; negative until it has lost;
            else None.
        line: the moves expected, this one first. With four players and a depth limit it ends where a rival is
            to move whose reply was not searched.
        visits: how often a best-first search looked at it, 0 for other searches.
    """

    move: Move
    score: int
    wins_in: int | None
    line: tuple[Move, ...]
    visits: int = 0


@frozen
class Analysis:
    """What a search found.

    Attributes:
        choices: the best moves, best first, as many as asked for or as there are; fewer if the search was
            stopped before it came to the others, or knows that they are worse; never empty.
        depth: plies the last full pass looked ahead, or the length of an exact solution.
        nodes: positions looked at; none where the position was solved exactly.
        seconds: how long it took, by the searcher's clock.
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
        """What the move is worth to the player that makes it, in hundredths of a step."""
        return self.choices[0].score

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves expected, the one to play first."""
        return self.choices[0].line
