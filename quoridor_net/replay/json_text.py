"""Parse JSON of limited size and depth, and find places in its text."""

from __future__ import annotations

import json
import re
from typing import Any

from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.record import Place

#: Maximum size of a JSON text, in characters: its values take far more memory than other files.
MAX_JSON = 4 << 20

#: Maximum nesting of objects and lists.
MAX_DEPTH = 64

# Longer numbers have no meaning in a record, and parsing them takes quadratic time.
_MOST_DIGITS = 18

# A quote, a bracket, or an escaped character.
_TOKEN = re.compile(r'\\.|["\[\]{}]', re.DOTALL)

_HALF = re.compile("[\ud800-\udfff]")


def end_of(text: str, start: int) -> int:
    """Return the end of the object or list that begins at ``start``; the end of the text if it is open.

    Raises:
        ReplayError: it is nested too deep.
    """
    depth = 0
    is_in_string = False
    for token in _TOKEN.finditer(text, start):
        if token[0] == '"':
            is_in_string = not is_in_string
        elif is_in_string:
            continue
        elif token[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise error_at(text, token.start(), f"nested deeper than {MAX_DEPTH} levels")
        elif token[0] in "]}":
            depth -= 1
            if depth <= 0:
                return token.end()
    return len(text)


def parse_json(text: str, start: int = 0, stop: int | None = None) -> Any:
    """Parse the JSON value in ``text`` from ``start`` to ``stop``.

    Raises:
        ReplayError: it is too large, nested too deep, or not JSON.
    """
    stop = len(text) if stop is None else stop
    if stop - start > MAX_JSON:
        raise error_at(text, start, f"more than {MAX_JSON >> 20} MiB")
    end_of(text, start)
    try:
        return json.loads(text[start:stop], parse_int=_number, parse_constant=_drop_constant)
    except json.JSONDecodeError as error:
        raise error_at(text, start + error.pos, error.msg[:1].lower() + error.msg[1:]) from None


def error_at(text: str, offset: int, reason: str) -> ReplayError:
    """Return an error that ``text`` is not valid JSON at ``offset``."""
    place = place_at(text, offset)
    return ReplayError(Fault.SYNTAX, RecordPhrase.NO_JSON(reason=reason), place.line, place.move)


def place_at(text: str, offset: int) -> Place:
    """Return the line and the column of ``offset``."""
    column = offset - text.rfind("\n", 0, offset)
    return Place(text.count("\n", 0, offset) + 1, column, column, column)


def text_in(record: Any, key: str) -> str:
    """Return the string or number under ``key`` as text; empty if there is none."""
    value = record.get(key) if isinstance(record, dict) else None
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    # JSON can contain halves of surrogate pairs, which cannot be encoded.
    return _HALF.sub("?", str(value))


def objects_in(record: Any, key: str) -> list[dict[str, Any]]:
    """Return the objects in the list under ``key``; empty if there is no list."""
    value = record.get(key) if isinstance(record, dict) else None
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _number(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MOST_DIGITS else None


def _drop_constant(_name: str) -> None:
    return None


class Occurrences:
    """Finds the places of keys in a JSON text, in order.

    Args:
        text: the text.
        start: offset at which to begin.
    """

    def __init__(self, text: str, start: int = 0) -> None:
        self._text = text
        self._next = start
        self._place = place_at(text, start)

    def next(self, key: str) -> Place:
        """Return the place of the next ``key``; the previous place if none follows."""
        found = self._text.find(f'"{key}"', self._next)
        if found >= 0:
            lines = self._text.count("\n", self._next, found)
            column = found - self._text.rfind("\n", 0, found)
            self._place = Place(self._place.line + lines, column, column, column)
            self._next = found + 1
        return self._place
