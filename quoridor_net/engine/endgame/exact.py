"""Exact solution of two-player positions with few walls left, slice by slice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quoridor_net.engine import scores
from quoridor_net.engine.board.convert import load_position, new_state, number_of, numbers_in
from quoridor_net.engine.board.distances import find_reachable
from quoridor_net.engine.board.make import add_wall
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import WALLS_LEFT_LIMIT
from quoridor_net.engine.endgame.retrograde import Graph, solve
from quoridor_net.engine.limits import Choice
from quoridor_net.jit.records import new_record
from quoridor_net.rules import Move, Position, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.int16]

#: Maximum number of solved slices kept from one call to the next.
_KEPT = 4000
#: Number of squares that a node's number has room for.
_NODE_SQUARES = 128


def _never() -> bool:
    return False


class Exact:
    """The exact solver for two players, on boards that the kernel handles.

    Args:
        size: squares on a side.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._squares = size * size
        self._state = new_state(size, 2)
        self._graph = new_record(Graph)
        self._solved: dict[tuple[int | bytes, ...], Values] = {}
        self._is_stopped: Callable[[], bool] = _never

    def states(self, position: Position) -> int:
        """Return the approximate number of states to solve, at some 100 ns each."""
        walls_left = [position.walls_left(player) for player in position.order]
        load_position(self._state, position)
        fitting = sum(len(numbers_in(words)) for words in self._state.frames[0].fits)
        sets = 1.0
        total = 1.0
        for number in range(1, sum(walls_left) + 1):
            # Each wall takes up to four places; either player may have placed it.
            sets *= max(fitting - 3.5 * (number - 1), 1.0) / number
            total += sets * (min(number, walls_left[0], walls_left[1], sum(walls_left) - number) + 1)
        return int(min(total * 2 * self._squares**2, 1e12))

    def choices(self, position: Position, is_stopped: Callable[[], bool] = _never) -> list[Choice] | None:
        """Return every legal move with its exact score, best first; None if ``is_stopped`` turns true.

        Moves with equal scores keep the order of the legal moves. A draw, where neither side can force a win,
        scores 0.
        """
        if len(self._solved) > _KEPT:
            self.forget()
        self._is_stopped = is_stopped
        try:
            return self._choices(position)
        finally:
            # The callback refers to this object's owner, and a reference cycle would keep the memory of both.
            self._is_stopped = _never

    def forget(self) -> None:
        """Free the solutions kept from earlier calls."""
        self._solved.clear()

    def _choices(self, position: Position) -> list[Choice] | None:
        load_position(self._state, position)
        walls_left = tuple(min(position.walls_left(player), WALLS_LEFT_LIMIT) for player in position.order)
        if self._solve_slice(0, walls_left) is None:
            return None
        found = []
        for move in position.legal_moves:
            plies = self._outcome(position, move, walls_left)
            if plies > 0:
                found.append(Choice(move, scores.WIN - plies, plies, (move,)))
            elif plies < 0:
                found.append(Choice(move, -scores.WIN - plies, plies, (move,)))
            else:
                found.append(Choice(move, 0, None, (move,)))
        found.sort(key=lambda choice: -choice.score)
        return found

    def _outcome(self, position: Position, move: Move, walls_left: tuple[int, ...]) -> int:
        """Return the plies until ``move`` wins, negative if it loses, 0 for a draw."""
        frame = self._state.frames[0]
        seat = int(frame.turn)
        own, other = int(frame.pawns[seat]), int(frame.pawns[1 - seat])
        number = number_of(move, self._size)
        ply = 0
        if isinstance(move, Step):
            own = number
            position.push(move)
            winner, turn = position.winner, position.turn
            position.pop()
            if winner is not None:
                return 1
        else:
            ply = 1
            walls_left = self._after_wall(0, number, walls_left, seat)
            turn = position.order[1 - seat]
        values = self._solve_slice(ply, walls_left)
        assert values is not None, "solved before"
        if turn == position.order[seat]:
            return _plies(int(values[seat, own, other]), 1)
        return -_plies(int(values[1 - seat, other, own]), 1)

    def _after_wall(self, ply: int, number: int, walls_left: tuple[int, ...], seat: int) -> tuple[int, ...]:
        """Push the board at ``ply`` with one more wall; return the walls left after it."""
        add_wall(self._state, ply, number)
        return (walls_left[0] - (seat == 0), walls_left[1] - (seat == 1))

    def _solve_slice(self, ply: int, walls_left: tuple[int, ...]) -> Values | None:
        """Return the values of the slice with the walls of the frame at ``ply``; None if stopped."""
        graph, frame = self._graph, self._state.frames[ply]
        # The values depend only on the open passages, the walls that fit, and the parts of the key below.
        walls = bytes(frame.passages) + bytes(frame.fits)
        key: tuple[int | bytes, ...] = (int(self._state.has_classroom_jumps), *walls_left, walls)
        known = self._solved.get(key)
        if known is not None:
            return known
        if self._is_stopped():
            return None
        exits = [self._exits(ply, walls_left, seat) for seat in (0, 1) if walls_left[seat] > 0]
        if any(part is None for part in exits):
            return None
        for values in (graph.exit_win, graph.exit_loss, graph.pending):
            values[:] = 0
        for part in exits:
            assert part is not None
            seat, wins, losses, pending = part
            self._board_of(graph.exit_win)[seat] = wins
            self._board_of(graph.exit_loss)[seat] = losses
            self._board_of(graph.pending)[seat] = pending
        solve(self._state, ply, graph)
        solved: Values = self._board_of(graph.values).astype("int16")
        self._solved[key] = solved
        return solved

    def _board_of(self, values: Any) -> NDArray[np.int64]:
        """Return the part of an array of nodes that this board uses, indexed by [seat, own, other]."""
        whole: NDArray[np.int64] = values.reshape(2, _NODE_SQUARES, _NODE_SQUARES)
        return whole[:, : self._squares, : self._squares]

    def _exits(
        self, ply: int, walls_left: tuple[int, ...], seat: int
    ) -> tuple[int, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
        """Return ``seat`` and its exits: fewest plies to a win, most to a loss, number of undecided moves."""
        import numpy as np

        shape = (self._squares, self._squares)
        never = 30000
        wins = np.full(shape, never, dtype=np.int64)
        losses = np.zeros(shape, dtype=np.int64)
        pending = np.zeros(shape, dtype=np.int64)
        for first, fits in zip((HORIZONTAL, VERTICAL), self._state.frames[ply].fits, strict=True):
            for anchor in numbers_in(fits):
                after = self._after_wall(ply, first + anchor, walls_left, seat)
                values = self._solve_slice(ply + 1, after)
                if values is None:
                    return None
                legal = np.outer(self._reachable(ply + 1, seat), self._reachable(ply + 1, 1 - seat))
                replies = values[1 - seat].T.astype(np.int64)
                np.minimum(wins, np.where(legal & (replies < 0), -replies, never), out=wins)
                np.maximum(losses, np.where(legal & (replies > 0), replies + 1, 0), out=losses)
                pending += legal & (replies == 0)
        wins[wins == never] = 0
        return seat, wins, losses, pending

    def _reachable(self, ply: int, seat: int) -> NDArray[np.bool_]:
        """Return for each square whether the goal line of ``seat`` can be reached from it."""
        import numpy as np

        found = np.zeros(self._squares, dtype=np.bool_)
        find_reachable(self._state, ply, seat)
        found[numbers_in(self._state.reachable)] = True
        return found


def _plies(value: int, more: int) -> int:
    """Return a node's value as plies to a win, negative to a loss, plus ``more`` plies; 0 for a draw."""
    if value > 0:
        return value + more
    if value < 0:
        return value + 1 - more
    return 0
