"""What the board of a page shows."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator

#: Places are in units of the drawing, in which squares are 50 apart, as in Python's drawings.
_READ = """board => {
    const number = (node, name) => Number(node.getAttribute(name));
    const names = [...board.querySelectorAll(".coordinates text")];
    const pawns = [...board.querySelectorAll(".pawn:not(.ghost, .out)")];
    const walls = [...board.querySelectorAll(".wall:not(.ghost) .wall-body")];
    return {
        names: names.map(text => [number(text, "x"), number(text, "y"), text.textContent]),
        pawns: pawns.map(pawn => {
            const place = new DOMMatrix(getComputedStyle(pawn).transform);
            return [place.e, place.f, pawn.textContent];
        }),
        walls: walls.map(wall => ["x", "y", "width", "height"].map(name => number(wall, name))),
    };
}"""


def read_board(board: Locator) -> dict[str, Any]:
    """Return the names of columns and rows, the pawns and the walls of a drawn board, with their places."""
    found: dict[str, Any] = board.evaluate(_READ)
    return found


def first_names(board: Locator) -> tuple[str, str]:
    """Return the names of the column at the left and of the row at the top."""
    names = read_board(board)["names"]
    columns = [(x, name) for x, _, name in names if name.isalpha()]
    rows = [(y, name) for _, y, name in names if not name.isalpha()]
    return min(columns)[1], min(rows)[1]
