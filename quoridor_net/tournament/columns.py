"""The columns of a tournament's tables, defined once for all outputs."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import asdict, fields, frozen

from quoridor_net.outcome import Termination
from quoridor_net.phrases import Phrase, Translatable
from quoridor_net.tournament.standings import DRAW, EloDifference, PartialScore, Standing


class ColumnPhrase(Phrase):
    """Headings of columns, some with an explanation after a colon, and parts of values."""

    POINTS = "Points"
    PLAYED = "Games"
    WON = "Won"
    DRAWN = "Drawn"
    LOST = "Lost"
    FORFEITED = "Forfeited: games lost by a fault"
    BYES = "Byes: rounds without an opponent"
    HALF_BYES = "½ byes: rounds with half the points on request, or for a late entrant"
    BUCHHOLZ = "Buchholz: points of all opponents"
    SONNEBORN_BERGER = "S-B: Sonneborn-Berger, points of opponents, weighted by the score against them"
    HEAD_TO_HEAD = "H2H: head-to-head, points against entrants with equal points"
    AS_FIRST = "First: points and games when moving first"
    AS_LATER = "Later: points and games when not moving first"
    PAIRS = "Pairs: pairs of games with 0, ½, 1, 1½ and 2 points"
    MOVES = "Moves: in games with a result"
    AVERAGE_TIME = "Average: time per move, in seconds"
    LONGEST_TIME = "Longest: time of the slowest move, in seconds"
    TERMINATIONS = "Ended by: how the games ended"
    FAULTS = "Faults: the reasons for forfeits"
    ELO = "Elo (95 % interval): strength above the average"
    RATED = "Rated games: games that bear on the strength"
    SUPERIORITY = "LOS: likelihood of superiority, of being stronger than the next"
    DECIMAL = "{whole}.{fraction}"
    SECONDS = "{number} s"
    PERCENT = "{number}%"
    INTERVAL = "{value} ({low} to {high})"
    OPEN = "open"
    COUNT = "{what} {count}"
    COUNTS = "{counts}"


class Section(enum.StrEnum):
    """A table on terminals and pages; files have all columns in one table."""

    STANDINGS = "standings"
    PLAY = "play"
    STRENGTH = "strength"


def format_points(points: float) -> str:
    """Return points as people write them: ``3``, ``2½``, ``½``."""
    whole, half = divmod(points, 1)
    if half != DRAW:
        return f"{points:.0f}" if whole == points else format_number(points, 2)
    return f"{whole:.0f}½" if whole else "½"


def format_elo(elo: float) -> str:
    """Return a difference in Elo, in whole points with a sign: ``+12``, ``-3``, ``+0``, ``-inf``."""
    return f"{round(elo):+d}" if math.isfinite(elo) else f"{elo:+}"


def format_interval(elo: EloDifference) -> Translatable:
    """Return a difference in Elo with its interval; an infinite end is shown as open."""
    return ColumnPhrase.INTERVAL(**format_ends(elo))


def format_ends(elo: EloDifference) -> dict[str, str]:
    """Return the parts of an interval by name, for phrases; an infinite end is shown as open."""
    low, high = (
        format_elo(end) if math.isfinite(end) else ColumnPhrase.OPEN() for end in (elo.low, elo.high)
    )
    return {"value": format_elo(elo.value), "low": low, "high": high}


def format_score(score: PartialScore) -> str:
    """Return the points in some games and their number: ``2½/4``."""
    return f"{format_points(score.points)}/{score.played}"


def format_pentanomial(counts: Iterable[int]) -> str:
    """Return the numbers of pairs with 0, ½, 1, 1½ and 2 points."""
    return ", ".join(map(str, counts))


def format_counts(counts: Mapping[Termination, int]) -> Translatable:
    """Return the number of games for each termination, the most frequent first."""
    told = [
        ColumnPhrase.COUNT(
            what=Translatable(each, {"code": f"termination.{each}", "values": {}}), count=count
        )
        for each, count in sorted(counts.items(), key=lambda item: -item[1])
    ]
    return ColumnPhrase.COUNTS(counts=tuple(told))


def interval(elo: EloDifference) -> dict[str, float | None]:
    """Return a value with its interval for JSON, which cannot express infinity: None stands for it."""
    # Adding 0 turns -0.0 into 0.0.
    return {
        name: round(number, 1) + 0.0 if math.isfinite(number) else None
        for name, number in asdict(elo).items()
    }


def format_number(number: float, digits: int) -> Translatable:
    """Return a number with ``digits`` digits after the point, which is a comma in some languages."""
    whole, fraction = f"{number:.{digits}f}".split(".")
    return ColumnPhrase.DECIMAL(whole=whole, fraction=fraction)


def format_seconds(seconds: float) -> Translatable:
    """Return a duration: ``0.875 s``."""
    return ColumnPhrase.SECONDS(number=format_number(seconds, 3))


def format_share(share: float) -> Translatable:
    """Return a share in percent: ``87.5%``."""
    return ColumnPhrase.PERCENT(number=format_number(100 * share, 1))


@frozen
class Column:
    """A column of the tables.

    Attributes:
        name: of the attribute of ``Standing``, in JSON and CSV, and, in capitals, in ``ColumnPhrase``.
        section: the table that shows it.
        write: formats a value for display; None is displayed as nothing.
        encode: converts a value for JSON.
        is_rare: whether tables hide the column while it is 0 for all entrants.
        parts: the fields of its object in JSON, with a column each in CSV; empty if it has a single value.
    """

    name: str
    section: Section
    write: Callable[[Any], str] = str
    encode: Callable[[Any], Any] = lambda value: value
    is_rare: bool = False
    parts: tuple[str, ...] = ()

    @property
    def fields(self) -> list[str]:
        """The names of its columns in CSV."""
        return [f"{self.name}.{part}" for part in self.parts] or [self.name]

    @property
    def heading(self) -> Translatable:
        """The heading, with its explanation."""
        return ColumnPhrase[self.name.upper()]()

    def text(self, row: Standing) -> str:
        """Return the value of an entrant for display."""
        value = getattr(row, self.name)
        return "" if value is None else self.write(value)

    def data(self, row: Standing) -> Any:
        """Return the value of an entrant for JSON."""
        value = getattr(row, self.name)
        return None if value is None else self.encode(value)


#: The parts of a score, of an interval, and of numbers of games.
_SCORE = tuple(each.name for each in fields(PartialScore))
INTERVAL_PARTS = tuple(each.name for each in fields(EloDifference))
ENDINGS = tuple(map(str, Termination))
_FAULTS = tuple(str(each) for each in Termination if each.is_fault)

#: All columns except rank and name, in order.
COLUMNS = (
    Column("points", Section.STANDINGS, format_points),
    Column("played", Section.STANDINGS),
    Column("won", Section.STANDINGS),
    Column("drawn", Section.STANDINGS, is_rare=True),
    Column("lost", Section.STANDINGS),
    Column("forfeited", Section.STANDINGS),
    Column("byes", Section.STANDINGS, is_rare=True),
    Column("half_byes", Section.STANDINGS, is_rare=True),
    Column("buchholz", Section.STANDINGS, format_points),
    Column("sonneborn_berger", Section.STANDINGS, format_points),
    Column("head_to_head", Section.STANDINGS, format_points, is_rare=True),
    Column("as_first", Section.PLAY, format_score, asdict, parts=_SCORE),
    Column("as_later", Section.PLAY, format_score, asdict, parts=_SCORE),
    Column("pairs", Section.PLAY, format_pentanomial, list, is_rare=True),
    Column("moves", Section.PLAY),
    Column("average_time", Section.PLAY, format_seconds, lambda seconds: round(seconds, 6)),
    Column("longest_time", Section.PLAY, format_seconds, lambda seconds: round(seconds, 6)),
    Column("terminations", Section.PLAY, format_counts, dict, parts=ENDINGS),
    Column("faults", Section.PLAY, format_counts, dict, parts=_FAULTS),
    Column("elo", Section.STRENGTH, format_interval, interval, parts=INTERVAL_PARTS),
    Column("rated", Section.STRENGTH),
    Column("superiority", Section.STRENGTH, format_share, lambda share: round(share, 4)),
)


@frozen
class Sheet:
    """A table for display.

    Attributes:
        title: the heading of the table.
        headings: of the columns after place and name.
        rows: the place, the entrant and the cells of each row.
        centred: number of leading columns that are centred; the others are right-aligned.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[tuple[int, Standing, Sequence[str]]]
    centred: int = 0
