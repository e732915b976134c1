"""Exact solution of positions of two players with few walls left, one set of walls after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quoridor_net.engine import layout, races
from quoridor_net.engine.floods import reachable
from quoridor_net.engine.limits import Choice
from quoridor_net.engine.memory import load, new_memory, number_of, numbers_in
from quoridor_net.engine.plays import close_wall
from quoridor_net.engine.words import Words
from quoridor_net.rules import Move, Position, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.int16]

#: Solutions of wall sets kept from one call to the next.
_KEPT = 4000
_SIDE = 128


def _never() -> bool:
    return False


class Exact:
    """Solves positions of games of two on boards the kernel handles.

    Args:
        size: squares on a side.
    """

    def __init__(self, size: int) -> None:
        import numpy as np

        self._size = size
        self._cells = size * size
        self._memory: Words = new_memory(size, 2)
        self._races = np.zeros(races.RACE_WORDS, dtype=np.int64)
        self._solved: dict[tuple[int, ...], Values] = {}
        self._is_stopped: Callable[[], bool] = _never

    def states(self, position: Position) -> int:
        """Return about how many states must be solved: what it costs, at some 100 ns each."""
        left = [position.walls_left(player) for player in position.order]
        load(self._memory, position)
        row = layout.ROWS
        fitting = sum(int(word).bit_count() for word in self._memory[row + 4 : row + 8])
        sets = 1.0
        total = 1.0
        for number in range(1, sum(left) + 1):
            # Each wall takes up to four places; two players may share the walls out in different ways.
            sets *= max(fitting - 3.5 * (number - 1), 1.0) / number
            total += sets * (min(number, left[0], left[1], sum(left) - number) + 1)
        return int(min(total * 2 * self._cells**2, 1e12))

    def choices(self, position: Position, is_stopped: Callable[[], bool] = _never) -> list[Choice] | None:
        """Return every legal move with its exact worth, best first; None if ``is_stopped`` says so before.

        Moves of the same worth stand in the order of the legal moves. A draw scores 0: neither side can force
        a win.
        """
        if len(self._solved) > _KEPT:
            self.forget()
        self._is_stopped = is_stopped
        try:
            return self._choices(position)
        finally:
            # What is asked belongs to the searcher, as this does: a cycle would keep the memory of both.
            self._is_stopped = _never

    def forget(self) -> None:
        """Free the solutions kept from earlier calls."""
        self._solved.clear()

    def _choices(self, position: Position) -> list[Choice] | None:
        memory = self._memory
        load(memory, position)
        left = tuple(min(position.walls_left(player), layout.LEFT_LIMIT) for player in position.order)
        if self._layer(0, left) is None:
            return None
        found = []
        for move in position.legal_moves:
            plies = self._outcome(position, move, left)
            if plies > 0:
                found.append(Choice(move, layout.WIN - plies, plies, (move,)))
            elif plies < 0:
                found.append(Choice(move, -layout.WIN - plies, plies, (move,)))
            else:
                found.append(Choice(move, 0, None, (move,)))
        found.sort(key=lambda choice: -choice.score)
        return found

    def _outcome(self, position: Position, move: Move, left: tuple[int, ...]) -> int:
        """Return in how many plies ``move`` wins, negative if it loses, 0 for a draw."""
        memory, row = self._memory, layout.ROWS
        seat = int(memory[row + layout.TURN])
        own = int(memory[row + layout.PAWN + seat])
        other = int(memory[row + layout.PAWN + 1 - seat])
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
            left = self._after_wall(0, number, left, seat)
            turn = position.order[1 - seat]
        values = self._layer(ply, left)
        assert values is not None, "solved before"
        if turn == position.order[seat]:
            return _plies(int(values[seat, own, other]), 1)
        return -_plies(int(values[1 - seat, other, own]), 1)

    def _after_wall(self, ply: int, number: int, left: tuple[int, ...], seat: int) -> tuple[int, ...]:
        """Put a wall into the row after ``ply``; return the walls left then."""
        memory = self._memory
        row = layout.ROWS + ply * layout.ROW
        new = row + layout.ROW
        memory[new : new + layout.ROW] = memory[row : row + layout.ROW]
        close_wall(memory, new, number)
        return (left[0] - (seat == 0), left[1] - (seat == 1))

    def _layer(self, ply: int, left: tuple[int, ...]) -> Values | None:
        """Return the values of all states with the walls of the row at ``ply``; None once stopped."""
        memory = self._memory
        row = layout.ROWS + ply * layout.ROW
        # Where edges are closed and what fits decides everything from here on.
        key = (int(memory[layout.JUMPS]), *left, *(int(word) for word in memory[row : row + layout.TOUCHED]))
        known = self._solved.get(key)
        if known is not None:
            return known
        if self._is_stopped():
            return None
        table = self._races
        table[races.EXIT_WIN : races.PENDING + races.STATES] = 0
        exits = [self._exits(ply, left, seat) for seat in (0, 1) if left[seat] > 0]
        if any(part is None for part in exits):
            return None
        table[races.EXIT_WIN : races.PENDING + races.STATES] = 0
        for part in exits:
            assert part is not None
            seat, wins, losses, pending = part
            for place, values in (
                (races.EXIT_WIN, wins),
                (races.EXIT_LOSS, losses),
                (races.PENDING, pending),
            ):
                self._square(place)[seat] = values
        races.solve(memory, row, table)
        solved: Values = self._square(races.VALUES).astype("int16")
        self._solved[key] = solved
        return solved

    def _square(self, place: int) -> NDArray[np.int64]:
        """Return the part of a table of states, as [seat, own, other], that this board uses."""
        whole = self._races[place : place + races.STATES].reshape(2, _SIDE, _SIDE)
        return whole[:, : self._cells, : self._cells]

    def _exits(
        self, ply: int, left: tuple[int, ...], seat: int
    ) -> tuple[int, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
        """Return what ``seat`` can reach by a wall: fewest plies to win, most to lose, moves to neither."""
        import numpy as np

        shape = (self._cells, self._cells)
        never = 30000
        wins = np.full(shape, never, dtype=np.int64)
        losses = np.zeros(shape, dtype=np.int64)
        pending = np.zeros(shape, dtype=np.int64)
        row = layout.ROWS + ply * layout.ROW
        for base, place in (
            (layout.HORIZONTAL, layout.FIT_HORIZONTAL),
            (layout.VERTICAL, layout.FIT_VERTICAL),
        ):
            for anchor in numbers_in(int(self._memory[row + place]), int(self._memory[row + place + 1])):
                after = self._after_wall(ply, base + anchor, left, seat)
                values = self._layer(ply + 1, after)
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

        found = np.zeros(self._cells, dtype=np.bool_)
        low, high = reachable(self._memory, layout.ROWS + ply * layout.ROW, seat)
        found[numbers_in(int(low), int(high))] = True
        return found


def _plies(value: int, more: int) -> int:
    """Return a state's value as plies to a win, negative to a loss, one move earlier; 0 for a draw."""
    if value > 0:
        return value + more
    if value < 0:
        return value + 1 - more
    return 0
