"""The diagrams of the protocol page show every transition of the tables, readably."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from docs.diagrams.state_diagram import BOX_HEIGHT, BOX_WIDTH, LINE_HEIGHT, ROLES, draw
from quoridor_net.protocols.lan import transitions
from tests.docs.pages import DOCS

SVG = "{http://www.w3.org/2000/svg}"

STATES = {"client": transitions.ClientState, "server": transitions.ServerState}

Rectangle = tuple[float, float, float, float]


def table_of(role: str) -> Counter[tuple[str, ...]]:
    if role == "client":
        sends = [(s.value, "sends", k.value, f.value) for (s, k), f in transitions.CLIENT_SENDS.items()]
        gets = [(s.value, "receives", k.value, f.value) for (s, k), f in transitions.CLIENT_RECEIVES.items()]
    else:
        sends = [(s.value, "sends", k.value, f.value) for (s, k), f in transitions.SERVER_SENDS.items()]
        gets = [(s.value, "receives", k.value, f.value) for (s, k), f in transitions.SERVER_RECEIVES.items()]
    return Counter([*sends, *gets])


@pytest.mark.parametrize("role", STATES)
def test_every_transition_is_drawn_once(role: str) -> None:
    texts = [text for text in ET.fromstring(draw(role)).iter(f"{SVG}text") if "data-kind" in text.attrib]
    drawn = Counter(
        tuple(text.attrib[f"data-{name}"] for name in ("state", "direction", "kind", "following"))
        for text in texts
    )
    assert drawn == table_of(role)
    for text in texts:
        assert text.text == f"{text.attrib['data-direction']} {text.attrib['data-kind']}"


@pytest.mark.parametrize("role", STATES)
def test_every_state_has_a_box(role: str) -> None:
    boxes = [group.attrib["data-state"] for group in ET.fromstring(draw(role)).iter(f"{SVG}g")]
    assert sorted(boxes) == sorted(state.value for state in STATES[role])


@pytest.mark.parametrize("role", STATES)
def test_no_text_touches_another_or_a_box_or_the_margin(role: str) -> None:
    drawing = ET.fromstring(draw(role))
    _, _, width, height = map(float, drawing.attrib["viewBox"].split())
    taken: list[Rectangle] = [
        (place.x - BOX_WIDTH / 2, place.y - BOX_HEIGHT / 2, place.x + BOX_WIDTH / 2, place.y + BOX_HEIGHT / 2)
        for place in ROLES[role].places.values()
    ]
    for text in drawing.iter(f"{SVG}text"):
        if "data-kind" not in text.attrib:
            continue
        # Letters are about half as wide as high.
        long, x, y = 7.5 * len(text.text or ""), float(text.attrib["x"]), float(text.attrib["y"])
        left = x - long if text.attrib["text-anchor"] == "end" else x
        here = (left, y - LINE_HEIGHT + 5, left + long, y + 4)
        assert here[0] >= 0
        assert here[2] <= width
        assert here[3] <= height
        assert not [other for other in taken if overlap(here, other)], text.text
        taken.append(here)


def overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("role", STATES)
def test_the_page_has_the_drawing_and_the_table(role: str) -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    assert f"](pictures/{role}-states.svg)\n" in page
    assert f"<!-- generated: transitions {role} -->\n" in page
