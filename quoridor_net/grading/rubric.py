"""Rubrics: TOML files that turn a grade into points."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

from attrs import Attribute, fields, frozen

from quoridor_net.check.findings import CheckVerdict, Severity
from quoridor_net.grading.grade import Grade
from quoridor_net.players.ladder import LADDER
from quoridor_net.text import count_things

#: Maximum size of a rubric, in bytes.
MAX_RUBRIC = 1 << 16

#: Maximum number of points of a part.
MAX_POINTS = 1e6


class WrongKeysError(ValueError):
    """A file has wrong keys or values.

    Attributes:
        faults: one clause for each wrong key, without a full stop.
    """

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class RubricError(WrongKeysError):
    """A file is not a rubric."""


@frozen
class Conformance:
    """Points in proportion to the checks passed.

    Attributes:
        points: maximum.
        must_factor: factor for a program with a finding of severity *must*.
    """

    points: float
    must_factor: float = 0.5

    def award(self, grade: Grade) -> tuple[float, str]:
        """Return the points and the reason."""
        passed, counted = grade.checks[CheckVerdict.PASSED], grade.checks_counted
        points = self.points * passed / counted if counted else 0.0
        reason = f"{passed} of {count_things(counted, 'check')} passed"
        if grade.severities[Severity.MUST]:
            return points * self.must_factor, f"{reason}; must: x {self.must_factor:g}"
        return points, reason


@frozen
class Strength:
    """Points for the level.

    Attributes:
        points: maximum.
        none: highest level without points.
        full: lowest level with all points.
    """

    points: float
    none: float = 0.0
    full: float = 3.0

    def award(self, grade: Grade) -> tuple[float, str]:
        """Return the points and the reason."""
        placement = grade.placement
        if placement is None:
            return 0.0, "no games"
        # As shown, so that the points can be checked by hand.
        level = round(placement.level, 1)
        share = min(max((level - self.none) / (self.full - self.none), 0.0), 1.0)
        return self.points * share, f"level {level:.1f}; no points at {self.none:g}, all from {self.full:g}"


@frozen
class Reliability:
    """Points in proportion to the games that were not lost by faults.

    Attributes:
        points: maximum.
    """

    points: float

    def award(self, grade: Grade) -> tuple[float, str]:
        """Return the points and the reason."""
        games, faults = len(grade.games), len(grade.faults)
        if not games:
            return 0.0, "no games"
        return self.points * (games - faults) / games, f"{faults} of {games} games lost by faults"


Part = Conformance | Strength | Reliability

_PARTS: Mapping[str, type[Conformance | Strength | Reliability]] = {
    "conformance": Conformance,
    "strength": Strength,
    "reliability": Reliability,
}

#: Bounds of the values, by key.
_BOUNDS = {
    "points": (0.0, MAX_POINTS),
    "must_factor": (0.0, 1.0),
    "none": (0.0, float(LADDER[-1].level or 0)),
    "full": (0.0, float(LADDER[-1].level or 0)),
}


@frozen
class AwardedPart:
    """The points for one part of a rubric.

    Attributes:
        name: the part.
        points: rounded to a tenth.
        maximum: the maximum.
        reason: a clause.
    """

    name: str
    points: float
    maximum: float
    reason: str


@frozen
class Award:
    """The points of a grade."""

    parts: tuple[AwardedPart, ...]

    @property
    def points(self) -> float:
        """The sum."""
        return round(sum(part.points for part in self.parts), 1)

    @property
    def maximum(self) -> float:
        """The sum of the maximums."""
        return round(sum(part.maximum for part in self.parts), 1)


@frozen
class Rubric:
    """A rubric; ``parts`` are its parts by name."""

    parts: Mapping[str, Part]

    def award(self, grade: Grade) -> Award:
        """Return the points of a grade."""
        awarded = []
        for name, part in self.parts.items():
            points, reason = part.award(grade)
            awarded.append(AwardedPart(name, round(points, 1), part.points, reason))
        return Award(tuple(awarded))


def default_rubric() -> str:
    """Return the text of the default rubric."""
    return resources.files(__package__).joinpath("rubric.toml").read_text("utf-8")


def parse_rubric(text: str) -> Rubric:
    """Parse a rubric.

    Raises:
        RubricError: it is not TOML, or has wrong keys; each has a clause of its own.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RubricError([f"not TOML: {error}"]) from None
    faults = [fault for name, part in table.items() for fault in _faults_of(name, part)]
    if not table:
        faults = [f"no parts: expected {', '.join(_PARTS)}"]
    if faults:
        raise RubricError(faults)
    parts = {
        name: _PARTS[name](**{key: float(value) for key, value in table[name].items()}) for name in table
    }
    return Rubric(parts)


def _faults_of(name: str, part: Any) -> Iterator[str]:
    """Yield a clause for each fault of a part."""
    if name not in _PARTS:
        yield f"unknown part {name!r}: expected {', '.join(_PARTS)}"
        return
    if not isinstance(part, dict):
        yield f"{name} is not a table: write [{name}] on a line of its own"
        return
    known: list[Attribute[Any]] = list(fields(_PARTS[name]))
    names = [attribute.name for attribute in known]
    wrong = False
    for key, value in part.items():
        if key not in names:
            yield f"unknown key {name}.{key}: expected {', '.join(names)}"
        elif not _is_within(value, *_BOUNDS[key]):
            wrong = True
            low, high = _BOUNDS[key]
            yield f"{name}.{key} is not a number from {low:g} to {high:g}"
    if "points" not in part:
        yield f"{name}.points is missing"
    if name == "strength" and not wrong:
        none, full = (part.get(key, getattr(Strength(0.0), key)) for key in ("none", "full"))
        if full <= none:
            yield f"strength.full must be above strength.none, which is {none:g}"


def _is_within(value: Any, low: float, high: float) -> bool:
    # isinstance() would accept bool.
    return type(value) in {int, float} and math.isfinite(value) and low <= value <= high
