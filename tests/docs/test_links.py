"""Every link between the project's Markdown files leads to a file and a heading that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, name_of, pages

FILES = [
    *pages()[1:],
    *sorted(
        path for folder in (".", ".github", "benchmarks", "examples") for path in (ROOT / folder).glob("*.md")
    ),
]


def prose(page: Path) -> str:
    """Return a page without its code."""
    text = re.sub(r"^(```+|~~~+).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "`code`", text, flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings, as GitHub, GitLab and MyST make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = base = re.sub(r"[^\w -]", "", words).strip().replace(" ", "-")
        number = 0
        while anchor in found:
            number += 1
            anchor = f"{base}-{number}"
        found.add(anchor)
    return found


@pytest.mark.parametrize("page", FILES, ids=name_of)
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)[^)]*\)", prose(page)):
        if re.match(r"https?:|mailto:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("page", FILES, ids=name_of)
def test_pages_have_no_markup_that_only_sphinx_knows(page: Path) -> None:
    text = prose(page)
    assert re.findall(r"\{[\w:-]+\}`", text) == []
    assert re.findall(r"^(?:```|:::)\{.*", page.read_text(encoding="utf-8"), re.MULTILINE) == []
    assert re.findall(r"^\([\w-]+\)=", text, re.MULTILINE) == []


@pytest.mark.parametrize("page", FILES, ids=name_of)
def test_pictures_have_alternative_texts(page: Path) -> None:
    assert re.findall(r"!\[\]\(.*?\)", prose(page)) == []


def test_the_front_page_links_to_every_page() -> None:
    """Its links are the contents of the side bar."""
    front = ROOT / "docs" / "index.md"
    linked = {(front.parent / target).resolve() for target in re.findall(r"\]\(([^)#]+)", prose(front))}
    assert [name_of(page) for page in pages()[1:] if page != front and page not in linked] == []
