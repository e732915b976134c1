"""Positions: the state of one game, its legal moves and its history.

The API follows python-chess: push and pop moves, list the legal ones, explain why a move is illegal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from quoridor_net.moves import (
    STANDARD_SIZE,
    TURN_ORDER,
    Jumps,
    JumpsLike,
    Move,
    Orientation,
    Ply,
    Square,
    Step,
    Wall,
    as_jumps,
    default_walls,
    require,
)
from quoridor_net.notation.position_line import PlacementPhrase, format_line, parse_placement
from quoridor_net.notation.reading import LetterNotation, parse_move
from quoridor_net.notation.standard import STANDARD
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules.board import board_of_size
from quoridor_net.rules.diagram import draw, plain
from quoridor_net.rules.legality import (
    count_walls,
    place_pawns,
    place_walls,
    why_no_step,
    why_wall_does_not_fit,
)
from quoridor_net.rules.paths import distance, shortest_path
from quoridor_net.rules.reasons import Illegality, IllegalMoveError, IllegalPositionError, Reason
from quoridor_net.rules.state import State
from quoridor_net.rules.svg import board_svg
from quoridor_net.text import UnparsableError
from quoridor_net.verdicts import VerdictPhrase

PositionKey = tuple[int, Jumps, tuple[int, ...], tuple[int, ...], int, int, int]


class Position(State):
    """A Quoridor position with its history. Mutable; :meth:`copy` gives an independent one.

    Player numbers are those of the 2016 document: 1 top to bottom, 2 bottom to top, 3 left to right,
    4 right to left; play goes 1, 2 or, with four players, 1, 4, 2, 3.

    Args:
        size: squares on a side, 3 to 25.
        players: 2 or 4.
        walls: walls each player starts with; :func:`default_walls` by default.
        jumps: the jump rule.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
    """

    #: Names of the players in verdicts, by number from 1.
    seat_names: ClassVar[tuple[str, ...]] = tuple(
        VerdictPhrase.PLAYER(player=player) for player in range(1, 5)
    )

    def __init__(
        self,
        size: int = STANDARD_SIZE,
        players: int = 2,
        walls: int | None = None,
        jumps: JumpsLike = Jumps.OFFICIAL,
    ) -> None:
        require("the number of players", int, players)
        if players not in TURN_ORDER:
            raise ValueError(f"a game has 2 or 4 players, not {players}")
        board = board_of_size(size)
        if walls is None:
            walls = default_walls(size, players)
        require("the number of walls", int, walls)
        if walls < 0:
            raise ValueError(f"the number of walls cannot be negative: {walls}")
        super().__init__(board, players, as_jumps(jumps))
        for player in self._order:
            self._pawns[player] = self._board.starts[player]
            self._walls_left[player] = walls

    @classmethod
    def setup(
        cls,
        pawns: Sequence[Square | tuple[int, int] | None],
        walls_left: Sequence[int],
        walls: Iterable[Wall] = (),
        turn: int = 1,
        size: int = STANDARD_SIZE,
        jumps: JumpsLike = Jumps.OFFICIAL,
    ) -> Position:
        """Return a position in the middle of a game.

        Args:
            pawns: squares or pairs of column and row, by player number; None for an eliminated player.
            walls_left: by player number.
            walls: the walls on the board.
            turn: number of the player to move, 0 if the game is over. A player without a legal move is
                skipped.
            size: squares on a side.
            jumps: the jump rule.

        Raises:
            TypeError: an argument has the wrong type, such as the name of a square.
            ValueError: no game can reach this position; the message says why.
        """
        position = cls(size, len(pawns), 0, jumps)
        position._pawns = place_pawns(position._board, pawns)
        position._walls_left = count_walls(position._pawns, walls_left, len(pawns))
        position._walls = place_walls(position._board, walls)
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

    @classmethod
    def from_line(cls, line: str, jumps: JumpsLike = Jumps.OFFICIAL) -> Position:
        """Parse a position line (:mod:`quoridor_net.notation.position_line`).

        Raises:
            UnparsableError: the line is malformed, or no game can reach the position.
        """
        placement = parse_placement(line)
        try:
            return cls.setup(*placement, jumps)
        except IllegalPositionError as error:
            raise UnparsableError(PlacementPhrase.IMPOSSIBLE(reason=error.explain(STANDARD))) from None
        except ValueError as error:
            raise UnparsableError(PlacementPhrase.IMPOSSIBLE(reason=str(error))) from None

    def to_line(self) -> str:
        """Return the one-line form, without history and jump rule."""
        players = sorted(self._order)
        return format_line(
            self._walls.line,
            [self.pawn(player) for player in players],
            [self._walls_left[player] for player in players],
            self._turn,
            self.size,
        )

    def distance(self, player: int) -> int | None:
        """Return the steps that ``player`` needs to its goal line if no pawn is in the way.

        None if the player is eliminated.
        """
        number = self._pawns[self._require_player(player)]
        if number < 0:
            return None
        return distance(self._walls, number, self._board.goals[player])

    def shortest_path(self, player: int) -> list[Square]:
        """Return the squares of a shortest path of ``player``, from its own square to its goal line.

        Pawns do not block paths. The list is empty if the player is eliminated.
        """
        number = self._pawns[self._require_player(player)]
        if number < 0:
            return []
        path = shortest_path(self._walls, number, self._board.goals[player])
        assert path is not None, "every player in the game has a path"
        return [self._board.square_of[number] for number in path.numbers]

    @property
    def key(self) -> PositionKey:
        """Hashable key of everything that decides how the game can continue; equal positions share it."""
        return (
            self._board.size,
            self._jumps,
            tuple(self._pawns[player] for player in self._order),
            tuple(self._walls_left[player] for player in self._order),
            self._walls.horizontal,
            self._walls.vertical,
            self._turn,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.key == other.key

    # A position is mutable; sets and dictionaries use its key.
    __hash__ = None  # type: ignore[assignment]

    def copy(self, jumps: JumpsLike | None = None) -> Position:
        """Return an independent position with the same history, under ``jumps`` if given.

        Raises:
            TypeError: ``jumps`` is not a jump rule.
        """
        # One attribute after another: updating the dictionary takes twice as long, and slows their use.
        twin = object.__new__(Position)
        twin._board = self._board
        twin._order = self._order
        twin._following = self._following
        twin._jumps = self._jumps if jumps is None else as_jumps(jumps)
        twin._walls = self._walls
        twin._pawns = self._pawns.copy()
        twin._walls_left = self._walls_left.copy()
        twin._turn = self._turn
        twin._ending = self._ending
        twin._winner = self._winner
        twin._stack = self._stack.copy()
        twin._routes = self._routes
        twin._legal_walls = self._legal_walls
        return twin

    def outcome(self) -> Result | None:
        """Return the result of the game; None while it is running."""
        if self._ending is None:
            return None
        how = {
            Termination.GOAL: f"Player {self._winner} wins: it reached its goal line.",
            Termination.LAST_PLAYER: f"Player {self._winner} wins: all other players are out.",
            Termination.NO_MOVES: "Drawn: nobody has a legal move.",
        }
        plies = sum(undo.move is not None for undo in self._stack)
        return Result(self._winner, self._ending, how[self._ending], plies)

    # Legal moves.

    def why_illegal(self, move: Move) -> Reason | None:
        """Return why ``move`` is illegal for the player to move; None if it is legal.

        Raises:
            TypeError: ``move`` is not a move.
        """
        if self.is_legal(move):
            return None
        if not self._turn:
            return Reason(Illegality.GAME_OVER)
        if isinstance(move, Step):
            return why_no_step(self._walls, self._pawns, self._turn, move.square, self._jumps)
        reason = why_wall_does_not_fit(self._walls, move)
        if not self._walls_left[self._turn] and (reason is None or reason.kind is not Illegality.OFF_BOARD):
            return Reason(Illegality.NO_WALLS_LEFT, player=self._turn)
        if reason is not None:
            return reason
        is_vertical = move.orientation is Orientation.VERTICAL
        cut_off = self._cut_off(self._board.anchor_number(move), is_vertical)
        return Reason(Illegality.NO_PATH, walls=(move,), player=cut_off)

    # Playing.

    def push(self, move: Move, jumps: JumpsLike | None = None) -> None:
        """Play ``move`` for the player to move, and give the turn to the next player with a legal move.

        Args:
            move: the move to play.
            jumps: the jump rule for this move alone; it can only add to the moves of the position's own rule.

        Raises:
            IllegalMoveError: the move is illegal; the position is unchanged.
            TypeError: ``move`` is not a move; the position is unchanged.
        """
        # Most moves are legal, so their reason is not asked for.
        if not self.is_legal(move):
            reason = self.why_illegal(move)
            assert reason is not None
            is_jump = reason.kind is Illegality.ONLY_CLASSROOM
            if jumps is None or as_jumps(jumps) is not Jumps.CLASSROOM or not is_jump:
                raise IllegalMoveError(move, reason)
        self._play(move)

    def push_text(self, text: str, notation: LetterNotation | None = None) -> Move:
        """Play the move written in ``text``, in any notation, and return it.

        Args:
            text: as for :func:`~quoridor_net.notation.reading.parse_move`.
            notation: the notation of letters and numbers, likewise.

        Raises:
            UnparsableError: the text is not a move, or it is ambiguous; the position is unchanged.
            IllegalMoveError: the move is illegal; the position is unchanged.
        """
        move = parse_move(text, self.size, notation)
        self.push(move)
        return move

    def eliminate(self, player: int) -> None:
        """Eliminate ``player`` (section "During Play", GOTE).

        Its pawn leaves the board and its remaining walls are lost; placed walls stay. The last player left
        wins.

        Raises:
            ValueError: that player is not in the game, or the game is over.
        """
        if self._pawns[self._require_player(player)] < 0:
            raise ValueError(f"player {player} is not in the game any more")
        if not self._turn:
            raise ValueError("the game is over")
        self._remember(player, None)
        self._legal_walls = None
        self._pawns[player] = -1
        self._walls_left[player] = 0
        self._settle(self._following[player] if player == self._turn else self._turn)

    def give_turn(self, player: int) -> None:
        """Give the turn to ``player``, for referees with another order or with a lone player who plays on.

        If it was another player's turn, the history is cleared: earlier plies cannot be undone.

        Raises:
            ValueError: that player is not in the game, or another one has won by reaching its goal.
        """
        if self._pawns[self._require_player(player)] < 0:
            raise ValueError(f"player {player} is not in the game any more")
        if self._turn == player:
            return
        if self._ending is Termination.GOAL and len(self.alive) > 1:
            raise ValueError("the game is over")
        self._turn = player
        self._ending = self._winner = None
        self._stack.clear()

    def peek(self) -> Ply:
        """Return the last push or elimination.

        Raises:
            IndexError: nothing was played.
        """
        if not self._stack:
            raise IndexError("no move was played")
        return Ply(self._stack[-1].player, self._stack[-1].move)

    def root(self) -> Position:
        """Return an independent copy of the position at the start of the history."""
        twin = self.copy()
        while twin._stack:
            twin._take_back()
        return twin

    def pop(self) -> Ply:
        """Undo the last push or elimination and return it.

        Raises:
            IndexError: nothing was played.
        """
        if not self._stack:
            raise IndexError("no move to take back")
        undo = self._take_back()
        return Ply(undo.player, undo.move)

    # For people.

    def __repr__(self) -> str:
        jumps = "" if self._jumps is Jumps.OFFICIAL else f", Jumps.{self._jumps.name}"
        return f"Position.from_line({self.to_line()!r}{jumps})"

    def __str__(self) -> str:
        return "\n".join(plain(draw(self)))

    def _repr_svg_(self) -> str:
        """Return the drawing that a notebook shows."""
        return board_svg(self)
