"""Tables of commands and the responses that the document requires.

Every row has a command, the required response, and the code to report for any other response. ``=`` stands
for any success and ``?`` for any failure, unless the required text follows.
"""

from __future__ import annotations

import re

from attrs import frozen


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


#: The first rows of most scripts.
NEW_GAME = """
boardsize 9                       =                   QTP-121
clear_board                       =                   QTP-124
walls 10                          =                   QTP-125
"""

SETUP = (
    NEW_GAME
    + """
boardsize 1000                    ? unacceptable size QTP-122
boardsize                         ?                   QTP-123
boardsize nine                    ?                   QTP-123
boardsize 9                       =                   QTP-121
clear_board                       =                   QTP-124
showboard                         =                   QTP-191
"""
)

STEPS = (
    NEW_GAME
    + """
playmove white E2                 =                   QTP-137
playmove black E8                 =                   QTP-137
playmove white E3                 =                   QTP-131
playmove white D3                 =                   QTP-135
playmove white D6                 ? illegal move      QTP-132
playmove white D4                 =                   QTP-151
playmove white E4                 =                   QTP-131
playmove white G4                 ? illegal move      QTP-132
playmove white J4                 ? illegal move      QTP-132
playmove white E4                 ? illegal move      QTP-132
playmove white                    ?                   QTP-123
playmove E5                       ?                   QTP-123
playmove white 55                 ?                   QTP-123
playmove black E7                 =                   QTP-131
playmove black E6                 =                   QTP-131
playmove black E5                 =                   QTP-131
playmove black E4                 ? illegal move      QTP-132
playmove black E3                 =                   QTP-131
playmove white E3                 ? illegal move      QTP-132
clear_board                       =                   QTP-124
playmove white D1                 =                   QTP-126
playmove black F9                 =                   QTP-126
"""
)

JUMPS = (
    NEW_GAME
    + """
playmove white E2                 =                   QTP-131
playmove white E3                 =                   QTP-131
playmove black E8                 =                   QTP-131
playmove black E7                 =                   QTP-131
playmove black E6                 =                   QTP-131
playmove black E5                 =                   QTP-131
playmove black E4                 =                   QTP-131
playwall white E3 horizontal      =                   QTP-141
playmove black E2                 ? illegal move      QTP-132
playmove black F3                 =                   QTP-131
"""
)

SPELLINGS = (
    NEW_GAME
    + """
playmove WHITE e2                 =                   QTP-136
playmove w E3                     =                   QTP-136
playmove B e8                     =                   QTP-136
playmove Black E7                 =                   QTP-136
playwall b a8 H                   =                   QTP-136
playwall White c8 Vertical        =                   QTP-136
playwall W E8 HORIZONTAL          =                   QTP-136
playwall B g8 v                   =                   QTP-136
"""
)

WALLS = (
    NEW_GAME
    + """
playwall white C5 horizontal      =                   QTP-141
playwall black E5 horizontal      =                   QTP-141
playwall black D5 vertical        =                   QTP-141
playwall black C5 horizontal      ? illegal move      QTP-142
playwall black B5 horizontal      ? illegal move      QTP-142
playwall white C5 vertical        ? illegal move      QTP-142
playwall white D6 vertical        ? illegal move      QTP-142
playwall white I5 horizontal      ? illegal move      QTP-142
playwall white A1 vertical        ? illegal move      QTP-142
playwall white A5                 ?                   QTP-123
playwall white A5 diagonal        ?                   QTP-123
playwall white H9 vertical        =                   QTP-141
playwall white A2 horizontal      =                   QTP-141
clear_board                       =                   QTP-124
walls 10                          =                   QTP-125
playwall white D2 vertical        =                   QTP-141
playwall black E2 vertical        =                   QTP-141
playwall white E3 horizontal      ? illegal move      QTP-142
clear_board                       =                   QTP-124
walls 2                           =                   QTP-125
playwall white A5 horizontal      =                   QTP-141
playwall white C5 horizontal      =                   QTP-141
playwall white E5 horizontal      ? illegal move      QTP-148
playwall black E5 horizontal      =                   QTP-141
"""
)

UNDO = (
    NEW_GAME
    + """
playmove white E2                 =                   QTP-131
undo                              =                   QTP-171
playmove white D1                 =                   QTP-172
undo 1                            =                   QTP-171
playmove white E2                 =                   QTP-172
playwall white E2 horizontal      =                   QTP-141
playmove black E8                 =                   QTP-131
undo 4                            ? cannot undo       QTP-173
playmove black E7                 =                   QTP-173
undo 3                            =                   QTP-171
playmove white E3                 =                   QTP-172
playmove black D9                 =                   QTP-172
clear_board                       =                   QTP-124
walls 1                           =                   QTP-125
playwall white A5 horizontal      =                   QTP-141
undo                              =                   QTP-171
playwall white A5 horizontal      =                   QTP-172
clear_board                       =                   QTP-124
undo                              ? cannot undo       QTP-173
"""
)

WINNER = (
    NEW_GAME
    + """
playmove white D1                 =                   QTP-131
playmove white D2                 =                   QTP-131
playmove white D3                 =                   QTP-131
playmove white D4                 =                   QTP-131
playmove white D5                 =                   QTP-131
playmove white D6                 =                   QTP-131
playmove white D7                 =                   QTP-131
playmove white D8                 =                   QTP-131
winner                            = false             QTP-181
playmove white D9                 =                   QTP-131
winner                            = true white        QTP-182
undo                              =                   QTP-171
winner                            = false             QTP-181
clear_board                       =                   QTP-124
playmove black F9                 =                   QTP-131
playmove black F8                 =                   QTP-131
playmove black F7                 =                   QTP-131
playmove black F6                 =                   QTP-131
playmove black F5                 =                   QTP-131
playmove black F4                 =                   QTP-131
playmove black F3                 =                   QTP-131
playmove black F2                 =                   QTP-131
playmove black F1                 =                   QTP-131
winner                            = true black        QTP-182
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
