"""The state of one game: who stands where, whose turn it is, and what may be played.

The API follows python-chess: push and pop moves, ask for the legal ones, ask why one is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from quoridor_net.moves import (
    STANDARD_SIZE,
    STANDARD_WALLS,
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
from quoridor_net.notation.lan import rewrite
from quoridor_net.notation.position_line import Placement, format_placement, parse_placement
from quoridor_net.notation.standard import format_move
from quoridor_net.outcome import Termination
from quoridor_net.rules import objections
from quoridor_net.rules.board import Board, bits, board_of_size
from quoridor_net.rules.errors import Illegality, IllegalMoveError, Objection
from quoridor_net.rules.jumps import targets
from quoridor_net.rules.paths import distance, shortest_path
from quoridor_net.rules.routes import Routes
from quoridor_net.rules.walls import WallSet
from quoridor_net.text import UnparsableError

PositionKey = tuple[int, Jumps, tuple[int, ...], tuple[int, ...], int, int, int]


class _Undo(NamedTuple):
    """What a push or an elimination changed, so that pop can put it back.

    A tuple, because one is made for every node of a perft.
    """

    player: int
    move: Move | None
    turn: int
    walls: WallSet
    pawn: int
    left: int
    ending: Termination | None
    winner: int | None
    legal_walls: tuple[int, int] | None


class Position:
    """A Quoridor position with its history. Mutable; :meth:`copy` gives an independent one.

    Player numbers are those of the 2016 document: 1 top to bottom, 2 bottom to top, 3 left to right,
    4 right to left; play goes 1, 2 or, with four players, 1, 4, 2, 3.

    Args:
        size: squares on a side, 3 to 25.
        players: 2 or 4.
        walls: walls each player starts with; 10 with two players and 5 with four unless given.
        jumps: the jump rule.

    Raises:
        TypeError: an argument is of another kind, such as the name of a jump rule.
        ValueError: an argument is out of range.
    """

    def __init__(
        self,
        size: int = STANDARD_SIZE,
        players: int = 2,
        walls: int | None = None,
        jumps: Jumps = Jumps.OFFICIAL,
    ) -> None:
        require("the number of players", int, players)
        require("the jump rule", Jumps, jumps)
        if players not in TURN_ORDER:
            raise ValueError(f"a game has 2 or 4 players, not {players}")
        if walls is None:
            walls = STANDARD_WALLS[players]
        require("the number of walls", int, walls)
        if walls < 0:
            raise ValueError(f"the number of walls cannot be negative: {walls}")
        self._board: Board = board_of_size(size)
        self._order = TURN_ORDER[players]
        self._jumps = jumps
        self._walls = WallSet.empty(self._board)
        # Indexed by player number; -1 is the pawn of a player that is not in the game.
        self._pawns = [-1] * 5
        self._left = [0] * 5
        for player in self._order:
            self._pawns[player] = self._board.starts[player]
            self._left[player] = walls
        self._turn = 1
        self._ending: Termination | None = None
        self._winner: int | None = None
        self._stack: list[_Undo] = []
        self._routes = Routes(self._board)
        self._legal_walls: tuple[int, int] | None = None

    @classmethod
    def setup(
        cls,
        pawns: Sequence[Square | None],
        walls_left: Sequence[int],
        walls: Iterable[Wall] = (),
        turn: int = 1,
        size: int = STANDARD_SIZE,
        jumps: Jumps = Jumps.OFFICIAL,
    ) -> Position:
        """Return a position in the middle of a game.

        Args:
            pawns: by player number, from player 1; None for an eliminated player.
            walls_left: by player number.
            walls: the walls on the board.
            turn: number of the player to move, which is passed over if it has no legal move; 0 in a
                game that is over.
            size: squares on a side.
            jumps: the jump rule.

        Raises:
            TypeError: an argument is of another kind, such as the name of a square.
            ValueError: no game can have such a position; the message says why.
        """
        position = cls(size, len(pawns), 0, jumps)
        position._place_pawns(pawns)
        if len(walls_left) != len(pawns):
            raise ValueError(f"{len(pawns)} pawns but {len(walls_left)} numbers of walls left")
        for player, left in enumerate(walls_left, 1):
            require(f"what player {player} has left of walls", int, left)
            if left < 0:
                raise ValueError(f"player {player} cannot have {left} walls left")
            if left and position._pawns[player] < 0:
                raise ValueError(f"player {player} is eliminated and cannot have walls left")
            position._left[player] = left
        for wall in walls:
            position._place_wall(wall)
        if not position.alive:
            raise ValueError("at least one player must still be in the game")
        for player in position.alive:
            if position.distance(player) is None:
                raise ValueError(f"the walls leave player {player} without a path")
        require("the player to move", int, turn)
        if turn not in {0, *position.alive}:
            raise ValueError(f"it cannot be the turn of player {turn}")
        position._settle(turn or position.alive[0])
        if turn == 0 and position.turn is not None:
            raise ValueError("the game is not over, so somebody must be to move")
        return position

    def _place_pawns(self, pawns: Sequence[Square | None]) -> None:
        for player, pawn in enumerate(pawns, 1):
            if pawn is not None:
                require(f"the pawn of player {player}", Square, pawn)
        numbers = [-1 if pawn is None else self._board.number(pawn) for pawn in pawns]
        for pawn, number in zip(pawns, numbers, strict=True):
            if pawn is not None and number < 0:
                raise ValueError(f"{pawn} is not on a board of size {self.size}")
            if number >= 0 and numbers.count(number) > 1:
                raise ValueError(f"two pawns cannot both stand on {pawn}")
        self._pawns[1 : len(numbers) + 1] = numbers
        arrived = [player for player in self.alive if self._board.goals[player] >> self._pawns[player] & 1]
        if len(arrived) > 1:
            raise ValueError("only one player can have reached its goal")

    def _place_wall(self, wall: Wall) -> None:
        require("a wall", Wall, wall)
        objection = objections.to_wall(self._walls, wall)
        if objection is not None:
            raise ValueError(f"{wall}: {objection.sentence}")
        self._walls = self._walls.with_wall(self._board.anchor_number(wall), wall.orientation)

    def _settle(self, turn: int) -> None:
        """Decide whether the game is over and, if not, who moves when it would be ``turn``'s turn."""
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
        first = self._order.index(turn)
        for player in self._order[first:] + self._order[:first]:
            if self._pawns[player] >= 0 and self._has_move(player):
                self._turn = player
                return
        self._end(Termination.NO_MOVES, None)

    def _end(self, ending: Termination, winner: int | None) -> None:
        self._turn = 0
        self._ending = ending
        self._winner = winner

    def _has_move(self, player: int) -> bool:
        if targets(self._walls, self._pawns[player], self._occupied, self._jumps):
            return True
        return self._left[player] > 0 and any(self._wall_masks())

    @classmethod
    def from_line(cls, line: str, jumps: Jumps = Jumps.OFFICIAL) -> Position:
        """Return the position that a line describes (:mod:`quoridor_net.notation.position_line`).

        Raises:
            UnparsableError: the line is not of the form, or no game can have such a position.
        """
        placement = parse_placement(line)
        try:
            return cls.setup(*placement, jumps)
        except ValueError as error:
            raise UnparsableError(f"impossible position: {rewrite(str(error), format_move)}") from None

    def to_line(self) -> str:
        """Return the one-line form, without history and jump rule."""
        players = sorted(self._order)
        return format_placement(
            Placement(
                [self.pawn(player) for player in players],
                [self._left[player] for player in players],
                self.walls,
                self._turn,
                self.size,
            )
        )

    # What a position is.

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
    def alive(self) -> tuple[int, ...]:
        """Numbers of the players still in the game, in order of play."""
        return tuple(player for player in self._order if self._pawns[player] >= 0)

    @property
    def turn(self) -> int | None:
        """Number of the player to move; None when the game is over."""
        return self._turn or None

    @property
    def ending(self) -> Termination | None:
        """How the game ended; None while it goes on."""
        return self._ending

    @property
    def winner(self) -> int | None:
        """Number of the player that won; None while the game goes on and when it is drawn."""
        return self._winner

    @property
    def history(self) -> tuple[Ply, ...]:
        """What was pushed, oldest first; an elimination is a ply without a move."""
        return tuple(Ply(undo.player, undo.move) for undo in self._stack)

    @property
    def ply(self) -> int:
        """Number of entries of the history."""
        return len(self._stack)

    @property
    def walls(self) -> list[Wall]:
        """The walls on the board, ordered."""
        return self._walls.walls()

    @property
    def wall_set(self) -> WallSet:
        """The walls on the board as bit sets."""
        return self._walls

    def pawn(self, player: int) -> Square | None:
        """Return where the pawn of ``player`` stands; None once the player is eliminated.

        Raises:
            ValueError: no player has that number.
        """
        number = self._pawns[self._known(player)]
        return None if number < 0 else self._board.square_of[number]

    def walls_left(self, player: int) -> int:
        """Return how many walls ``player`` can still place.

        Raises:
            ValueError: no player has that number.
        """
        return self._left[self._known(player)]

    def distance(self, player: int) -> int | None:
        """Return how many steps ``player`` is from its goal line on an otherwise empty board.

        None once the player is eliminated.
        """
        number = self._pawns[self._known(player)]
        if number < 0:
            return None
        return distance(self._walls, number, self._board.goals[player])

    def shortest_path(self, player: int) -> list[Square]:
        """Return the squares of a shortest path of ``player``, from its own square to its goal line.

        Pawns do not block paths. The list is empty once the player is eliminated.
        """
        number = self._pawns[self._known(player)]
        if number < 0:
            return []
        path = shortest_path(self._walls, number, self._board.goals[player])
        assert path is not None, "every player in the game has a path"
        squares = (self._board.square_of[step] for step in path.numbers)
        return [square for square in squares if square is not None]

    @property
    def key(self) -> PositionKey:
        """Everything that decides how the game can go on, hashable; equal positions have equal keys."""
        return (
            self._board.size,
            self._jumps,
            tuple(self._pawns[player] for player in self._order),
            tuple(self._left[player] for player in self._order),
            self._walls.horizontal,
            self._walls.vertical,
            self._turn,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.key == other.key

    # A position changes; whoever needs it in a set or a dictionary uses its key.
    __hash__ = None  # type: ignore[assignment]

    def copy(self, jumps: Jumps | None = None) -> Position:
        """Return an independent position with the same history, under ``jumps`` if it is given."""
        twin = object.__new__(Position)
        twin._board = self._board
        twin._order = self._order
        twin._jumps = jumps or self._jumps
        twin._walls = self._walls
        twin._pawns = self._pawns.copy()
        twin._left = self._left.copy()
        twin._turn = self._turn
        twin._ending = self._ending
        twin._winner = self._winner
        twin._stack = self._stack.copy()
        twin._routes = self._routes.copy()
        twin._legal_walls = self._legal_walls
        return twin

    # What may be played.

    @property
    def legal_steps(self) -> list[Step]:
        """The legal moves of the pawn whose turn it is, ordered by row and column."""
        if not self._turn:
            return []
        found = targets(self._walls, self._pawns[self._turn], self._occupied, self._jumps)
        steps = (self._board.step_of[number] for number in bits(found))
        return [step for step in steps if step is not None]

    @property
    def legal_walls(self) -> list[Wall]:
        """The walls the player to move may place: horizontal ones first, by row and column."""
        if not self._turn or not self._left[self._turn]:
            return []
        horizontal, vertical = self._wall_masks()
        found = [self._board.horizontal_of[anchor] for anchor in bits(horizontal)]
        found += [self._board.vertical_of[anchor] for anchor in bits(vertical)]
        return [wall for wall in found if wall is not None]

    @property
    def legal_moves(self) -> list[Move]:
        """All legal moves: steps, then walls; none in a finished game. For one move ask :meth:`is_legal`."""
        return [*self.legal_steps, *self.legal_walls]

    def is_legal(self, move: Move) -> bool:
        """Return whether the player to move may play ``move``; :meth:`why_illegal` gives the reason.

        Raises:
            TypeError: it is not a move at all.
        """
        require_move(move)
        if not self._turn:
            return False
        if isinstance(move, Step):
            number = self._board.number(move.square)
            pawn = self._pawns[self._turn]
            return number >= 0 and targets(self._walls, pawn, self._occupied, self._jumps) >> number & 1 == 1
        anchor = self._board.anchor_number(move)
        if anchor < 0 or not self._left[self._turn]:
            return False
        is_vertical = move.orientation is Orientation.VERTICAL
        if not self._walls.fitting[is_vertical] >> anchor & 1:
            return False
        if not self._walls.cutting[is_vertical] >> anchor & 1:
            return True
        return self._cut_off(anchor, is_vertical) is None

    def why_illegal(self, move: Move) -> Objection | None:
        """Return why the player to move may not play ``move``; None when it may.

        Raises:
            TypeError: it is not a move at all.
        """
        if self.is_legal(move):
            return None
        if not self._turn:
            return Objection(Illegality.GAME_OVER, "the game is over")
        if isinstance(move, Step):
            return objections.to_step(self, move.square)
        objection = objections.to_wall(self._walls, move)
        if objection is not None and objection.kind is Illegality.OFF_BOARD:
            return objection
        if not self._left[self._turn]:
            return Objection(Illegality.NO_WALLS_LEFT, f"player {self._turn} has no walls left")
        if objection is not None:
            return objection
        is_vertical = move.orientation is Orientation.VERTICAL
        cut_off = self._cut_off(self._board.anchor_number(move), is_vertical)
        return Objection(
            Illegality.NO_PATH, f"the wall would leave player {cut_off} without a path to its goal"
        )

    # Playing.

    def push(self, move: Move, jumps: Jumps | None = None) -> None:
        """Play ``move`` for the player to move, and give the turn to the next that has a legal move.

        Args:
            move: what to play.
            jumps: the jump rule for this move alone; it can only allow more than the position's own.

        Raises:
            IllegalMoveError: the move is not legal; the position is unchanged.
            TypeError: it is not a move at all; likewise.
        """
        objection = self.why_illegal(move)
        if objection is not None:
            is_jump = objection.kind is Illegality.ONLY_CLASSROOM
            if not is_jump or jumps is not Jumps.CLASSROOM:
                raise IllegalMoveError(move, objection)
        self._play(move)

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
            self._walls = self._walls.with_wall(anchor, move.orientation)
            self._left[player] -= 1
        self._pass_on(self._after(player))

    def eliminate(self, player: int) -> None:
        """Take ``player`` out of the game: section "During Play", GOTE.

        Its pawn leaves the board and its remaining walls are lost; placed walls stay. The last player
        left has won.

        Raises:
            ValueError: that player is not in the game, or the game is over.
        """
        if self._pawns[self._known(player)] < 0:
            raise ValueError(f"player {player} is not in the game any more")
        if not self._turn:
            raise ValueError("the game is over")
        self._remember(player, None)
        self._legal_walls = None
        self._pawns[player] = -1
        self._left[player] = 0
        self._settle(self._after(player) if player == self._turn else self._turn)

    def give_turn(self, player: int) -> None:
        """Let ``player`` move next, as a referee does that keeps another order or goes on with a last player.

        If it was not that player's turn, the history begins anew: earlier plies cannot be undone.

        Raises:
            ValueError: that player is not in the game, or another one has won by reaching its goal.
        """
        if self._pawns[self._known(player)] < 0:
            raise ValueError(f"player {player} is not in the game any more")
        if self._turn == player:
            return
        if self._ending is Termination.GOAL and len(self.alive) > 1:
            raise ValueError("the game is over")
        self._turn = player
        self._ending = self._winner = None
        self._stack.clear()

    def pop(self) -> Ply:
        """Undo the last push or elimination and return it.

        Raises:
            IndexError: nothing was played.
        """
        if not self._stack:
            raise IndexError("no move to take back")
        undo = self._take_back()
        return Ply(undo.player, undo.move)

    def _take_back(self) -> _Undo:
        undo = self._stack.pop()
        player = undo.player
        self._turn = undo.turn
        self._walls = undo.walls
        self._pawns[player] = undo.pawn
        self._left[player] = undo.left
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
                self._left[player],
                self._ending,
                self._winner,
                self._legal_walls,
            )
        )

    def _after(self, player: int) -> int:
        index = self._order.index(player) + 1
        return self._order[index % len(self._order)]

    def _known(self, player: int) -> int:
        if player not in self._order:
            raise ValueError(f"there is no player {player} in a game of {self.players}")
        return player

    @property
    def _occupied(self) -> int:
        occupied = 0
        for player in self._order:
            number = self._pawns[player]
            if number >= 0:
                occupied |= 1 << number
        return occupied

    def _cut_off(self, anchor: int, is_vertical: bool) -> int | None:
        """Return the number of a player that a fitting wall would leave without a path."""
        return self._routes.cut_off(self._walls, self._pawns, self.alive, anchor, is_vertical)

    def _wall_masks(self) -> tuple[int, int]:
        """Return the anchors of the (horizontal, vertical) walls that fit and leave everybody a path."""
        if self._legal_walls is None:
            self._legal_walls = self._routes.legal_walls(self._walls, self._pawns, self.alive)
        return self._legal_walls

    # Counting.

    def perft(self, depth: int) -> int:
        """Return the number of move sequences of exactly ``depth`` plies.

        A game that is over has none. The last ply is counted without playing it.

        Raises:
            ValueError: the depth is negative.
        """
        if depth < 0:
            raise ValueError(f"the depth cannot be negative: {depth}")
        if depth == 0:
            return 1
        if not self._turn:
            return 0
        if depth == 1:
            pawn = self._pawns[self._turn]
            count = targets(self._walls, pawn, self._occupied, self._jumps).bit_count()
            if self._left[self._turn]:
                horizontal, vertical = self._wall_masks()
                count += horizontal.bit_count() + vertical.bit_count()
            return count
        count = 0
        for move in self.legal_moves:
            self._play(move)
            count += self.perft(depth - 1)
            self._take_back()
        return count

    def divide(self, depth: int) -> dict[Move, int]:
        """Return the perft count of ``depth`` split by the first move.

        Raises:
            ValueError: the depth is not positive.
        """
        if depth < 1:
            raise ValueError(f"the depth must be positive: {depth}")
        counts: dict[Move, int] = {}
        for move in self.legal_moves:
            self._play(move)
            counts[move] = self.perft(depth - 1)
            self._take_back()
        return counts

    def __repr__(self) -> str:
        whose = f"player {self._turn} to move" if self._turn else f"over: {self._ending}"
        return f"<Position {self.size}x{self.size}, ply {len(self._stack)}, {whose}>"
