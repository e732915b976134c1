"""Lists of teams: TOML files that name the programs of a class."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from quoridor_net.check.findings import CheckVerdict, Severity
from quoridor_net.grading.grade import Grade
from quoridor_net.grading.rubric import Award, WrongKeysError
from quoridor_net.grading.subjects import Allowance, EngineProgram, Subject, server_of
from quoridor_net.programs.address import EngineAddress, locate
from quoridor_net.text import normal

#: Maximum size of a list of teams, in bytes.
MAX_TEAMS = 1 << 20

#: Names that any system allows in the name of a file.
_NAME = re.compile(r"\w[\w .-]{0,59}")

_KEYS = ("name", "server", "qtp")


class TeamsError(WrongKeysError):
    """A file is not a list of teams."""


@frozen
class Team:
    """A team and its program.

    Attributes:
        name: of the team.
        words: the address or the command of its program.
        is_engine: whether it is an engine of the Athens protocol, not a move server.
    """

    name: str
    words: tuple[str, ...]
    is_engine: bool = False

    def subject(self, allowance: Allowance) -> Subject:
        """Return the program to grade. A missing program is noticed when it is started."""
        words = self.words
        with suppress(ValueError):
            words = locate(EngineAddress(words), is_limited=self.is_engine).command
        if self.is_engine:
            return EngineProgram(words, allowance)
        # Programs on this machine have no limit of memory, as in the checker.
        return server_of(words, evolve(allowance, memory=None))


def parse_teams(text: str) -> list[Team]:
    """Parse a list of teams.

    Raises:
        TeamsError: it is not TOML, or has wrong keys; each has a clause of its own.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TeamsError([f"not TOML: {error}"]) from None
    faults = [f"unknown key {key!r}: expected [[team]] tables" for key in table if key != "team"]
    rows = table.get("team", [])
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise TeamsError([*faults, "no teams: write a [[team]] table for each, with name and server or qtp"])
    names: set[str] = set()
    for number, row in enumerate(rows, 1):
        faults += [f"team {number}: {fault}" for fault in _faults_of(row, names)]
    if faults:
        raise TeamsError(faults)
    return [Team(row["name"], _split(row), "qtp" in row) for row in rows]


def _split(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(shlex.split(row.get("qtp") or row["server"]))


def _faults_of(row: dict[str, Any], names: set[str]) -> Iterator[str]:
    """Yield a clause for each fault of a team; ``names`` collects the names."""
    for key, value in row.items():
        if key not in _KEYS:
            yield f"unknown key {key!r}: expected {', '.join(_KEYS)}"
        elif not isinstance(value, str) or not value.strip():
            yield f"{key} is not a text"
    if any(not isinstance(row.get(key, "x"), str) for key in _KEYS):
        return
    name = row.get("name", "")
    if not _NAME.fullmatch(name):
        yield "name must have 1 to 60 letters, digits, spaces, dots, hyphens or underscores"
    elif normal(name).casefold() in names:
        yield f"the name {name!r} is given twice"
    names.add(normal(name).casefold())
    if ("server" in row) == ("qtp" in row):
        yield "expected either server or qtp"
        return
    try:
        words = _split(row)
        if not words:
            return
        if "server" in row:
            server_of(words, Allowance())
    except ValueError as error:
        yield f"{'server' if 'server' in row else 'qtp'}: {error}"


#: The columns of the table before and after the points of the parts of the rubric.
_BEFORE = ("team", "points", "maximum")
_AFTER = (
    "passed", "checks", "must", "should", "note", "level", "low", "high", "games", "won", "drawn", "lost",
    "faults", "mean_time", "longest_time", "ending", "partial", "detail", "seed", "program",
)  # fmt: skip


def headings(parts: Iterable[str]) -> list[str]:
    """Return the headings of the table of grades; ``parts`` are those of the rubric."""
    return [*_BEFORE, *parts, *_AFTER]


def row_of(team: Team, grade: Grade, award: Award) -> list[Any]:
    """Return the row of a team."""
    placement, times = grade.placement, grade.times
    level = ["", "", ""]
    if placement is not None:
        level = [f"{value:.2f}" for value in (placement.level, placement.low, placement.high)]
    points = [game.points for game in grade.games]
    return [
        team.name,
        award.points,
        award.maximum,
        *(part.points for part in award.parts),
        grade.checks[CheckVerdict.PASSED],
        grade.checks_counted,
        *(grade.severities[severity] for severity in Severity),
        *level,
        len(points),
        *(points.count(value) for value in (1.0, 0.5, 0.0)),
        len(grade.faults),
        f"{times.seconds / times.moves:.3f}" if times.moves else "",
        f"{times.longest:.3f}" if times.moves else "",
        str(grade.ending),
        grade.is_partial,
        grade.detail,
        grade.seed,
        grade.subject,
    ]
