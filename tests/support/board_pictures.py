"""One asymmetric position, its drawings in the documentation, and the contents of its pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import trio
from attrs import frozen

from quoridor_net.moves import Move, Orientation
from quoridor_net.notation.standard import parse_move
from quoridor_net.players import Clock, Player
from quoridor_net.rules import Position
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.rules.svg import GAP, MARGIN, SQUARE

PAGE = Path(__file__).parents[2] / "docs/reference/notations.md"

MOVES = tuple(map(parse_move, ("c3h", "e8", "f6v", "d8", "e2")))
LINE = "c3 / f6 / e2 d8 / 8 10 / 2"

#: The arrows of two players, by their first row.
_TOP, _BOTTOM = "▼", "▲"


@frozen
class Seen:
    """The contents of a picture; places count from the top left.

    Attributes:
        columns: names from left to right.
        rows: names from top to bottom.
        pawns: column and row by player.
        walls: column and row of the square at the top left of a wall's middle, and its orientation.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    pawns: Mapping[int, tuple[int, int]]
    walls: frozenset[tuple[int, int, str]]

    def turned(self) -> Seen:
        """Return the picture rotated by 180 degrees."""
        last = len(self.columns) - 1
        return Seen(
            self.columns[::-1],
            self.rows[::-1],
            {player: (last - column, last - row) for player, (column, row) in self.pawns.items()},
            frozenset((last - 1 - column, last - 1 - row, kind) for column, row, kind in self.walls),
        )


class Reader(Player[Position, Move]):
    """A player that makes the moves that lead to the position, then thinks for ever."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def choose(self, position: Position, clock: Clock) -> Move:
        if position.ply == len(MOVES):
            await trio.sleep_forever()
        return MOVES[position.ply]


def position() -> Position:
    found = Position()
    for move in MOVES:
        found.push(move)
    assert found.to_line() == LINE
    return found


def documented(picture: BoardPicture) -> list[str]:
    """Return the lines of the drawing in the documentation."""
    drawings = re.findall(r"```text\n(.*?)\n```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    order = (BoardPicture.LAN, BoardPicture.STANDARD, BoardPicture.ATHENS)
    assert len(drawings) == len(order)
    drawing: str = drawings[order.index(picture)]
    return drawing.split("\n")


def expected(picture: BoardPicture) -> Seen:
    """Return the contents of the drawing in the documentation."""
    lines = documented(picture)
    named = [line.split() for line in lines if "│" not in line and "─" not in line]
    inside = [line.partition("│") for line in lines if "│" in line]
    rows = [content.rstrip("│") for _, _, content in inside]
    first, second = (_BOTTOM, _TOP) if picture is BoardPicture.STANDARD else (_TOP, _BOTTOM)
    pawns: dict[int, tuple[int, int]] = {}
    walls: set[tuple[int, int, str]] = set()
    for number, text in enumerate(rows):
        for column in range(9):
            # A square takes three characters, and a gap one.
            centre, gap = text[4 * column + 1], text[4 * column + 3 : 4 * column + 4]
            if number % 2 == 0 and centre in {first, second}:
                pawns[1 if centre == first else 2] = (column, number // 2)
            elif number % 2 == 1 and gap == "━":
                walls.add((column, number // 2, str(Orientation.HORIZONTAL)))
            elif number % 2 == 1 and gap == "┃":
                walls.add((column, number // 2, str(Orientation.VERTICAL)))
    names = tuple(margin.strip() for margin, _, _ in inside[::2])
    return Seen(tuple(named[0]), names, pawns, frozenset(walls))


def seen_in_svg(text: str) -> Seen:
    """Return the contents of a drawing by :func:`quoridor_net.rules.svg.board_svg`."""
    image = ET.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    places = [
        (float(found.attrib["x"]), float(found.attrib["y"]), found.text or "")
        for found in image.iter(f"{space}text")
    ]
    pawns = [
        tuple(map(float, re.findall(r"translate\((\d+) (\d+)\)", path.attrib["transform"])[0]))
        for path in image.iter(f"{space}path")
        if "transform" in path.attrib
    ]
    rectangles = [
        tuple(float(found.attrib.get(name, 0)) for name in ("x", "y", "width", "height"))
        for found in image.iter(f"{space}rect")
    ]
    numbers = [(x, y, name) for x, y, name in places if (x, y) in pawns]
    names = [place for place in places[:-1] if place not in numbers]
    walls = [box for box in rectangles if sorted(box[2:]) == [GAP - 2, 2 * SQUARE + GAP]]
    return _seen(names, numbers, walls)


def seen_in(drawn: Mapping[str, Any]) -> Seen:
    """Return the contents of a page's board, as ``tests.support.board_page.read_board`` finds them."""
    return _seen(drawn["names"], drawn["pawns"], drawn["walls"])


def _seen(
    names: Sequence[Sequence[Any]], pawns: Sequence[Sequence[Any]], walls: Sequence[Sequence[float]]
) -> Seen:
    """Return the contents of these places, given in pixels."""
    pitch = SQUARE + GAP

    def place(x: float, y: float) -> tuple[int, int]:
        return round((x - MARGIN - SQUARE / 2) / pitch), round((y - MARGIN - SQUARE / 2) / pitch)

    at = [(*place(x, y), name) for x, y, name in names]
    columns = sorted((column, name) for column, row, name in at if row in {-1, 9})
    rows = sorted((row, name) for column, row, name in at if column in {-1, 9})
    assert all(column == -1 for column, row, _ in at if 0 <= row < 9), "rows are named at the left"
    found = set()
    for x, y, width, height in walls:
        column, row = place(x + width / 2 - pitch / 2, y + height / 2 - pitch / 2)
        found.add((column, row, "h" if width > height else "v"))
    return Seen(
        tuple(name for _, name in columns),
        tuple(name for _, name in rows),
        {int(number): place(x, y) for x, y, number in pawns},
        frozenset(found),
    )
