"""Rewrites the pictures and the generated parts of the pages: ``make pages``.

A generated part stands between two comments in a page, ``<!-- generated: KIND WORDS -->`` and
``<!-- end of generated part -->``. Everything is committed, so that pages read the same on a repository's web
view and in the documentation that ``make docs`` builds; a test fails when something is out of date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from docs.diagrams import game_picture
from docs.diagrams.state_diagram import ROLES, draw
from docs.parts.commands import write_commands
from docs.parts.findings import write_findings
from docs.parts.ladder import write_ladder
from docs.parts.names import write_names
from docs.parts.position_pictures import POSITIONS, draw_position, write_positions
from docs.parts.transition_tables import write_transitions

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures"

#: Functions by the first word after "generated:"; the other words are their arguments.
PARTS: dict[str, Callable[..., str]] = {
    "commands": write_commands,
    "findings": write_findings,
    "ladder": write_ladder,
    "names": write_names,
    "positions": write_positions,
    "transitions": write_transitions,
}

_PART = re.compile(
    r"^(<!-- generated: ([^\n]+) -->\n)(.*?)^(<!-- end of generated part -->\n)", re.MULTILINE | re.DOTALL
)


def find_pages() -> list[Path]:
    """Return the pages of the documentation."""
    return [page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts]


def regenerate(text: str) -> str:
    """Return the text of a page with its generated parts brought up to date."""

    def part(found: re.Match[str]) -> str:
        kind, *words = found[2].split()
        return f"{found[1]}\n{PARTS[kind](*words)}\n\n{found[4]}"

    return _PART.sub(part, text)


def draw_pictures() -> Iterator[tuple[Path, str]]:
    """Yield the files of all pictures but that of a game, and their contents."""
    for name in POSITIONS:
        yield PICTURES / "positions" / f"{name}.svg", draw_position(name)
    for role in ROLES:
        yield PICTURES / f"{role}-states.svg", draw(role)


def main() -> None:
    """Rewrite everything that is generated."""
    game_picture.main()
    for path, content in draw_pictures():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
    for page in find_pages():
        text = page.read_text(encoding="utf-8")
        page.write_text(regenerate(text), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
