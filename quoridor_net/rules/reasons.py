"""Why a move is illegal, as data. :mod:`quoridor_net.rules.explanation` puts it into words."""

from __future__ import annotations

import enum

from attrs import frozen

from quoridor_net.moves import Square, Wall


class Illegality(enum.Enum):
    """The kinds of reason for which a well-formed move is illegal, and what a :class:`Reason` says then."""

    GAME_OVER = "game over"
    #: ``player`` has none, which only a game in which anybody may play at any time asks.
    NO_LEGAL_MOVE = "no legal move"
    #: The square or the wall that was tried, then the first and the last that the board has.
    OFF_BOARD = "off the board"
    #: ``player`` already stands on the square.
    SAME_SQUARE = "the pawn already stands there"
    #: ``player`` stands on the square.
    OCCUPIED = "the square is occupied"
    #: From the first square to the second.
    NOT_REACHABLE = "the pawn cannot get there in one move"
    #: From the first square to the second, and the wall between them.
    WALL_IN_THE_WAY = "a wall is in the way"
    #: From the first square to the second.
    ONLY_CLASSROOM = "allowed only by the classroom jump rule"
    #: ``player`` has placed all its walls.
    NO_WALLS_LEFT = "no walls left"
    #: The wall that was tried, and the one on the board.
    OVERLAP = "overlaps a wall"
    #: The wall that was tried, and the one on the board.
    CROSS = "crosses a wall"
    #: The wall that was tried, and the ``player`` that would be shut in.
    NO_PATH = "leaves a player without a path"
    #: The square, in a position that is set up.
    SHARED_SQUARE = "two pawns on one square"


@frozen
class Reason:
    """Why one move is illegal in one position.

    Attributes:
        kind: the kind of reason; it says what the other attributes mean.
        squares: the squares concerned.
        walls: the walls concerned.
        player: the player concerned; None where the kind names none.
    """

    kind: Illegality
    squares: tuple[Square, ...] = ()
    walls: tuple[Wall, ...] = ()
    player: int | None = None
