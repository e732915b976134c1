"""A game as spectators follow it: an event is encoded once at most, and nobody who looks on delays a move."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable

import trio

from quoridor_net.match import Event, GameEnded, GameStarted
from quoridor_net.match.encoding import as_object
from quoridor_net.match.replaying import GameKeeper
from quoridor_net.replay import Replay

#: Sends one message to one spectator.
Send = Callable[[str], Awaitable[None]]

#: Seconds that sending one message to one spectator takes this program (benchmarks/web.py), and the share of
#: its time that it spends on that at most while a game is faster than people can see.
SEND_COST = 0.0002
SHARE = 0.04

#: Seconds between two messages to a spectator however few there are: a frame of most screens.
FRAME = 0.016


def encoded(value: object) -> str:
    """Return ``value`` as JSON without blanks."""
    return json.dumps(value, separators=(",", ":"))


class LiveGame:
    """A listener of one game after another at the same place, and what was said of the present one.

    Spectators keep no queue: each knows how many events it was sent, and gets all others at once when it has
    taken those. One that reads slowly skips no event, and one that does not read at all costs nothing here.
    """

    def __init__(self) -> None:
        # Events as JSON, and after them those that nobody has wanted to see yet.
        self._encoded: list[str] = []
        self._pending: list[Event] = []
        self._keeper = GameKeeper()
        self._is_over = False
        # Counts the games, so that a spectator notices that another one began.
        self._game = 0
        self._spectators = 0
        #: When somebody looked away last, by the clock of trio.
        self.left_at = -math.inf
        self._news = trio.Event()
        # The last message that was made, with the number of the event it begins with: most want the same.
        self._last: tuple[int, str] = (-1, "")

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
            self._game += 1
        self._is_over = isinstance(event, GameEnded)
        self._pending.append(event)
        self._keeper(event)
        self._last = (-1, "")
        self._wake()

    def document(self) -> str:
        """Return all events of the present game as one JSON object."""
        return f'{{"events":[{",".join(self._events())}]}}'

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
                news, events = self._news, self._events()
                if game != self._game:
                    game, seen = self._game, len(events)
                    await send(f'{{"reset":[{",".join(events)}]}}')
                    await on_reset()
                elif seen < len(events):
                    first, seen = seen, len(events)
                    await send(self._since(first))
                else:
                    await news.wait()
                    continue
                await trio.sleep(max(FRAME, self._spectators * SEND_COST / SHARE))
        finally:
            self._spectators -= 1
            self.left_at = trio.current_time()

    def _events(self) -> list[str]:
        """Return all events of the present game as JSON."""
        if self._pending:
            self._encoded += [encoded(as_object(event)) for event in self._pending]
            self._pending = []
        return self._encoded

    def _since(self, first: int) -> str:
        """Return the events from number ``first`` on as one message: an object, or a list of several."""
        if self._last[0] != first:
            events = self._events()[first:]
            self._last = (first, events[0] if len(events) == 1 else f"[{','.join(events)}]")
        return self._last[1]

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()
