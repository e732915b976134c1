"""A game as spectators follow it: an event is encoded once at most, and nobody who looks on delays a move."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Awaitable, Callable

import trio

from quoridor_net.match import Event, GameEnded, GameStarted, MoveRequested
from quoridor_net.match.encoding import as_object
from quoridor_net.match.replaying import GameKeeper
from quoridor_net.replay import Replay

#: Sends one message to one spectator.
Send = Callable[[str], Awaitable[None]]

#: Seconds of this program that one message to one spectator takes, and each of its bytes (benchmarks/web.py).
SEND_COST = 0.0005
BYTE_COST = 0.00000004

#: The share of its time that this program spends on spectators at most, while a game is faster than people
#: can see.
SHARE = 0.02

#: Least seconds from one message to the next: a frame of most screens.
FRAME = 0.016


# Made once: ``json.dumps`` with settings makes one for every value.
_ENCODER = json.JSONEncoder(separators=(",", ":"))


def encoded(value: object) -> str:
    """Return ``value`` as JSON without blanks."""
    return _ENCODER.encode(value)


class LiveGame:
    """A listener of one game after another at the same place, and what is shown of the present one.

    Spectators keep no queue: each knows how many of the events that are shown it was sent, and gets all
    others at once when it has taken those. One that reads slowly skips no event, and one that does not read
    at all costs nothing here. An event is shown as soon as it happens, unless spectators have just cost more
    than their share; then it is shown with others, a little later.
    """

    def __init__(self) -> None:
        # The present game: events as JSON, and after them those that nobody has wanted to see yet.
        self._encoded: list[str] = []
        self._pending: list[Event] = []
        self._keeper = GameKeeper()
        self._is_over = False
        # What spectators may see: the events of the present game, or still of the one before, and how many;
        # the last message that was made of them, with the number of the event that it begins with; a count of
        # the games that were shown; and when something may be shown again.
        self._shown: list[str] = self._encoded
        self._count = 0
        self._last: tuple[int, str] = (-1, "")
        self._game = 0
        self._due = -math.inf
        self._spectators = 0
        #: When somebody looked away last, by the clock of trio.
        self.left_at = -math.inf
        # Since when the player to move is thinking; None while nobody is asked.
        self._asked_at: float | None = None
        self._news = trio.Event()

    @property
    def is_over(self) -> bool:
        """Whether the last game came to its end."""
        return self._is_over

    @property
    def spectators(self) -> int:
        """How many look on."""
        return self._spectators

    def __call__(self, event: Event) -> None:
        """Note what happened, and wake those who wait for it."""
        if isinstance(event, GameStarted) or self._is_over:
            self._encoded, self._pending = [], []
        self._is_over = isinstance(event, GameEnded)
        self._asked_at = trio.current_time() if isinstance(event, MoveRequested) else None
        self._pending.append(event)
        self._keeper(event)
        self._news.set()
        self._news = trio.Event()

    def document(self) -> str:
        """Return all events of the present game as one JSON object."""
        self._encode()
        return f'{{"events":[{",".join(self._encoded)}]}}'

    def replay(self) -> Replay | None:
        """Return the present game as far as it was played; None before the first one."""
        return self._keeper.replay()

    async def follow(self, send: Send, on_reset: Callable[[], Awaitable[None]]) -> None:
        """Send everything of the present game, then what happens, until cancelled.

        Args:
            send: takes one message; while it waits, others get theirs.
            on_reset: called whenever everything was sent from the beginning of a game.
        """
        self._spectators += 1
        try:
            game, seen = -1, 0
            while True:
                news = self._news
                self._show()
                if game != self._game:
                    game, seen = self._game, self._count
                    await send(self._everything())
                    await on_reset()
                elif seen < self._count:
                    first, seen = seen, self._count
                    await send(self._since(first))
                elif self._has_more:
                    await trio.sleep(self._due - trio.current_time())
                else:
                    await news.wait()
        finally:
            self._spectators -= 1
            self.left_at = trio.current_time()

    def _everything(self) -> str:
        """Return the events that are shown as a message, with the seconds the player to move has thought."""
        since = self._asked_at
        thinking = "" if since is None else f',"thinking":{trio.current_time() - since:.3f}'
        return f'{{"reset":[{",".join(self._shown[: self._count])}]{thinking}}}'

    @property
    def _has_more(self) -> bool:
        """Whether something happened that is not shown yet."""
        return bool(self._pending) or self._shown is not self._encoded or self._count < len(self._encoded)

    def _show(self) -> None:
        """Let spectators see what happened, if that is affordable now."""
        now = trio.current_time()
        if now < self._due or not self._has_more:
            return
        started = time.perf_counter()
        self._encode()
        if self._shown is not self._encoded:
            self._shown, self._count = self._encoded, 0
            self._game += 1
        first, self._count = self._count, len(self._encoded)
        self._last = (-1, "")
        size = len(self._since(first))
        cost = time.perf_counter() - started + self._spectators * (SEND_COST + size * BYTE_COST)
        self._due = now + max(FRAME, cost / SHARE)

    def _encode(self) -> None:
        self._encoded += [encoded(as_object(event)) for event in self._pending]
        self._pending = []

    def _since(self, first: int) -> str:
        """Return the events that are shown from number ``first`` on: an object, or a list of several."""
        if self._last[0] != first:
            events = self._shown[first : self._count]
            self._last = (first, events[0] if len(events) == 1 else f"[{','.join(events)}]")
        return self._last[1]
