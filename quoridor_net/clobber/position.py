"""A Clobber position: stones, side to move, legal moves and history.

The API follows python-chess. Two facts keep it short: each pair of opposing neighbours is one move for either
side, so that both sides always have the same number of moves; and the game ends when no such pair is left.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import ClassVar, NamedTuple

from quoridor_net.clobber.errors import ClobberIllegality, ClobberReason, IllegalClobberMoveError
from quoridor_net.clobber.values import MAX_SIZE, STANDARD_SIZE, ClobberSquare, Colour, Move
from quoridor_net.moves import require
from quoridor_net.outcome import Termination
from quoridor_net.text import BLANKS, UnparsableError, quote

_STONES = {"x": Colour.BLACK, "o": Colour.WHITE, ".": None}
_TURNS = {"b": Colour.BLACK, "w": Colour.WHITE}


class _Board(NamedTuple):
    """Bit numbers of the squares of a board.

    The stride of a row is one more than the number of columns, so that a shift never carries a stone from the
    end of one row to the start of the next.
    """

    columns: int
    rows: int
    stride: int
    squares: tuple[ClobberSquare | None, ...]

    def bit(self, square: ClobberSquare) -> int:
        """Return the bit of ``square``; 0 if it is off the board."""
        if not (0 <= square.column < self.columns and 0 <= square.row < self.rows):
            return 0
        return 1 << square.row * self.stride + square.column


# Typed, because otherwise 2.0 would find the entry of 2.
@lru_cache(maxsize=64, typed=True)
def _board(columns: int, rows: int) -> _Board:
    for name, size in (("columns", columns), ("rows", rows)):
        require(f"the number of {name}", int, size)
        if not 1 <= size <= MAX_SIZE:
            raise ValueError(f"a board has 1 to {MAX_SIZE} {name}, not {size}")
    stride = columns + 1
    numbers = range(stride * rows)
    squares = (ClobberSquare(at % stride, at // stride) if at % stride < columns else None for at in numbers)
    return _Board(columns, rows, stride, tuple(squares))


class ClobberPosition:
    """A mutable Clobber position with its history.

    Create one with :meth:`start`, :meth:`setup` or :meth:`parse`.
    """

    __slots__ = ("_board", "_history", "_out", "_stones", "_turn")

    #: Names of the players in verdicts, by number from 1.
    seat_names: ClassVar[tuple[str, ...]] = ("black", "white")
    #: Number of players, and their order.
    players: ClassVar[int] = 2
    order: ClassVar[tuple[Colour, ...]] = (Colour.BLACK, Colour.WHITE)

    def __init__(self, board: _Board, stones: list[int], turn: Colour) -> None:
        self._board = board
        # Indexed by colour; index 0 is unused.
        self._stones = stones
        self._turn = turn
        self._history: list[Move] = []
        self._out: Colour | None = None

    @classmethod
    def start(cls, columns: int = STANDARD_SIZE, rows: int = STANDARD_SIZE) -> ClobberPosition:
        """Return the initial position of rule 2: a1 black, neighbours of different colours, black to move.

        Raises:
            TypeError: a number of columns or rows is not an integer.
            ValueError: a number of columns or rows is not from 1 to 26.
        """
        board = _board(columns, rows)
        stones = [0, 0, 0]
        for square in filter(None, board.squares):
            stones[1 + (square.column + square.row) % 2] |= board.bit(square)
        return cls(board, stones, Colour.BLACK)

    @classmethod
    def setup(
        cls, columns: int, rows: int, stones: dict[ClobberSquare, Colour], turn: Colour = Colour.BLACK
    ) -> ClobberPosition:
        """Return a position with the given stones and no history.

        Raises:
            TypeError: an argument has the wrong type, such as the name of a square.
            ValueError: a number of columns or rows is not from 1 to 26, or a stone is off the board.
        """
        require("the player to move", Colour, turn)
        board = _board(columns, rows)
        bits = [0, 0, 0]
        for square, colour in stones.items():
            require("the square of a stone", ClobberSquare, square)
            require("the colour of a stone", Colour, colour)
            bit = board.bit(square)
            if not bit:
                raise ValueError(f"{square!r} is not on a board of {columns}x{rows}")
            bits[colour] |= bit
        return cls(board, bits, turn)

    @classmethod
    def parse(cls, text: str) -> ClobberPosition:
        """Parse a position in the form of ``str``, such as ``oxo/xox b``.

        Rows start with the highest number, as on a drawn board. A square is x (black), o (white) or a dot
        (empty); b or w at the end is the side to move.

        Raises:
            UnparsableError: the text is not such a position.
        """
        drawing, _, turn = text.strip(BLANKS).partition(" ")
        turn, lines = turn.strip(BLANKS), drawing.split("/")[::-1]
        try:
            if turn not in _TURNS or any(len(line) != len(lines[0]) for line in lines):
                raise ValueError("expected rows of equal length and a turn: oxo/xox b")
            if not set(drawing) <= {*_STONES, "/"}:
                raise ValueError("squares are x (black), o (white) or . (empty)")
            stones = {
                ClobberSquare(column, row): colour
                for row, line in enumerate(lines)
                for column, letter in enumerate(line)
                if (colour := _STONES[letter]) is not None
            }
            return cls.setup(len(lines[0]), len(lines), stones, _TURNS[turn])
        except ValueError as error:
            raise UnparsableError(f"{quote(text)} is not a position: {error}") from None

    # State.

    @property
    def columns(self) -> int:
        """Number of columns."""
        return self._board.columns

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self._board.rows

    @property
    def turn(self) -> Colour | None:
        """The side to move; None when the game is over."""
        return None if self.is_over else self._turn

    @property
    def side(self) -> Colour:
        """The side to move, also when the game is over."""
        return self._turn

    @property
    def alive(self) -> tuple[Colour, ...]:
        """The players still in the game."""
        return tuple(colour for colour in self.order if colour is not self._out)

    @property
    def ply(self) -> int:
        """Number of moves in the history."""
        return len(self._history)

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves played, oldest first."""
        return tuple(self._history)

    @property
    def is_over(self) -> bool:
        """Whether the side to move has no legal move, or a player is out of the game."""
        return self._out is not None or not self.move_count()

    @property
    def winner(self) -> Colour | None:
        """The winner; None before the game is over. Rule 5: a player without a legal move loses."""
        return (self._out or self._turn).other if self.is_over else None

    @property
    def ending(self) -> Termination | None:
        """The end of the game: ``no_moves`` or, after :meth:`eliminate`, ``last_player``; None before it."""
        if not self.is_over:
            return None
        return Termination.NO_MOVES if self._out is None else Termination.LAST_PLAYER

    @property
    def key(self) -> tuple[int, int, int, int, Colour]:
        """A hashable key; equal positions have equal keys, whatever their histories."""
        return (self.columns, self.rows, self._stones[1], self._stones[2], self._turn)

    def stone(self, square: ClobberSquare) -> Colour | None:
        """Return the colour of the stone on ``square``; None if it is empty or off the board."""
        bit = self._board.bit(square)
        _, black, white = self._stones
        if black & bit:
            return Colour.BLACK
        return Colour.WHITE if white & bit else None

    def stones(self) -> dict[ClobberSquare, Colour]:
        """Return all stones, ordered by row and column."""
        _, black, white = self._stones
        return {
            square: Colour.BLACK if black >> number & 1 else Colour.WHITE
            for number, square in enumerate(self._board.squares)
            if square is not None and (black | white) >> number & 1
        }

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, ClobberPosition) else NotImplemented

    # A position is mutable: use its key in a set or a dictionary.
    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> ClobberPosition:
        """Return an independent position with the same history."""
        twin = ClobberPosition(self._board, self._stones.copy(), self._turn)
        twin._history = self._history.copy()
        twin._out = self._out
        return twin

    def __str__(self) -> str:
        letters = {colour: letter for letter, colour in _STONES.items()}
        lines = (
            "".join(letters[self.stone(ClobberSquare(column, row))] for column in range(self.columns))
            for row in reversed(range(self.rows))
        )
        return f"{'/'.join(lines)} {str(self._turn)[0]}"

    def __repr__(self) -> str:
        whose = f"over, {self.winner} has won" if self.is_over else f"{self._turn} to move"
        return f"<Position {self.columns}x{self.rows}, ply {self.ply}, {whose}>"

    # Legal moves.

    @property
    def legal_moves(self) -> list[Move]:
        """All legal moves, ordered by origin (row, then column); none when the game is over."""
        stride, squares = self._board.stride, self._board.squares
        own, their = self._sides()
        moves: list[Move] = []
        left = own & (their << 1 | their >> 1 | their << stride | their >> stride)
        while left and self._out is None:
            bit = left & -left
            left ^= bit
            number = bit.bit_length() - 1
            origin = squares[number]
            for step in (-stride, -1, 1, stride):
                if number + step >= 0 and their >> number + step & 1:
                    target = squares[number + step]
                    assert origin is not None and target is not None  # noqa: PT018
                    moves.append(Move(origin, target))
        return moves

    def move_count(self) -> int:
        """Return the number of legal moves."""
        return _pairs(*self._sides(), self._board.stride)

    def is_legal(self, move: Move) -> bool:
        """Return whether ``move`` is legal; :meth:`why_illegal` gives the reason."""
        own, their = self._sides()
        return self._out is None and bool(
            own & self._board.bit(move.origin)
            and their & self._board.bit(move.target)
            and _distance(move) == 1
        )

    def why_illegal(self, move: Move) -> ClobberReason | None:
        """Return the reason why ``move`` is illegal; None if it is legal."""
        if self.is_legal(move):
            return None
        kind, squares = self._illegality(move)
        return ClobberReason(kind, self._turn, squares)

    def _illegality(self, move: Move) -> tuple[ClobberIllegality, tuple[ClobberSquare, ...]]:
        if self.is_over:
            return ClobberIllegality.GAME_OVER, ()
        for square in (move.origin, move.target):
            if not self._board.bit(square):
                return ClobberIllegality.OFF_BOARD, (
                    square,
                    ClobberSquare(0, 0),
                    ClobberSquare(self.columns - 1, self.rows - 1),
                )
        stone = self.stone(move.origin)
        if stone is not self._turn:
            return ClobberIllegality.OPPOSING_ORIGIN if stone else ClobberIllegality.EMPTY_ORIGIN, (
                move.origin,
            )
        if _distance(move) != 1:
            return ClobberIllegality.NOT_NEIGHBOURS, (move.origin, move.target)
        return ClobberIllegality.OWN_TARGET if self.stone(move.target) else ClobberIllegality.EMPTY_TARGET, (
            move.target,
        )

    def _sides(self) -> tuple[int, int]:
        return self._stones[self._turn], self._stones[3 - self._turn]

    # Playing.

    def push(self, move: Move) -> None:
        """Play ``move`` for the player to move (rule 4).

        Raises:
            IllegalClobberMoveError: the move is illegal; the position is unchanged.
        """
        reason = self.why_illegal(move)
        if reason is not None:
            raise IllegalClobberMoveError(move, reason)
        self._swap(self._board.bit(move.origin), self._board.bit(move.target))
        self._turn = self._turn.other
        self._history.append(move)

    def pop(self) -> Move:
        """Undo the last move and return it; a player eliminated after it is back in the game.

        Raises:
            IndexError: there is no move to take back.
        """
        if not self._history:
            raise IndexError("no move to take back")
        move = self._history.pop()
        self._out = None
        self._turn = self._turn.other
        self._swap(self._board.bit(move.origin), self._board.bit(move.target))
        return move

    def eliminate(self, player: int) -> None:
        """Eliminate ``player``: the other player wins.

        Raises:
            ValueError: the number of the player is not 1 or 2, or a player is already out.
        """
        if self._out is not None:
            raise ValueError("the game is over")
        self._out = Colour(player)

    def _swap(self, origin: int, target: int) -> None:
        """Play or undo a move of the side to move: both flip the same bits."""
        self._stones[self._turn] ^= origin | target
        self._stones[3 - self._turn] ^= target

    # Counting.

    def perft(self, depth: int) -> int:
        """Return the number of move sequences of exactly ``depth`` plies.

        A finished game has none. The last two plies are counted without playing them.

        Raises:
            ValueError: the depth is negative.
        """
        if depth < 0:
            raise ValueError(f"the depth cannot be negative: {depth}")
        return _perft(*self._sides(), self._board.stride, depth)


def _distance(move: Move) -> int:
    return abs(move.origin.column - move.target.column) + abs(move.origin.row - move.target.row)


def _pairs(own: int, their: int, stride: int) -> int:
    """Return the number of pairs of opposing neighbours, which is the number of moves of either side."""
    sides = (their << 1, their >> 1, their << stride, their >> stride)
    return sum((own & side).bit_count() for side in sides)


def _perft(own: int, their: int, stride: int, depth: int) -> int:
    if depth < 2:
        return _pairs(own, their, stride) if depth else 1
    if depth == 2:
        return _perft_of_two(own, their, stride)
    count = 0
    for step in (1, stride):
        for forward in (True, False):
            origins = own & (their >> step if forward else their << step)
            while origins:
                origin = origins & -origins
                origins ^= origin
                target = origin << step if forward else origin >> step
                count += _perft(their ^ target, own ^ origin ^ target, stride, depth - 1)
    return count


def _perft_of_two(own: int, their: int, stride: int) -> int:
    """Return the perft count of two plies, by sums over stones instead of moves.

    Let e be the number of moves, a(s) the number of opposing neighbours of a stone s, and o(t) the number of
    neighbours of an opposing stone t in its own colour. The move from s to t removes the pairs of s and of t,
    which share one pair, and adds o(t) pairs: e + 1 - a(s) - a(t) + o(t) moves are left. Summed over all
    moves, this is e(e + 1), minus the squares of a over all stones, plus a(t) o(t) over the opposing stones.
    """
    moves = _pairs(own, their, stride)
    next_to_own = (own << 1, own >> 1, own << stride, own >> stride)
    next_to_their = (their << 1, their >> 1, their << stride, their >> stride)
    count = moves * (moves - 1)
    for stones, sides in ((own, next_to_their), (their, next_to_own)):
        count -= 2 * sum((stones & one & other).bit_count() for one, other in combinations(sides, 2))
    return count + sum((their & one & other).bit_count() for one in next_to_own for other in next_to_their)
