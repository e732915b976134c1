"""The core of a position: pawns and walls, legal moves, and how to play and undo a move."""

from __future__ import annotations

from typing import NamedTuple

from quoridor_net.moves import (
    TURN_ORDER,
    Jumps,
    Move,
    Orientation,
    Ply,
    Square,
    Step,
    Wall,
    require,
    require_move,
)
from quoridor_net.outcome import Termination
from quoridor_net.rules.board import Board, bits
from quoridor_net.rules.jumps import targets
from quoridor_net.rules.routes import Routes
from quoridor_net.rules.walls import WallSet


class _Undo(NamedTuple):
    """The state before a push or an elimination, for pop to restore.

    A tuple, because perft creates one for every node.
    """

    player: int
    move: Move | None
    turn: int
    walls: WallSet
    pawn: int
    walls_left: int
    ending: Termination | None
    winner: int | None
    legal_walls: tuple[int, int] | None


class State:
    """Pawns, walls, the turn and the history of a game."""

    def __init__(self, board: Board, players: int, jumps: Jumps) -> None:
        self._board = board
        self._order = TURN_ORDER[players]
        # The next player in order of play, by player number.
        self._following = dict(zip(self._order, self._order[1:] + self._order[:1], strict=True))
        self._jumps = jumps
        self._walls = WallSet.empty(board)
        # Indexed by player number; -1 is the pawn of a player that is not in the game.
        self._pawns = [-1] * 5
        self._walls_left = [0] * 5
        self._turn = 1
        self._ending: Termination | None = None
        self._winner: int | None = None
        self._stack: list[_Undo] = []
        self._routes = Routes(board)
        self._legal_walls: tuple[int, int] | None = None

    @property
    def alive(self) -> tuple[int, ...]:
        """Numbers of the players still in the game, in order of play."""
        return tuple(player for player in self._order if self._pawns[player] >= 0)

    @property
    def size(self) -> int:
        """Squares on a side."""
        return self._board.size

    @property
    def players(self) -> int:
        """Number of players the game began with, 2 or 4."""
        return len(self._order)

    @property
    def order(self) -> tuple[int, ...]:
        """Player numbers in order of play."""
        return self._order

    @property
    def jumps(self) -> Jumps:
        """The jump rule."""
        return self._jumps

    @property
    def turn(self) -> int | None:
        """Number of the player to move; None when the game is over."""
        return self._turn or None

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return not self._turn

    @property
    def ending(self) -> Termination | None:
        """How the game ended; None while it is running."""
        return self._ending

    @property
    def winner(self) -> int | None:
        """Number of the winner; None in a running or drawn game."""
        return self._winner

    @property
    def history(self) -> tuple[Ply, ...]:
        """The plies played, oldest first; an elimination is a ply without a move."""
        return tuple(Ply(undo.player, undo.move) for undo in self._stack)

    @property
    def ply(self) -> int:
        """Number of entries of the history."""
        return len(self._stack)

    @property
    def walls(self) -> list[Wall]:
        """The walls on the board, ordered."""
        return self._walls.walls()

    def pawn(self, player: int) -> Square | None:
        """Return where the pawn of ``player`` stands; None once the player is eliminated.

        Raises:
            ValueError: no player has that number.
        """
        number = self._pawns[self._require_player(player)]
        return None if number < 0 else self._board.square_of[number]

    def walls_left(self, player: int) -> int:
        """Return the number of walls ``player`` can still place.

        Raises:
            ValueError: no player has that number.
        """
        return self._walls_left[self._require_player(player)]

    def _require_player(self, player: int) -> int:
        if player not in self._order:
            if not isinstance(player, int):
                raise TypeError(f"a player is a number, not {player!r}")
            raise ValueError(f"there is no player {player} in a game of {self.players}")
        return player

    # Legal moves.

    @property
    def legal_steps(self) -> list[Step]:
        """The legal moves of the pawn whose turn it is, ordered by row and column."""
        if not self._turn:
            return []
        found = targets(self._walls, self._pawns[self._turn], self._occupied, self._jumps)
        return [self._board.step_of[number] for number in bits(found)]

    @property
    def legal_walls(self) -> list[Wall]:
        """The walls the player to move may place: horizontal ones first, by row and column."""
        if not self._turn or not self._walls_left[self._turn]:
            return []
        horizontal, vertical = self._wall_masks()
        return self._board.walls_at(horizontal, vertical)

    @property
    def legal_moves(self) -> list[Move]:
        """All legal moves: steps, then walls; none when the game is over.

        To test one move, :meth:`is_legal` is faster.
        """
        return [*self.legal_steps, *self.legal_walls]

    def is_legal(self, move: Move) -> bool:
        """Return whether the player to move may play ``move``; :meth:`Position.why_illegal` gives the reason.

        Raises:
            TypeError: ``move`` is not a move.
        """
        require_move(move)
        if not self._turn:
            return False
        if isinstance(move, Step):
            number = self._board.number(move.square)
            pawn = self._pawns[self._turn]
            return number >= 0 and targets(self._walls, pawn, self._occupied, self._jumps) >> number & 1 == 1
        anchor = self._board.anchor_number(move)
        if anchor < 0 or not self._walls_left[self._turn]:
            return False
        is_vertical = move.orientation is Orientation.VERTICAL
        if not self._walls.fitting[is_vertical] >> anchor & 1:
            return False
        if not self._walls.cutting[is_vertical] >> anchor & 1:
            return True
        return self._cut_off(anchor, is_vertical) is None

    # Playing.

    def _play(self, move: Move) -> None:
        player = self._turn
        self._remember(player, move)
        self._legal_walls = None
        if isinstance(move, Step):
            self._pawns[player] = number = self._board.number(move.square)
            if self._board.goals[player] >> number & 1:
                self._end(Termination.GOAL, player)
                return
        else:
            anchor = self._board.anchor_number(move)
            self._walls = self._walls.with_wall(anchor, move.orientation is Orientation.VERTICAL)
            self._walls_left[player] -= 1
        self._pass_on(self._following[player])

    def _take_back(self) -> _Undo:
        undo = self._stack.pop()
        player = undo.player
        self._turn = undo.turn
        self._walls = undo.walls
        self._pawns[player] = undo.pawn
        self._walls_left[player] = undo.walls_left
        self._ending = undo.ending
        self._winner = undo.winner
        self._legal_walls = undo.legal_walls
        return undo

    def _remember(self, player: int, move: Move | None) -> None:
        self._stack.append(
            _Undo(
                player,
                move,
                self._turn,
                self._walls,
                self._pawns[player],
                self._walls_left[player],
                self._ending,
                self._winner,
                self._legal_walls,
            )
        )

    def _settle(self, turn: int) -> None:
        """Decide whether the game is over and, if not, who moves, beginning with player ``turn``."""
        alive = self.alive
        for player in alive:
            if self._board.goals[player] >> self._pawns[player] & 1:
                self._end(Termination.GOAL, player)
                return
        if len(alive) == 1:
            self._end(Termination.LAST_PLAYER, alive[0])
            return
        self._pass_on(turn)

    def _pass_on(self, turn: int) -> None:
        """Give the turn to the first player from ``turn`` on that has a legal move."""
        player = turn
        for _ in self._order:
            if self._pawns[player] >= 0 and self._has_move(player):
                self._turn = player
                return
            player = self._following[player]
        self._end(Termination.NO_MOVES, None)

    def _end(self, ending: Termination, winner: int | None) -> None:
        self._turn = 0
        self._ending = ending
        self._winner = winner

    def _has_move(self, player: int) -> bool:
        if targets(self._walls, self._pawns[player], self._occupied, self._jumps):
            return True
        return self._walls_left[player] > 0 and any(self._wall_masks())

    @property
    def _occupied(self) -> int:
        occupied = 0
        for player in self._order:
            number = self._pawns[player]
            if number >= 0:
                occupied |= 1 << number
        return occupied

    def _cut_off(self, anchor: int, is_vertical: bool) -> int | None:
        """Return the number of a player whom a fitting wall would leave without a path."""
        return self._routes.cut_off(self._walls, self._pawns, self.alive, anchor, is_vertical)

    def _wall_masks(self) -> tuple[int, int]:
        """Return the anchors of the (horizontal, vertical) walls that fit and leave every player a path."""
        if self._legal_walls is None:
            self._legal_walls = self._routes.legal_walls(self._walls, self._pawns, self.alive)
        return self._legal_walls

    # Counting.

    def perft(self, depth: int) -> int:
        """Return the number of move sequences of exactly ``depth`` plies.

        A game that is over has none. The last ply is counted without playing it.

        Raises:
            TypeError: the depth is not an integer.
            ValueError: it is negative.
        """
        require("the depth", int, depth)
        if depth < 0:
            raise ValueError(f"the depth cannot be negative: {depth}")
        return self._count(depth)

    def _count(self, depth: int) -> int:
        if depth == 0:
            return 1
        if not self._turn:
            return 0
        if depth == 1:
            pawn = self._pawns[self._turn]
            count = targets(self._walls, pawn, self._occupied, self._jumps).bit_count()
            if self._walls_left[self._turn]:
                horizontal, vertical = self._wall_masks()
                count += horizontal.bit_count() + vertical.bit_count()
            return count
        return sum(self.divide(depth).values())

    def divide(self, depth: int) -> dict[Move, int]:
        """Return the perft count of ``depth`` split by the first move.

        Raises:
            TypeError: the depth is not an integer.
            ValueError: it is not positive.
        """
        require("the depth", int, depth)
        if depth < 1:
            raise ValueError(f"the depth must be positive: {depth}")
        counts: dict[Move, int] = {}
        for move in self.legal_moves:
            self._play(move)
            counts[move] = self._count(depth - 1)
            self._take_back()
        return counts
