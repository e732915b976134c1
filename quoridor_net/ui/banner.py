"""The outcome of a game in large letters, readable from the back of a room."""

from __future__ import annotations

from quoridor_net.outcome import Result
from quoridor_net.rules.diagram import Line, Look, Span

#: Lines and columns of a letter, and columns from one letter to the next.
HEIGHT, WIDTH, PITCH = 5, 5, 6

#: Maximum share of a window's lines for an enlarged banner.
SHARE = 0.5

_FONT = {
    "A": " ### |#   #|#####|#   #|#   #",
    "B": "#### |#   #|#### |#   #|#### ",
    "C": " ####|#    |#    |#    | ####",
    "D": "#### |#   #|#   #|#   #|#### ",
    "E": "#####|#    |#### |#    |#####",
    "F": "#####|#    |#### |#    |#    ",
    "G": " ####|#    |#  ##|#   #| ####",
    "H": "#   #|#   #|#####|#   #|#   #",
    "I": "#####|  #  |  #  |  #  |#####",
    "J": "#####|   # |   # |#  # | ##  ",
    "K": "#   #|#  # |###  |#  # |#   #",
    "L": "#    |#    |#    |#    |#####",
    "M": "#   #|## ##|# # #|#   #|#   #",
    "N": "#   #|##  #|# # #|#  ##|#   #",
    "O": " ### |#   #|#   #|#   #| ### ",
    "P": "#### |#   #|#### |#    |#    ",
    "Q": " ### |#   #|# # #|#  # | ## #",
    "R": "#### |#   #|#### |#  # |#   #",
    "S": " ####|#    | ### |    #|#### ",
    "T": "#####|  #  |  #  |  #  |  #  ",
    "U": "#   #|#   #|#   #|#   #| ### ",
    "V": "#   #|#   #|#   #| # # |  #  ",
    "W": "#   #|#   #|# # #|## ##|#   #",
    "X": "#   #| # # |  #  | # # |#   #",
    "Y": "#   #| # # |  #  |  #  |  #  ",
    "Z": "#####|   # |  #  | #   |#####",
    "0": " ### |#  ##|# # #|##  #| ### ",
    "1": "  #  | ##  |  #  |  #  |#####",
    "2": "#### |    #| ### |#    |#####",
    "3": "#### |    #| ### |    #|#### ",
    "4": "#  # |#  # |#####|   # |   # ",
    "5": "#####|#    |#### |    #|#### ",
    "6": " ### |#    |#### |#   #| ### ",
    "7": "#####|    #|   # |  #  |  #  ",
    "8": " ### |#   #| ### |#   #| ### ",
    "9": " ### |#   #| ####|    #| ### ",
    ":": "     |  #  |     |  #  |     ",
    "-": "     |     | ### |     |     ",
    "_": "     |     |     |     |#####",
    ".": "     |     |     |     |  #  ",
    " ": "     |     |     |     |     ",
}


def banner(result: Result, names: tuple[str, ...], width: int, height: int, is_ascii: bool) -> list[Line]:
    """Return the winner in large letters for a window of ``width`` columns and ``height`` lines.

    The banner shows the name if it fits, can be drawn and is unique, and otherwise the player number. It is
    empty if neither fits, or if the game is void.

    Args:
        result: the outcome.
        names: names in order of player number.
        width: columns.
        height: lines; a large window gets larger letters.
        is_ascii: use ``#`` instead of blocks.
    """
    if result.termination.is_void:
        return []
    for rows in _wordings(result, names):
        if not all(letter in _FONT for row in rows for letter in row):
            continue
        needed = max(len(row) for row in rows) * PITCH - (PITCH - WIDTH)
        lines = len(rows) * (HEIGHT + 1) - 1
        if needed <= width:
            scale = max(1, min(width // needed, int(SHARE * height) // lines))
            return _enlarge(rows, scale, "#" if is_ascii else "█")
    return []


def _wordings(result: Result, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the possible texts of the banner, row by row, best first."""
    if result.winner is None:
        return [("DRAWN",)]
    name, seat = names[result.winner - 1].upper(), f"PLAYER {result.winner}"
    by_seat = [(f"{seat} WINS",), (seat, "WINS")]
    if [other.upper() for other in names].count(name) > 1:
        return by_seat
    return [(f"{name} WINS",), (name, "WINS"), *by_seat]


def _enlarge(rows: tuple[str, ...], scale: int, block: str) -> list[Line]:
    lines: list[Line] = []
    for row in rows:
        if lines:
            lines += [()] * scale
        for number in range(HEIGHT):
            pixels = " ".join(_FONT[letter].split("|")[number] for letter in row).rstrip()
            spans = tuple(Span((block if pixel == "#" else " ") * scale, Look.STRONG) for pixel in pixels)
            lines += [spans] * scale
    return lines
