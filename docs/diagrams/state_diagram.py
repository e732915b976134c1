"""Draws the transition table of a role as SVG, on a light background of its own.

The arrows come from ``quoridor_net/protocols/lan/transitions.py`` and nowhere else. Only the places of the
states are chosen here, so a new state without a place is an error and a new transition draws itself.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from attrs import frozen

from quoridor_net.protocols.lan.transitions import (
    CLIENT_RECEIVES,
    CLIENT_SENDS,
    SERVER_RECEIVES,
    SERVER_SENDS,
    ClientState,
    ServerState,
)

BOX_WIDTH, BOX_HEIGHT = 150, 44
LINE_HEIGHT = 18
#: Half the distance between the two arrows of states that lead to each other.
APART = 14
#: How far a loop reaches out of its box.
LOOP = 34
MARGIN = 16


#: States and messages are the members of enumerations; each protocol has its own.
State = enum.Enum
Kind = enum.Enum


class Direction(enum.Enum):
    """Whether a role sends or receives the message of a transition; the value is the verb."""

    SENDS = "sends"
    RECEIVES = "receives"


@frozen
class Transition:
    """One entry of a transition table."""

    state: State
    direction: Direction
    kind: Kind
    following: State


@frozen
class Place:
    """The middle of a state's box, in pixels, and the side of the box at which its loop is drawn."""

    x: int
    y: int
    loop: str = "right"


@frozen
class Role:
    """The drawing of one role.

    Attributes:
        title: a description for people who cannot see the drawing.
        transitions: all entries of its tables, in their order.
        places: where each state stands.
    """

    title: str
    transitions: tuple[Transition, ...]
    places: Mapping[State, Place]


def transitions(sends: Mapping[Any, State], receives: Mapping[Any, State]) -> tuple[Transition, ...]:
    """Return the entries of two tables, whose keys are pairs of a state and a kind of message."""
    tables = ((Direction.RECEIVES, receives), (Direction.SENDS, sends))
    return tuple(
        Transition(state, direction, kind, following)
        for direction, table in tables
        for (state, kind), following in table.items()
    )


ROLES: dict[str, Role] = {
    "client": Role(
        "States of the display client towards one move server",
        transitions(CLIENT_SENDS, CLIENT_RECEIVES),
        {
            ClientState.CONNECTED: Place(400, 40),
            ClientState.GREETING: Place(400, 130),
            ClientState.GREETED: Place(400, 220),
            ClientState.PLAYING: Place(400, 320, "left"),
            ClientState.ASKING: Place(400, 560, "below"),
            ClientState.ELIMINATED: Place(110, 440),
            ClientState.OVER: Place(690, 440),
        },
    ),
    "server": Role(
        "States of a move server towards one display client",
        transitions(SERVER_SENDS, SERVER_RECEIVES),
        {
            ServerState.CONNECTED: Place(400, 40),
            ServerState.GREETED: Place(400, 130),
            ServerState.PLAYING: Place(400, 250, "left"),
            ServerState.THINKING: Place(400, 510, "below"),
            ServerState.ELIMINATED: Place(110, 380),
            ServerState.OVER: Place(690, 380),
        },
    ),
}


def draw(name: str) -> str:
    """Return the drawing of a role as an SVG document.

    Args:
        name: "client" or "server".
    """
    role = ROLES[name]
    pairs = dict.fromkeys((transition.state, transition.following) for transition in role.transitions)
    parts: list[str] = []
    bottom = max(place.y for place in role.places.values()) + BOX_HEIGHT / 2
    for state, following in pairs:
        labels = [
            transition
            for transition in role.transitions
            if (transition.state, transition.following) == (state, following)
        ]
        if state is following:
            parts += _loop(role.places[state], labels)
            if role.places[state].loop == "below":
                bottom = max(bottom, role.places[state].y + BOX_HEIGHT / 2 + (len(labels) + 1) * LINE_HEIGHT)
        else:
            parts += _arrow(
                role.places[state], role.places[following], labels, two_way=(following, state) in pairs
            )
    for state, place in role.places.items():
        parts += _box(state, place)
    width = max(place.x for place in role.places.values()) + BOX_WIDTH // 2 + MARGIN
    return _document(name, role.title, width, math.ceil(bottom) + MARGIN, parts)


def _document(name: str, title: str, width: int, height: int, parts: Iterable[str]) -> str:
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' role="img" aria-labelledby="{name}-title" font-family="sans-serif" font-size="14">'
        ),
        f'<title id="{name}-title">{escape(title)}</title>',
        f'<rect width="{width}" height="{height}" rx="8" fill="#fff"/>',
        (
            f'<defs><marker id="{name}-head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8"'
            ' markerHeight="8" orient="auto-start-reverse"><path class="head" d="M0,0 L10,5 L0,10 z"'
            ' fill="#555"/></marker></defs>'
        ),
        *(part.replace("url(#head)", f"url(#{name}-head)") for part in parts),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _box(state: State, place: Place) -> list[str]:
    left, top = place.x - BOX_WIDTH / 2, place.y - BOX_HEIGHT / 2
    return [
        f'<g class="state" data-state={quoteattr(state.value)}>',
        (
            f'<rect x="{left:g}" y="{top:g}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="12"'
            ' fill="#eef3fb" stroke="#3b5b8c" stroke-width="1.5"/>'
        ),
        (
            f'<text x="{place.x}" y="{place.y + 5}" text-anchor="middle" font-weight="bold"'
            f' fill="#1c2b44">{escape(state.name)}</text>'
        ),
        "</g>",
    ]


def _arrow(start: Place, end: Place, labels: list[Transition], *, two_way: bool) -> list[str]:
    if start.x == end.x:
        downward = 1 if end.y > start.y else -1
        # Of two opposite arrows each keeps to its own right, like traffic, and its text stands beside it.
        x = start.x + (APART * -downward if two_way else 0)
        from_y, to_y = start.y + downward * BOX_HEIGHT / 2, end.y - downward * BOX_HEIGHT / 2
        anchor = "end" if two_way and downward > 0 else "start"
        beside = x - 10 if anchor == "end" else x + 10
        middle = (from_y + to_y) / 2
        return [_line(x, from_y, x, to_y), *_text(beside, middle, anchor, labels)]
    from_x, from_y = _border(start, end)
    to_x, to_y = _border(end, start)
    leftward = end.x < start.x
    # The text stands outside of the ring that these arrows form.
    middle_y = (from_y + to_y) / 2 + (-LINE_HEIGHT if end.y > start.y else LINE_HEIGHT)
    middle_x = (from_x + to_x) / 2 + (-6 if leftward else 6)
    return [
        _line(from_x, from_y, to_x, to_y),
        *_text(middle_x, middle_y, "end" if leftward else "start", labels),
    ]


def _loop(place: Place, labels: list[Transition]) -> list[str]:
    half_width, half_height = BOX_WIDTH / 2, BOX_HEIGHT / 2
    if place.loop == "below":
        x, y = float(place.x), place.y + half_height
        path = f"M{x - 14:g},{y:g} C{x - 34:g},{y + LOOP:g} {x + 34:g},{y + LOOP:g} {x + 14:g},{y:g}"
        text = _text(x + 40, y + len(labels) * LINE_HEIGHT / 2 + 6, "start", labels)
    else:
        side = -1 if place.loop == "left" else 1
        x, y = place.x + side * half_width, place.y
        out = x + side * LOOP
        path = f"M{x:g},{y - 10:g} C{out:g},{y - 26:g} {out:g},{y + 26:g} {x:g},{y + 10:g}"
        # A little higher than the loop: arrows leave the box below it.
        text = _text(x + side * (LOOP + 2), y - 12, "end" if side < 0 else "start", labels)
    arrow = (
        f'<path class="arrow" d="{path}" fill="none" stroke="#555" stroke-width="1.4"'
        ' marker-end="url(#head)"/>'
    )
    return [arrow, *text]


def _line(from_x: float, from_y: float, to_x: float, to_y: float) -> str:
    return (
        f'<line class="arrow" x1="{from_x:.1f}" y1="{from_y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
        ' stroke="#555" stroke-width="1.4" marker-end="url(#head)"/>'
    )


def _text(x: float, middle: float, anchor: str, labels: list[Transition]) -> list[str]:
    top = middle - (len(labels) - 1) * LINE_HEIGHT / 2 + 5
    drawn = []
    for number, transition in enumerate(labels):
        colour = "#9a4a00" if transition.direction is Direction.SENDS else "#0b6b3a"
        drawn.append(
            f'<text class="transition {transition.direction.value}"'
            f" data-state={quoteattr(transition.state.value)}"
            f" data-direction={quoteattr(transition.direction.value)}"
            f" data-kind={quoteattr(transition.kind.value)}"
            f" data-following={quoteattr(transition.following.value)}"
            f' x="{x:.1f}" y="{top + number * LINE_HEIGHT:.1f}" text-anchor="{anchor}" fill="{colour}">'
            f"{transition.direction.value} {escape(transition.kind.value)}</text>"
        )
    return drawn


def _border(of: Place, towards: Place) -> tuple[float, float]:
    """Return where the straight line between the middles of two boxes leaves the box ``of``."""
    across, down = towards.x - of.x, towards.y - of.y
    share = min(
        BOX_WIDTH / 2 / abs(across) if across else math.inf,
        BOX_HEIGHT / 2 / abs(down) if down else math.inf,
    )
    return of.x + across * share, of.y + down * share
