"""Generated pictures and parts of pages are up to date."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from docs.generate import PICTURES, draw_pictures, find_pages, regenerate
from tests.docs.pages import DOCS, name_of

HINT = "run: make pages"
DRAWN = dict(draw_pictures())


@pytest.mark.parametrize("page", find_pages(), ids=name_of)
def test_generated_parts_are_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == regenerate(text), HINT


@pytest.mark.parametrize("picture", DRAWN, ids=name_of)
def test_pictures_are_up_to_date(picture: Path) -> None:
    assert picture.read_text(encoding="utf-8") == DRAWN[picture], HINT


@pytest.mark.parametrize("picture", DRAWN, ids=name_of)
def test_pictures_bring_their_background(picture: Path) -> None:
    first = next(ET.fromstring(DRAWN[picture]).iter("{http://www.w3.org/2000/svg}rect"))
    assert first.attrib["fill"].startswith("#")


def test_every_picture_is_drawn_and_shown() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in find_pages()
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    assert shown == {*PICTURES.rglob("*.svg")} == {*DRAWN, DOCS / "pictures" / "game.svg"}


def test_every_generated_part_is_closed() -> None:
    for page in find_pages():
        text = page.read_text(encoding="utf-8")
        marks = re.findall(r"^<!-- (generated|end of generated part).*-->$", text, re.MULTILINE)
        assert marks == ["generated", "end of generated part"] * (len(marks) // 2), name_of(page)
