"""Tables of commands and the responses that the document requires.

Every row has a command, the required response, and the code to report for any other response. ``=`` stands
for any success and ``?`` for any failure, unless the required text follows.

The colours alternate and black begins, because some engines accept moves only in turn. If white begins,
:func:`mirror` turns the board.
"""

from __future__ import annotations

import re

from attrs import evolve, frozen


@frozen
class Row:
    """One command.

    Attributes:
        command: the command to send.
        is_success: whether it must succeed.
        text: the required text after the sign; None for any.
        code: code to report for any other response.
    """

    command: str
    is_success: bool
    text: str | None
    code: str


ARGUMENTS = """
boardsize                         ?                   QTP-123
boardsize nine                    ?                   QTP-123
playmove black                    ?                   QTP-123
playmove E8                       ?                   QTP-123
playmove black 55                 ?                   QTP-123
playwall black A5                 ?                   QTP-123
playwall black A5 diagonal        ?                   QTP-123
"""

CLEARING = """
playmove black E8                 =                   QTP-131
playmove white E2                 =                   QTP-131
playwall black E5 horizontal      =                   QTP-141
playmove white E3                 =                   QTP-131
clear_board                       =                   QTP-124
walls 10                          =                   QTP-125
playmove black F9                 =                   QTP-126
playmove white D1                 =                   QTP-126
playwall black E5 horizontal      =                   QTP-126
"""

STEPS = """
playmove black E8                 =                   QTP-131
playmove white E2                 =                   QTP-131
playmove black D8                 =                   QTP-131
playmove white E3                 =                   QTP-131
playmove black E8                 =                   QTP-131
playmove white D3                 =                   QTP-131
playmove black E7                 =                   QTP-131
playmove white E3                 =                   QTP-131
playmove black E6                 =                   QTP-131
playmove white E4                 =                   QTP-131
playmove black E7                 =                   QTP-131
"""

ILLEGAL_STEPS = """
playmove black E8                 =                   QTP-131
playmove white D2                 ? illegal move      QTP-132
playmove white E3                 ? illegal move      QTP-132
playmove white E1                 ? illegal move      QTP-132
playmove white J4                 ?                   QTP-132
playmove white D4                 ? illegal move      QTP-132
playmove white E2                 =                   QTP-151
playmove black F7                 ? illegal move      QTP-132
playmove black E8                 ? illegal move      QTP-132
playmove black D6                 ? illegal move      QTP-132
playmove black E7                 =                   QTP-151
"""

#: The pawns meet in column E: black on E5, white on E4.
_MEETING = """
playmove black E8                 =                   QTP-131
playmove white E2                 =                   QTP-131
playmove black E7                 =                   QTP-131
playmove white E3                 =                   QTP-131
playmove black E6                 =                   QTP-131
playmove white E4                 =                   QTP-131
playmove black E5                 =                   QTP-131
"""

JUMPS = (
    _MEETING
    + """
playmove white E6                 =                   QTP-131
playmove black E4                 =                   QTP-131
"""
)

SIDE_JUMPS = (
    _MEETING
    + """
playwall white E4 horizontal      =                   QTP-141
playmove black F4                 =                   QTP-131
clear_board                       =                   QTP-124
walls 10                          =                   QTP-125
"""
    + _MEETING
    + """
playwall white E4 horizontal      =                   QTP-141
playmove black D4                 =                   QTP-131
"""
)

ILLEGAL_JUMPS = (
    _MEETING
    + """
playwall white E4 horizontal      =                   QTP-141
playmove black E3                 ? illegal move      QTP-132
playmove black E4                 ? illegal move      QTP-132
"""
)

EDGE_JUMPS = """
playmove black E8                 =                   QTP-131
playmove white F1                 =                   QTP-131
playmove black E7                 =                   QTP-131
playmove white E1                 =                   QTP-131
playmove black E6                 =                   QTP-131
playmove white F1                 =                   QTP-131
playmove black E5                 =                   QTP-131
playmove white E1                 =                   QTP-131
playmove black E4                 =                   QTP-131
playmove white F1                 =                   QTP-131
playmove black E3                 =                   QTP-131
playmove white E1                 =                   QTP-131
playmove black E2                 =                   QTP-131
playwall white A9 horizontal      =                   QTP-141
playmove black D1                 =                   QTP-131
"""

SPELLINGS = """
playmove B e8                     =                   QTP-136
playmove WHITE e2                 =                   QTP-136
playmove Black E7                 =                   QTP-136
playmove w E3                     =                   QTP-136
playwall b a8 H                   =                   QTP-136
playwall White c8 Vertical        =                   QTP-136
playwall B g8 v                   =                   QTP-136
playwall W E8 HORIZONTAL          =                   QTP-136
"""

WALLS = """
playwall black C5 horizontal      =                   QTP-141
playwall white E5 horizontal      =                   QTP-141
playwall black D5 vertical        =                   QTP-141
playwall white H9 vertical        =                   QTP-141
playwall black A2 horizontal      =                   QTP-141
playwall white H2 vertical        =                   QTP-141
"""

ILLEGAL_WALLS = """
playwall black C5 horizontal      =                   QTP-141
playwall white C5 horizontal      ? illegal move      QTP-142
playwall white B5 horizontal      ? illegal move      QTP-142
playwall white D5 horizontal      ? illegal move      QTP-142
playwall white C5 vertical        ? illegal move      QTP-142
playwall white F5 vertical        =                   QTP-141
playwall black F6 vertical        ? illegal move      QTP-142
playwall black F4 vertical        ? illegal move      QTP-142
playwall black F5 horizontal      ? illegal move      QTP-142
playwall black I5 horizontal      ?                   QTP-142
playwall black A1 vertical        ?                   QTP-142
"""

#: Each player would shut in the other, then itself, and then both are cut off at once.
PATHS = """
playwall black D2 vertical        =                   QTP-141
playwall white E2 vertical        =                   QTP-141
playwall black E3 horizontal      ? illegal move      QTP-142
playwall black D9 vertical        =                   QTP-141
playwall white E3 horizontal      ? illegal move      QTP-142
playwall white E9 vertical        =                   QTP-141
playwall black E8 horizontal      ? illegal move      QTP-142
playmove black E8                 =                   QTP-151
playwall white E8 horizontal      ? illegal move      QTP-142
clear_board                       =                   QTP-124
walls 10                          =                   QTP-125
playwall black A5 horizontal      =                   QTP-141
playwall white C5 horizontal      =                   QTP-141
playwall black E5 horizontal      =                   QTP-141
playwall white G5 horizontal      =                   QTP-141
playwall black H6 horizontal      =                   QTP-141
playwall white H5 vertical        ? illegal move      QTP-142
"""

#: White's only way out leads through black's square in the end.
OBSTACLES = """
playmove black E8                 =                   QTP-131
playwall white D2 vertical        =                   QTP-141
playmove black E7                 =                   QTP-131
playwall white E2 vertical        =                   QTP-141
playmove black E6                 =                   QTP-131
playwall white A9 horizontal      =                   QTP-141
playmove black E5                 =                   QTP-131
playwall white C9 horizontal      =                   QTP-141
playmove black E4                 =                   QTP-131
playwall white G9 horizontal      =                   QTP-141
playmove black E3                 =                   QTP-131
playmove white E2                 =                   QTP-131
playwall black A6 horizontal      =                   QTP-141
"""

COUNTING = """
playwall black A5 horizontal      =                   QTP-141
playwall white A3 horizontal      =                   QTP-141
playwall black C5 horizontal      =                   QTP-141
playwall white C3 horizontal      =                   QTP-141
playwall black E5 horizontal      ? illegal move      QTP-148
playmove black E8                 =                   QTP-131
playwall white E3 horizontal      ? illegal move      QTP-148
"""

UNDO = """
playmove black E8                 =                   QTP-131
undo                              =                   QTP-171
playmove black D9                 =                   QTP-172
playmove white D1                 =                   QTP-131
undo 2                            =                   QTP-171
playmove black E8                 =                   QTP-172
playmove white E2                 =                   QTP-172
playwall black E5 horizontal      =                   QTP-141
playmove white E3                 =                   QTP-131
undo 2                            =                   QTP-171
playwall black E5 horizontal      =                   QTP-172
"""

#: Each player has one wall.
UNDONE_WALLS = """
playwall black A5 horizontal      =                   QTP-141
playwall white C5 horizontal      =                   QTP-141
undo 2                            =                   QTP-171
playwall black E5 horizontal      =                   QTP-172
playwall white G5 horizontal      =                   QTP-172
"""

CANNOT_UNDO = """
undo                              ? cannot undo       QTP-173
playmove black E8                 =                   QTP-131
playmove white E2                 =                   QTP-131
undo 3                            ? cannot undo       QTP-173
playmove black E7                 =                   QTP-173
"""

_RACE = """
playmove black F9                 =                   QTP-131
playmove white D1                 =                   QTP-131
playmove black F8                 =                   QTP-131
playmove white D2                 =                   QTP-131
playmove black F7                 =                   QTP-131
playmove white D3                 =                   QTP-131
playmove black F6                 =                   QTP-131
playmove white D4                 =                   QTP-131
playmove black F5                 =                   QTP-131
playmove white D5                 =                   QTP-131
playmove black F4                 =                   QTP-131
playmove white D6                 =                   QTP-131
playmove black F3                 =                   QTP-131
playmove white D7                 =                   QTP-131
playmove black F2                 =                   QTP-131
playmove white D8                 =                   QTP-131
winner                            = false             QTP-181
"""

BLACK_WINS = (
    _RACE
    + """
playmove black F1                 =                   QTP-131
winner                            = true black        QTP-182
"""
)

WHITE_WINS = (
    _RACE
    + """
playmove black G2                 =                   QTP-131
playmove white D9                 =                   QTP-131
winner                            = true white        QTP-182
"""
)

#: The code to report if the engine sends a different error message from the required one.
OTHER_MESSAGE = {
    "illegal move": "QTP-133",
    "unacceptable size": "QTP-122",
    "cannot undo": "QTP-173",
    "unknown command": "QTP-116",
}

_ROW = re.compile(r"(\S+(?: \S+)*) {2,}([=?]) ?([a-z]+(?: [a-z]+)*)? +(QTP-\d+)")


def rows_of(script: str) -> list[Row]:
    """Return the rows of a table."""
    rows = []
    for line in script.splitlines():
        if line:
            match = _ROW.fullmatch(line)
            assert match is not None, line
            rows.append(Row(match[1], match[2] == "=", match[3], match[4]))
    return rows


_OTHER = {"black": "white", "white": "black", "b": "w", "w": "b"}
_COLOUR = re.compile(r"\b(black|white|b|w)\b", re.IGNORECASE)
_VERTEX = re.compile(r"\b([a-j])([1-9])\b", re.IGNORECASE)


def mirror(row: Row) -> Row:
    """Return the same row with the colours exchanged and the board turned upside down."""
    return evolve(
        row, command=mirror_command(row.command), text=row.text and _COLOUR.sub(_exchange, row.text)
    )


def mirror_command(command: str) -> str:
    """Return ``command`` with the colours exchanged and the board turned upside down."""
    # A wall is named by a square above its middle, which has eight rows instead of nine.
    rows = 11 if command.startswith("playwall") else 10
    turned = _VERTEX.sub(lambda match: f"{match[1]}{rows - int(match[2])}", command)
    return _COLOUR.sub(_exchange, turned)


def _exchange(match: re.Match[str]) -> str:
    """Return the other colour in the same spelling."""
    word = match[0]
    other = _OTHER[word.lower()]
    return other.upper() if word.isupper() else other.capitalize() if word[0].isupper() else other
