"""Tables in CSV format for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from quoridor_net.tournament.schedule import unique_names

_NO_SEPARATORS = str.maketrans("", "", ",;")
# Spaces are between the names of a list.
_NAME_PARTS = str.maketrans(",; ", "___")


def csv_text(lines: Iterable[Sequence[Any]]) -> str:
    """Return a table as CSV: *yes* and *no* for truth values, spaces between the values of a list."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(map(_cell, line) for line in lines)
    return file.getvalue()


def csv_names(names: Iterable[str]) -> dict[str, str]:
    """Return the spelling of each name in all tables, different for different names.

    Names have no separators and no spaces, and look like no formula, whatever their place in a list.
    """
    different = tuple(dict.fromkeys(names))
    clean = unique_names(_no_formula(name.translate(_NAME_PARTS)) for name in different)
    return dict(zip(different, clean, strict=True))


def respell(sentence: str, names: Mapping[str, str]) -> str:
    """Return a sentence with the spelling that :func:`csv_names` gave these names; others stay."""
    # The longest first, because a name may begin with another one.
    changed = sorted((name for name in names if name and names[name] != name), key=len, reverse=True)
    if not any(name in sentence for name in changed):
        return sentence
    parts: list[str] = []
    at = 0
    while at < len(sentence):
        name = next((name for name in changed if sentence.startswith(name, at)), "")
        end = at + len(name)
        beside = sentence[max(at - 1, 0) : at] + sentence[end : end + 1]
        is_whole = bool(name) and not any(map(str.isalnum, beside))
        parts.append(names[name] if is_whole else sentence[at])
        at = end if is_whole else at + 1
    return "".join(parts)


def _cell(value: Any) -> Any:
    """Return a cell without commas and semicolons, which some spreadsheets take for the end of a cell."""
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            is_nested = any(isinstance(each, list) for each in value)
            parts = [" ".join(each) if isinstance(each, list) else str(each) for each in value]
            value = (" / " if is_nested else " ").join(parts)
    return _no_formula(value.translate(_NO_SEPARATORS)) if isinstance(value, str) else value


def _no_formula(text: str) -> str:
    """Return a text that no spreadsheet evaluates as a formula, because entrants choose their own names."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
