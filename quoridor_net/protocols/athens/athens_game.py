"""The state of an Athens engine: size, board, walls of both colours, history (section 3.1).

Unlike in the rules library, any colour may play at any time: "consecutive moves of the same color are not
considered illegal from the protocol point of view" (section 4.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from quoridor_net.protocols.athens.drawing import draw_board
from quoridor_net.rules import (
    STANDARD_SIZE,
    Illegality,
    IllegalMoveError,
    Jumps,
    Move,
    Ply,
    Position,
    Reason,
    Square,
    Termination,
    Wall,
    default_walls,
)

COLOURS = (1, 2)

#: Maximum length of a game, in moves. It bounds the history kept for ``undo``, because no rule ends a game.
MAX_PLIES = 10_000


class AthensGame:
    """A game for two in which the caller names the player of each move.

    Attributes:
        position: the current position, not to be changed. Its turn has no meaning.
        walls: number of walls of each player at the start. Positions count at most ``(size - 1) ** 2``, all
            that fit on the board.
        number: increases whenever the game is reset, so that callers notice.
    """

    def __init__(self, jumps: Jumps = Jumps.OFFICIAL) -> None:
        self.walls = default_walls(STANDARD_SIZE)
        self.number = 0
        # The moves made, each with its player and the square of that player's pawn before it. Tuples, because
        # controllers that search play and undo all the time.
        self._played: list[tuple[int, Move, Square | None]] = []
        # The position's own history goes back to the last move made out of turn.
        self.position = Position(STANDARD_SIZE, walls=self.walls, jumps=jumps)
        # The last drawing and its key.
        self._drawn: tuple[object, list[str]] = (None, [])

    @property
    def jumps(self) -> Jumps:
        """The jump rule."""
        return self.position.jumps

    @property
    def size(self) -> int:
        """Number of squares on a side."""
        return self.position.size

    @property
    def history(self) -> tuple[Ply, ...]:
        """The moves made, oldest first."""
        return tuple(Ply(player, move) for player, move, _ in self._played)

    @property
    def is_at_start(self) -> bool:
        """Whether no move was made."""
        return not self._played

    @property
    def is_full(self) -> bool:
        """Whether :data:`MAX_PLIES` moves were made, the maximum."""
        return len(self._played) >= MAX_PLIES

    def draw(self) -> list[str]:
        """Return the lines of a drawing of the board, cached because drawing is slow."""
        key = (self.number, len(self._played), self.position.key)
        if self._drawn[0] != key:
            self._drawn = (key, draw_board(self.position))
        return self._drawn[1]

    def resize(self, size: int) -> None:
        """Reset to an empty board of ``size`` with its default number of walls.

        Section 4.2 leaves the state after ``boardsize`` open; in this one a game can begin.
        """
        self.walls = default_walls(size)
        self._begin(size)

    def clear(self) -> None:
        """Reset to an empty board with the same size and number of walls."""
        self._begin(self.size)

    def set_walls(self, walls: int) -> None:
        """Set the number of walls that each player has at the start of this game.

        In the middle of a game, walls already placed are subtracted, down to 0.
        """
        self.walls = walls
        if not self._played:
            self._begin(self.size)
            return
        start = self._start(self.size).walls_left(1)
        placed = Counter(player for player, move, _ in self._played if isinstance(move, Wall))
        left = [max(start - placed[player], 0) for player in COLOURS]
        position = self.position
        self.position = self._set_up(_pawns_of(position), left, position.walls, position.turn or 1)
        self.number += 1

    def _start(self, size: int) -> Position:
        return Position(size, walls=min(self.walls, (size - 1) ** 2), jumps=self.jumps)

    def _set_up(
        self, pawns: Sequence[Square | None], left: Sequence[int], walls: Iterable[Wall], turn: int
    ) -> Position:
        return Position.setup(pawns, left, walls, turn, self.size, self.jumps)

    def _begin(self, size: int) -> None:
        self.position = self._start(size)
        self._played.clear()
        self.number += 1

    def position_for(self, player: int) -> Position | None:
        """Return the position with ``player`` on turn; None if it cannot move.

        Do not change the result, which may be the game's own position.
        """
        position = self.position
        if self.is_full or position.ending is Termination.GOAL:
            return None
        if position.turn == player:
            return position
        turned = self._set_up(_pawns_of(position), _count_walls_left(position), position.walls, player)
        return turned if turned.turn == player else None

    def play(self, player: int, move: Move) -> None:
        """Play ``move`` for ``player``.

        Raises:
            IllegalMoveError: the rules forbid it; nothing is changed.
        """
        position = self.position_for(player)
        if position is None:
            raise IllegalMoveError(move, Reason(Illegality.NO_LEGAL_MOVE, player=player))
        pawn = position.pawn(player)
        position.push(move)
        self.position = position
        self._played.append((player, move, pawn))

    def undo(self, plies: int) -> None:
        """Take back the last ``plies`` moves.

        Raises:
            IndexError: fewer were played; nothing is changed.
        """
        if plies > len(self._played):
            raise IndexError(f"{len(self._played)} moves were played, not {plies}")
        position = self.position
        if position.ply >= plies:
            for _ in range(plies):
                position.pop()
                self._played.pop()
            return
        pawns, left, walls = _pawns_of(position), _count_walls_left(position), set(position.walls)
        turn = 0
        for _ in range(plies):
            turn, move, pawn = self._played.pop()
            pawns[turn - 1] = pawn
            if isinstance(move, Wall):
                left[turn - 1] += 1
                walls.remove(move)
        self.position = self._set_up(pawns, left, walls, turn)


def _pawns_of(position: Position) -> list[Square | None]:
    return [position.pawn(player) for player in COLOURS]


def _count_walls_left(position: Position) -> list[int]:
    return [position.walls_left(player) for player in COLOURS]
