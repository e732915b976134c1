"""Threads that search the same position beside the main one and share its transposition table.

Nothing passes between them but the table: what one has found, the others need not search again ("lazy SMP").
A helper begins one or two plies deeper than the main search does, and so keeps ahead of it.
"""

from __future__ import annotations

import threading

from quoridor_net.engine import layout
from quoridor_net.engine.alphabeta import search
from quoridor_net.engine.words import Numbers, Words

_WINDOW = 60


class Helper:
    """One more search for two players, in a thread of its own from :meth:`begin` to :meth:`end`.

    Args:
        memory: of the main search, to be copied.
        numbers: of the main search, to be copied.
        table: the one they share.
    """

    def __init__(self, memory: Words, numbers: Numbers, table: Words) -> None:
        self._memory: Words = memory[:].copy()
        self._numbers: Numbers = numbers[:].copy()
        self._table = table
        self._thread: threading.Thread | None = None

    def begin(self, memory: Words, order: list[int], first_depth: int) -> None:
        """Search the position that ``memory`` holds until stopped, the moves first in the given order."""
        history = self._memory[layout.HISTORY : layout.KILLERS].copy()
        self._memory[:] = memory[:]
        self._memory[layout.HISTORY : layout.KILLERS] = history // 2
        self._memory[layout.NODE_LIMIT] = 1 << 60
        self._memory[layout.STOP] = 0
        self._thread = threading.Thread(target=self._run, args=(list(order), first_depth), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Have it end soon."""
        self._memory[layout.STOP] = 1

    def end(self) -> int:
        """Stop it, wait until it has ended, and return how many nodes it searched."""
        if self._thread is None:
            return 0
        self.stop()
        self._thread.join()
        self._thread = None
        return int(self._memory[layout.NODES])

    def _run(self, order: list[int], first_depth: int) -> None:
        memory = self._memory
        guess = 0
        for depth in range(first_depth, layout.PLIES - 2):
            memory[layout.ROOT_COUNT] = len(order)
            memory[layout.ROOT_MOVES : layout.ROOT_MOVES + len(order)] = order
            low, high = guess - _WINDOW, guess + _WINDOW
            if depth <= first_depth + 2:
                low, high = -layout.INFINITY, layout.INFINITY
            guess = int(search(memory, self._numbers, self._table, 0, depth, low, high))
            if not low < guess < high and not memory[layout.STOP]:
                guess = int(
                    search(memory, self._numbers, self._table, 0, depth, -layout.INFINITY, layout.INFINITY)
                )
            if memory[layout.STOP]:
                return
            order.insert(0, order.pop(int(memory[layout.ROOT_BEST])))
