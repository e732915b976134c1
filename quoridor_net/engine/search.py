"""The engine as everything above it sees it: give it a position and limits, get an analysis."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

from quoridor_net.engine import layout
from quoridor_net.engine.limits import Analysis, Limits
from quoridor_net.engine.timing import Alarm, seconds_for
from quoridor_net.rules import Position

_STOPPED_AFTER = 0.6


class Searcher:
    """Finds moves. Keeps what it learned from one move of a game to the next.

    Making one imports numba and allocates the table; :func:`quoridor_net.engine.warm_up` has everything
    compiled beforehand. :meth:`choose` computes without the GIL and blocks, so call it from a worker thread;
    :meth:`cancel` may be called from any thread meanwhile. One search at a time.

    Args:
        size: squares on a side, 3 to 25.
        players: 2 or 4.
        table_mb: megabytes for the transposition table.
        seed: decides between equal moves, and what weak levels overlook.
        clock: seconds that never go back.
        weights: changes of weights by name, for tuning.
    """

    def __init__(
        self,
        size: int = 9,
        players: int = 2,
        table_mb: int = 64,
        seed: int = 0,
        clock: Callable[[], float] = time.perf_counter,
        weights: dict[str, int] | None = None,
    ) -> None:
        from quoridor_net.engine.duel import Duel

        self._size = size
        self._players = players
        self._clock = clock
        self._seed = seed
        self._duel = Duel(size, table_mb, weights)
        self._lock = threading.Lock()
        self._jumps: object = None

    def cancel(self) -> None:
        """Have the search that is running, if any, answer at once with the best move so far."""
        self._duel.memory[layout.STOP] = 1

    def clear(self) -> None:
        """Forget earlier searches, so that the next depends on its own limits and the seed only."""
        self._duel.clear()

    def choose(self, position: Position, limits: Limits | None = None) -> Analysis:
        """Search ``position`` and return what was found.

        Raises:
            ValueError: the game is over, or is not of the size and number of players of this searcher.
        """
        limits = limits or Limits()
        if position.turn is None:
            raise ValueError("the game is over: there is no move to choose")
        if (position.size, position.players) != (self._size, self._players):
            raise ValueError(
                f"this searcher plays {self._players} on size {self._size},"
                f" not {position.players} on size {position.size}"
            )
        started = self._clock()
        with self._lock:
            return self._choose(position, limits, started)

    def _choose(self, position: Position, limits: Limits, started: float) -> Analysis:
        from quoridor_net.engine.memory import number_of

        duel = self._duel
        if self._jumps is not position.jumps:
            duel.clear()
            self._jumps = position.jumps
        source = random.Random(f"{self._seed} {len(position.history)}")
        order = [number_of(move, self._size) for move in position.legal_moves()]
        source.shuffle(order)
        order.sort(key=lambda move: move >= layout.HORIZONTAL)
        duel.prepare(position, order)
        duel.memory[layout.NODE_LIMIT] = limits.nodes or 1 << 60
        duel.memory[layout.STOP] = 0
        seconds = seconds_for(limits, len(position.history) // self._players)
        with Alarm(seconds, self.cancel):
            choices, depth = duel.run(limits.depth or layout.PLIES, limits.top, lambda: True)
        return Analysis(tuple(choices), depth, int(duel.memory[layout.NODES]), self._clock() - started)
