"""Tables in CSV format for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

_NO_SEPARATORS = str.maketrans("", "", ",;")


def csv_text(lines: Iterable[Sequence[Any]]) -> str:
    """Return a table as CSV: *yes* and *no* for truth values, spaces between the values of a list."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(map(_cell, line) for line in lines)
    return file.getvalue()


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
