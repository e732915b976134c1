"""The outcome of a game in letters that are read from the back of a room."""

from __future__ import annotations

from quoridor_net.outcome import Result
from quoridor_net.rules.diagram import Line, Look, Span

#: Lines and columns of a letter, and columns from one letter to the next.
HEIGHT, WIDTH, PITCH = 5, 5, 6

#: Most of a window's lines that a banner takes when there is room to enlarge it.
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
    """Return who won, in large letters, for a window of ``width`` columns and ``height`` lines.

    The name is used if it fits, can be drawn and is nobody else's, otherwise the number of the player.
    Windows in which neither fits, and games that do not count, get nothing.

    Args:
        result: the outcome.
        names: by player number, from player 1.
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
            return _enlarged(rows, scale, "#" if is_ascii else "█")
    return []


def _wordings(result: Result, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return what the banner may say, row by row, best first."""
    if result.winner is None:
        return [("DRAWN",)]
    name, seat = names[result.winner - 1].upper(), f"PLAYER {result.winner}"
    by_seat = [(f"{seat} WINS",), (seat, "WINS")]
    if [other.upper() for other in names].count(name) > 1:
        return by_seat
    return [(f"{name} WINS",), (name, "WINS"), *by_seat]


def _enlarged(rows: tuple[str, ...], scale: int, block: str) -> list[Line]:
    lines: list[Line] = []
    for row in rows:
        if lines:
            lines += [()] * scale
        for number in range(HEIGHT):
            pixels = " ".join(_FONT[letter].split("|")[number] for letter in row).rstrip()
            spans = tuple(Span((block if pixel == "#" else " ") * scale, Look.STRONG) for pixel in pixels)
            lines += [spans] * scale
    return lines
