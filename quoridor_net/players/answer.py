"""The answer to a move request, handed from the task that receives it to the task that requested it."""

from __future__ import annotations

from typing import Generic, TypeVar

import trio

M = TypeVar("M")


class Answer(Generic[M]):
    """A move received by one task and taken by another.

    Lines are judged in the order of their arrival. A task that finds a fault after the answer therefore calls
    :meth:`wait_until_taken` before it reports the fault, so that the move is judged first.
    """

    def __init__(self) -> None:
        self._move: M | None = None
        self._given = trio.Event()
        self._taken = trio.Event()

    def give(self, move: M) -> None:
        """Hand over the received move."""
        self._move = move
        self._given.set()

    async def take(self) -> M:
        """Wait for the move and return it."""
        await self._given.wait()
        self._taken.set()
        assert self._move is not None
        return self._move

    async def wait_until_taken(self) -> None:
        """Wait until the move is taken; return at once if none was received."""
        if self._given.is_set():
            await self._taken.wait()
