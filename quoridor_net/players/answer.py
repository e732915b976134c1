"""The answer to one request for a move, on its way from the task that receives to the task that asks."""

from __future__ import annotations

from typing import Generic, TypeVar

import trio

M = TypeVar("M")


class Answer(Generic[M]):
    """A move that is received by one task and taken by another.

    Lines are judged in the order of their arrival. So a fault that came behind the answer waits, in
    :meth:`settled`, until the match has the move: otherwise it would be judged before the move.
    """

    def __init__(self) -> None:
        self._move: M | None = None
        self._given = trio.Event()
        self._taken = trio.Event()

    def give(self, move: M) -> None:
        """Hand over the move that was received."""
        self._move = move
        self._given.set()

    async def take(self) -> M:
        """Wait for the move and return it."""
        await self._given.wait()
        self._taken.set()
        assert self._move is not None
        return self._move

    async def settled(self) -> None:
        """Wait until the move was taken, if one was received."""
        if self._given.is_set():
            await self._taken.wait()
