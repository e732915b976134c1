"""Journals of the first Clobber servers: a line of JSON with a checksum for every event (schema version 3).

A crash can cut off the last line, which then counts as not written. Any other damage is found by the
checksums of the lines.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quoridor_net.match.encoding import VERSION
from quoridor_net.tournament.encoding import RecordError, VersionError, parse_object, whole_number

#: The version of the schema in which such journals are written.
LEGACY_VERSION = 3

_CHECKSUM = re.compile(rb', "crc32": "([0-9a-f]{8})"\}')
_CHECKSUM_LENGTH = 22

#: The first line of journals before version 3.
_OLD_START = "opened"


def is_legacy(path: Path) -> bool:
    """Return whether the file may be such a journal: it begins as an object of JSON does.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return file.read(1) == b"{"


def whole_lines(data: bytes) -> list[bytes]:
    """Return the lines of such a journal, without what a crash left of the last one."""
    *lines, rest = data.split(b"\n")
    # A whole line without its line feed counts.
    return [*lines, rest] if rest and _CHECKSUM.search(rest) else lines


def modern_objects(line: bytes) -> Iterator[dict[str, Any]]:
    """Yield the objects that say today what a line says: the schedule is no part of the start any more.

    Raises:
        RecordError: the line is damaged.
        VersionError: the journal is older.
    """
    record = _checked(line)
    if record.get("event") != "tournament_started":
        yield record
        return
    version = whole_number(record, "version", 1)
    if version != LEGACY_VERSION:
        raise VersionError(version)
    games = record.pop("pairings", None)
    is_list = isinstance(games, list) and all(isinstance(game, list) and game for game in games)
    if not is_list or not all(type(game[0]) is int for game in games):
        raise RecordError("pairings is missing or not a list of games")
    yield {**record, "version": VERSION, "addresses": []}
    # Rounds were numbers that ordered the games, and did so without gaps.
    by_round: dict[int, list[list[object]]] = {}
    for number, (played_in, *seats) in enumerate(games, 1):
        by_round.setdefault(played_in, []).append([number, 0, *seats])
    for played_in, of_round in by_round.items():
        paired = {"event": "round_paired", "time": record.get("time"), "round": played_in}
        yield {**paired, "games": of_round, "byes": []}


def _checked(line: bytes) -> dict[str, Any]:
    """Return the object in a line whose checksum is right."""
    body, checksum = line[:-_CHECKSUM_LENGTH], _CHECKSUM.fullmatch(line[-_CHECKSUM_LENGTH:])
    if checksum is not None and int(checksum[1], 16) != zlib.crc32(body):
        raise RecordError("its checksum does not match")
    record = parse_object(line if checksum is None else body + b"}")
    if record.get("event") == _OLD_START:
        raise VersionError(whole_number(record, "format", 1))
    if checksum is None:
        raise RecordError("it has no checksum")
    return record
