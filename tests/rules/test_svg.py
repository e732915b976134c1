"""The board as SVG: well-formed, everything on it once, readable without colours."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.rules.svg import GAP, MARGIN, SQUARE, board_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def draw_position(position: Position) -> ET.Element:
    return ET.fromstring(position._repr_svg_())


def texts(image: ET.Element) -> list[str]:
    return [text.text or "" for text in image.iter(f"{NAMESPACE}text")]


@pytest.mark.parametrize(("size", "players"), [(3, 2), (9, 2), (25, 4)])
def test_a_drawing_has_squares_coordinates_and_numbered_pawns(size: int, players: int) -> None:
    image = draw_position(Position(size, players))
    frame, *squares = image.iter(f"{NAMESPACE}rect")
    assert len(squares) == size * size
    assert frame.attrib["width"] == image.attrib["width"]
    # The same margin on both sides.
    columns = {int(square.attrib["x"]) for square in squares}
    assert int(image.attrib["width"]) - max(columns) - SQUARE == min(columns) == MARGIN
    pawns = list(image.iter(f"{NAMESPACE}path"))
    # Each pawn points another way.
    turned = {pawn.attrib["transform"].partition("rotate")[2] for pawn in pawns}
    assert len(turned) == len(pawns) == players
    *coordinates, caption = texts(image)
    assert len(coordinates) == 2 * size + players
    assert caption.startswith("player 1 to move; walls left 1: ")


def test_marks_and_refused_moves_are_drawn_in_their_places() -> None:
    wall = Wall(1, 2, Orientation.VERTICAL)
    refused: list[Move] = [Step(Square(2, 2)), wall]
    image = ET.fromstring(board_svg(Position(5), [Square(2, 1)], refused, BoardPicture.LAN))
    (mark,) = [ring for ring in image.iter(f"{NAMESPACE}circle") if ring.attrib["class"] == "marked"]
    middle = MARGIN + 2 * (SQUARE + GAP) + SQUARE // 2
    assert (mark.attrib["cx"], mark.attrib["cy"]) == (str(middle), str(middle - SQUARE - GAP))
    cross, line = [path.attrib["d"] for path in image.iter(f"{NAMESPACE}path") if "class" in path.attrib]
    assert cross.startswith(f"M{middle - 8},{middle - 8} ")
    # In the gap at the right of column 1, from row 2 on.
    assert re.match(rf"M{MARGIN + 2 * SQUARE + GAP + GAP // 2},{middle - SQUARE // 2 + 2} v\d+$", line)


def test_walls_lie_between_their_squares_and_the_last_one_is_marked() -> None:
    position = Position()
    position.push_text("[(3, 1), h]")
    position.push_text("[(0, 7), v]")
    *_, first, second = ET.fromstring(board_svg(position, picture=BoardPicture.LAN)).iter(f"{NAMESPACE}rect")
    places = [
        tuple(int(wall.attrib[key]) for key in ("x", "y", "width", "height")) for wall in (first, second)
    ]
    # Squares begin at 26 pixels, every 50; they are 40 wide.
    assert places == [(67, 376, 8, 90), (176, 117, 90, 8)]
    assert ["fill" in wall.attrib for wall in (first, second)] == [True, False]


def test_a_finished_game_says_so_and_lost_pawns_are_gone() -> None:
    position = Position(players=4)
    for player in (1, 4, 2):
        position.eliminate(player)
    image = draw_position(position)
    assert len(list(image.iter(f"{NAMESPACE}path"))) == 1
    assert texts(image)[-1] == "the game is over; walls left 3: 5"
