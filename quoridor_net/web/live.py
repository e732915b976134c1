"""A game as spectators follow it. Each event is encoded at most once, and no spectator delays a move."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Sequence

import trio

from quoridor_net.match import Event, GameEnded, GameStarted, MoveRequested, PlayerOut
from quoridor_net.match.encoding import as_object
from quoridor_net.match.replaying import GameKeeper
from quoridor_net.replay import Replay
from quoridor_net.web.budget import Budget

#: Sends one message to one spectator.
Send = Callable[[str], Awaitable[None]]

#: Minimum time between messages, in seconds: a frame of most screens.
FRAME = 0.016

#: Delay from an event to its message, in seconds, so that a move and the next request share a message.
TOGETHER = 0.004


# Shared, because ``json.dumps`` with settings creates an encoder for every call.
_ENCODER = json.JSONEncoder(separators=(",", ":"))


def encode(value: object) -> str:
    """Return ``value`` as JSON without spaces."""
    return _ENCODER.encode(value)


class Urgency:
    """Whether one browser gets every event at once, as the holder of a seat does."""

    def __init__(self) -> None:
        self.is_urgent = False
        self._waiting = trio.CancelScope()

    def demand(self) -> None:
        """From now on get every event at once."""
        self.is_urgent = True
        self._waiting.cancel()

    async def wait(self, wait: Callable[[], Awaitable[object]]) -> None:
        """Wait, but no longer than until :meth:`demand` is called."""
        with trio.CancelScope() as self._waiting:
            await wait()


class LiveGame:
    """A listener that shows spectators one game after another.

    There are no queues. Each spectator counts the events that it was sent, and gets all others in one message
    when it has read those. A slow reader misses no event, and one that does not read costs nothing. An event
    is shown at once, unless spectators have exceeded their budget; then it is shown later, with others. The
    holder of a seat gets it at once in any case.

    Args:
        budget: time budget of the spectators; shared by all games of a program.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        # The current game: the events as JSON, then those not encoded yet, each with the thinking time, in
        # seconds, of a move that it prevented.
        self._encoded: list[str] = []
        self._pending: list[tuple[Event, float | None]] = []
        self._keeper = GameKeeper()
        self._is_over = False
        # The number of the next game at the same board; None until it begins.
        self._next: int | None = None
        # The events shown to spectators: those of the current or still of the previous game, and how many of
        # them; the last message with the number of its first event; and the time of the last change.
        self._shown: list[str] = self._encoded
        self._count = 0
        self._last: tuple[int, str] = (-1, "")
        self._shown_at = -math.inf
        self._spectators = 0
        #: Times of the last spectator to leave and of the last event, on trio's clock.
        self.left_at = -math.inf
        self.happened_at = -math.inf
        # When the player to move started thinking; None while no player is asked.
        self._asked_at: float | None = None
        # Set when something happened, and when something was shown. One spectator waits for the former and
        # wakes the others, so that they wake only when there is something to send.
        self._news = trio.Event()
        self._showing = trio.Event()
        self._is_awaited = False

    @property
    def is_over(self) -> bool:
        """Whether the last game has ended."""
        return self._is_over

    @property
    def has_begun(self) -> bool:
        """Whether a game has begun."""
        return bool(self._encoded or self._pending)

    @property
    def spectators(self) -> int:
        """The number of spectators."""
        return self._spectators

    def __call__(self, event: Event) -> None:
        """Record an event, and wake the spectator that waits for it."""
        if isinstance(event, GameStarted) or self._is_over:
            self._encoded, self._pending = [], []
        self._is_over = isinstance(event, GameEnded)
        self.happened_at = trio.current_time()
        is_interruption = isinstance(event, PlayerOut | GameEnded) and self._asked_at is not None
        self._pending.append((event, self._thinking if is_interruption else None))
        self._asked_at = self.happened_at if isinstance(event, MoveRequested) else None
        self._keeper(event)
        self._tell()

    def hand_over(self, number: int) -> None:
        """Tell all spectators, now and later, the number of the next game at the same board."""
        self._next = number
        self._tell()

    def document(self) -> str:
        """Return all events of the current game as one JSON object."""
        self._encode()
        return f'{{"events":[{",".join(self._encoded)}]}}'

    def replay(self) -> Replay | None:
        """Return the current game so far; None before the first one."""
        return self._keeper.replay()

    async def follow(
        self,
        send: Send,
        on_reset: Callable[[], Awaitable[None]] | None = None,
        urgency: Urgency | None = None,
    ) -> None:
        """Send all events of the current game, then each new one, until cancelled.

        Once the game was handed over, send the number of the next one at last, and return.

        Args:
            send: sends one message; while it waits, other spectators get theirs.
            on_reset: called after all events of a game were sent from the start.
            urgency: whether the budget of the spectators does not apply.
        """
        urgency = urgency or Urgency()
        self._spectators += 1
        try:
            if trio.current_time() >= self._due:
                self._show()
            # The list of the game's events, and how many of them were sent.
            events: list[str] | None = None
            seen = 0
            while True:
                news = self._news
                known, count = self._select_known(urgency)
                if known is not events:
                    events, seen = known, count
                    await self._deliver(send(self._write_all(known[:count])), urgency)
                    if on_reset is not None:
                        await on_reset()
                elif seen < count:
                    first, seen = seen, count
                    text = _write(known[first:count]) if urgency.is_urgent else self._since(first)
                    await self._deliver(send(text), urgency)
                elif self._next is not None and not self._has_more_than(known, seen):
                    await self._deliver(send(encode({"next": self._next})), urgency)
                    return
                elif urgency.is_urgent:
                    await news.wait()
                    await trio.sleep(TOGETHER)
                elif self._is_awaited:
                    await urgency.wait(self._showing.wait)
                else:
                    await urgency.wait(self._await_news)
        finally:
            self._spectators -= 1
            self.left_at = trio.current_time()

    def _select_known(self, urgency: Urgency) -> tuple[list[str], int]:
        """Return the events that a browser may know now, and their number."""
        if not urgency.is_urgent:
            return self._shown, self._count
        self._encode()
        return self._encoded, len(self._encoded)

    async def _deliver(self, sending: Awaitable[None], urgency: Urgency) -> None:
        await (sending if urgency.is_urgent else self._budget.charge(sending))

    async def _await_news(self) -> None:
        """Wait for an event, show it as soon as the budget allows, and wake all other spectators."""
        self._is_awaited = True
        try:
            if not self._has_more_than(self._shown, self._count):
                await self._news.wait()
            await trio.sleep(TOGETHER)
            while (rest := self._due - trio.current_time()) > 0:  # noqa: ASYNC110 - others spend meanwhile
                await trio.sleep(rest)
            self._show()
        finally:
            # If this spectator was cancelled, another one takes over.
            self._is_awaited = False
            self._showing.set()
            self._showing = trio.Event()

    def _write_all(self, events: Sequence[str]) -> str:
        """Return a game so far as a message, with the thinking time of the player to move in seconds."""
        thinking = "" if self._asked_at is None else f',"thinking":{self._thinking:.3f}'
        return f'{{"reset":[{",".join(events)}]{thinking}}}'

    @property
    def _thinking(self) -> float:
        """The thinking time of the player to move, in seconds."""
        return 0.0 if self._asked_at is None else trio.current_time() - self._asked_at

    def _has_more_than(self, events: list[str], count: int) -> bool:
        """Whether there are more events than the first ``count`` of ``events``."""
        return bool(self._pending) or events is not self._encoded or count < len(self._encoded)

    @property
    def _due(self) -> float:
        """Time from which something may be shown again, on trio's clock."""
        return max(self._shown_at + FRAME, self._budget.free_at)

    def _show(self) -> None:
        """Show all events so far to spectators."""
        self._shown_at = trio.current_time()
        with self._budget.charge_block():
            self._encode()
        self._shown, self._count = self._encoded, len(self._encoded)
        self._last = (-1, "")

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    def _encode(self) -> None:
        self._encoded += [
            encode(as_object(event) | ({} if thought is None else {"thought": round(thought, 3)}))
            for event, thought in self._pending
        ]
        self._pending = []

    def _since(self, first: int) -> str:
        """Return the shown events from number ``first`` on: one object, or a list of several."""
        if self._last[0] != first:
            self._last = (first, _write(self._shown[first : self._count]))
        return self._last[1]


def _write(events: Sequence[str]) -> str:
    """Return events as one message: an object, or a list of several."""
    return events[0] if len(events) == 1 else f"[{','.join(events)}]"
