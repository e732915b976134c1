"""The picture of a game in the README and on the front page is the view of the terminal display."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from docs.diagrams.game_picture import PLY, draw_picture
from quoridor_net.replay import parse_replay
from tests.docs.pages import DOCS, ROOT

PICTURE = DOCS / "pictures" / "game.svg"
REPLAY = DOCS / "pictures" / "game.qtp"


def draw_words(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_is_current() -> None:
    drawn = draw_picture(parse_replay(REPLAY.read_text(encoding="ascii")), PLY)
    assert draw_words(PICTURE.read_text(encoding="utf-8")) == draw_words(drawn), "draw it again: make pages"


def test_the_picture_is_small_and_loads_nothing() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert len(text.encode()) < 60_000
    assert re.findall(r"@font-face|@import|url\(|href|<script", text) == []
    assert re.findall(r"https?://\S+?(?=\")", text) == ["http://www.w3.org/2000/svg"]


def test_walls_are_drawn_as_bars() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert re.findall("[━┃─│╭╮╰╯]", text) == []
    walls = parse_replay(REPLAY.read_text(encoding="ascii")).position(PLY).walls
    assert len(re.findall(r'<rect class="[\w-]+"', text)) == len(walls)


def test_the_readme_and_the_front_page_show_the_picture() -> None:
    assert "](docs/pictures/game.svg)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "](pictures/game.svg)" in (DOCS / "index.md").read_text(encoding="utf-8")
