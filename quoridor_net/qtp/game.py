"""The state an Athens engine keeps: size, board, walls of either colour, history (section 3.1).

Unlike a game of the rules library, any colour may play at any time: "consecutive moves of the same color are
not considered illegal from the protocol point of view" (section 4.3).
"""

from __future__ import annotations

from quoridor_net.rules import (
    STANDARD_SIZE,
    Illegality,
    IllegalMove,
    Jumps,
    Move,
    Objection,
    Ply,
    Position,
    Square,
    Termination,
    Wall,
)

COLOURS = (1, 2)


def default_walls(size: int) -> int:
    """Return the walls of each player unless given: 7/4·size - 23/4 (the referee's README), at least 0."""
    return max(0, (7 * size - 23) // 4)


class QtpGame:
    """A game of two in which the caller says whose move each is.

    Args:
        jumps: the jump rule.

    Attributes:
        walls: walls each player began with. More than fit on the board make no difference; positions
            count at most ``(size - 1) ** 2``.
        number: grows whenever the game begins anew, so that others notice.
    """

    def __init__(self, jumps: Jumps = Jumps.OFFICIAL) -> None:
        self.walls = default_walls(STANDARD_SIZE)
        self.number = 0
        self._jumps = jumps
        self._history: list[Ply] = []
        self._position = Position(STANDARD_SIZE, walls=self.walls, jumps=jumps)
        # For each ply: the position it replaced, or None when it was pushed on the one before it.
        self._replaced: list[Position | None] = []

    @property
    def size(self) -> int:
        """Squares on a side."""
        return self._position.size

    @property
    def history(self) -> tuple[Ply, ...]:
        """What was played, oldest first."""
        return tuple(self._history)

    @property
    def position(self) -> Position:
        """The current position; whose turn it is in it means nothing. Not to be changed."""
        return self._position

    @property
    def winner(self) -> int | None:
        """The player that reached its goal line."""
        return self._position.winner

    def resize(self, size: int) -> None:
        """Take a board of ``size``, cleared, with the default number of walls for it.

        Section 4.2 leaves what follows ``boardsize`` open; this is the state in which a game can begin.

        Raises:
            ValueError: the size is not 3 to 25.
        """
        position = Position(size, jumps=self._jumps)
        self.walls = default_walls(position.size)
        self._begin(size)

    def clear(self) -> None:
        """Begin anew with the same size and number of walls."""
        self._begin(self.size)

    def set_walls(self, walls: int) -> None:
        """Give each player ``walls`` walls at the beginning of this game.

        In the middle of a game the walls already placed count against the number; one that is too small for
        them counts as just enough.

        Raises:
            ValueError: the number is negative.
        """
        if walls < 0:
            raise ValueError(f"the number of walls cannot be negative: {walls}")
        self.walls = walls
        history = self.history
        self._begin(self.size)
        if not history:
            return
        placed = [
            sum(ply.player == player and isinstance(ply.move, Wall) for ply in history) for player in COLOURS
        ]
        start = self._position
        pawns = [start.pawn(player) for player in COLOURS]
        left = [max(start.walls_left(1), count) for count in placed]
        self._position = Position.setup(pawns, left, (), 1, start.size, self._jumps)
        for ply in history:
            assert ply.move is not None
            self.play(ply.player, ply.move)

    def _begin(self, size: int) -> None:
        walls = min(self.walls, (size - 1) ** 2)
        self._position = Position(size, walls=walls, jumps=self._jumps)
        self._history.clear()
        self._replaced.clear()
        self.number += 1

    def position_for(self, player: int) -> Position | None:
        """Return a position in which it is the turn of ``player``; None when it has no legal move.

        The position is the game's own where possible and not to be changed.
        """
        position = self._position
        if position.turn == player:
            return position
        if position.ending is Termination.GOAL:
            return None
        pawns: list[Square | None] = [position.pawn(colour) for colour in COLOURS]
        left = [position.walls_left(colour) for colour in COLOURS]
        turned = Position.setup(pawns, left, position.walls, player, position.size, self._jumps)
        return turned if turned.turn == player else None

    def play(self, player: int, move: Move) -> None:
        """Play ``move`` for ``player``.

        Raises:
            IllegalMove: the rules forbid it; nothing is changed.
        """
        position = self.position_for(player)
        if position is None:
            raise IllegalMove(move, Objection(Illegality.GAME_OVER, f"player {player} has no legal move"))
        position.push(move)
        if position is self._position:
            self._replaced.append(None)
        else:
            self._replaced.append(self._position)
            self._position = position
        self._history.append(Ply(player, move))

    def undo(self, plies: int) -> None:
        """Take back the last ``plies`` moves.

        Raises:
            IndexError: fewer were played; nothing is changed.
        """
        if plies > len(self._history):
            raise IndexError(f"{len(self._history)} moves were played, not {plies}")
        for _ in range(plies):
            self._history.pop()
            replaced = self._replaced.pop()
            if replaced is None:
                self._position.pop()
            else:
                self._position = replaced
