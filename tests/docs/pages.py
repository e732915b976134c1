"""The pages of the documentation and their contents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

from attrs import frozen

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

#: A fenced block, which is indented in a list.
_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Return all pages, the README first."""
    return [ROOT / "README.md", *(page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts)]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a page in ``language``."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [dedent(text) for _, marked, text in found if marked == language]


@frozen
class Command:
    """A command on a page, without its prompt, and the output that the page shows."""

    text: str
    output: tuple[str, ...]


def commands(page: Path) -> Iterator[Command]:
    """Yield the commands of a page in order: lines after ``$`` in console blocks."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            text, *output = part.splitlines()
            # Two spaces and a hash sign start a remark for the reader.
            yield Command(text.partition("  #")[0].rstrip(), tuple(output))


def section(page: Path, heading: str) -> str:
    """Return the text below a heading, up to the next of the same or a higher level.

    Raises:
        KeyError: the page lacks the heading.
    """
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^(#+) {re.escape(heading)}\n", text, re.MULTILINE)
    if found is None:
        raise KeyError(heading)
    following = re.search(rf"^#{{1,{len(found[1])}}} ", text[found.end() :], re.MULTILINE)
    return text[found.end() :][: following.start() if following else None]
