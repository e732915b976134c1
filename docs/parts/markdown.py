"""Builds Markdown that a repository's web view and Sphinx read alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def escape(text: str) -> str:
    """Return ``text`` on one line, with the characters escaped that Markdown would interpret."""
    return re.sub(r"([\\*_<`|])", r"\\\1", re.sub(r"\s+", " ", text))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; cells are Markdown without line breaks."""
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    lines.insert(1, "|---" * len(head) + "|")
    return "\n".join(lines)
