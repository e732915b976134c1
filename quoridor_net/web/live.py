"""A game as spectators follow it: an event is encoded once at most, and nobody who looks on delays a move."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable

import trio

from quoridor_net.match import Event, GameEnded, GameStarted, MoveRequested
from quoridor_net.match.encoding import as_object
from quoridor_net.match.replaying import GameKeeper
from quoridor_net.replay import Replay
from quoridor_net.web.budget import Budget

#: Sends one message to one spectator.
Send = Callable[[str], Awaitable[None]]

#: Least seconds from one message to the next: a frame of most screens.
FRAME = 0.016

#: Seconds from an event to its message: a move and the request for the next one are shown together.
TOGETHER = 0.004


# Made once: ``json.dumps`` with settings makes one for every value.
_ENCODER = json.JSONEncoder(separators=(",", ":"))


def encode(value: object) -> str:
    """Return ``value`` as JSON without blanks."""
    return _ENCODER.encode(value)


class LiveGame:
    """A listener of one game after another at the same place, and what is shown of the present one.

    Spectators keep no queue: each knows how many of the events that are shown it was sent, and gets all
    others at once when it has taken those. One that reads slowly skips no event, and one that does not read
    at all costs nothing here. An event is shown as soon as it happens, unless spectators have just cost more
    than their share; then it is shown with others, a little later.

    Args:
        budget: what spectators may cost; shared by games that the same program shows.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        # The present game: events as JSON, and after them those that nobody has wanted to see yet.
        self._encoded: list[str] = []
        self._pending: list[Event] = []
        self._keeper = GameKeeper()
        self._is_over = False
        # What spectators may see: the events of the present game, or still of the one before, and how many;
        # the last message that was made of them, with the number of the event that it begins with; a count of
        # the games that were shown; and when something was shown last.
        self._shown: list[str] = self._encoded
        self._count = 0
        self._last: tuple[int, str] = (-1, "")
        self._game = 0
        self._shown_at = -math.inf
        self._spectators = 0
        #: When somebody looked away last, and when something happened last, by the clock of trio.
        self.left_at = -math.inf
        self.happened_at = -math.inf
        # Since when the player to move is thinking; None while nobody is asked.
        self._asked_at: float | None = None
        # Something happened, and something was shown. One of those who look on waits for the former, and
        # sees to it that the others are woken only when there is something for them.
        self._news = trio.Event()
        self._showing = trio.Event()
        self._is_awaited = False

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
        self.happened_at = trio.current_time()
        self._asked_at = self.happened_at if isinstance(event, MoveRequested) else None
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
            if trio.current_time() >= self._due:
                self._show()
            game, seen = -1, 0
            while True:
                if game != self._game:
                    game, seen = self._game, self._count
                    await self._budget.charge(send(self._everything()))
                    await on_reset()
                elif seen < self._count:
                    first, seen = seen, self._count
                    await self._budget.charge(send(self._since(first)))
                elif self._is_awaited:
                    await self._showing.wait()
                else:
                    await self._await_news()
        finally:
            self._spectators -= 1
            self.left_at = trio.current_time()

    async def _await_news(self) -> None:
        """Wait until something happens, show it as soon as that is affordable, and wake all others."""
        self._is_awaited = True
        try:
            if not self._has_more:
                await self._news.wait()
            await trio.sleep(TOGETHER)
            while (rest := self._due - trio.current_time()) > 0:  # noqa: ASYNC110 - others spend meanwhile
                await trio.sleep(rest)
            self._show()
        finally:
            # When this is cancelled, one of the others takes over.
            self._is_awaited = False
            self._showing.set()
            self._showing = trio.Event()

    def _everything(self) -> str:
        """Return the events that are shown as a message, with the seconds the player to move has thought."""
        since = self._asked_at
        thinking = "" if since is None else f',"thinking":{trio.current_time() - since:.3f}'
        return f'{{"reset":[{",".join(self._shown[: self._count])}]{thinking}}}'

    @property
    def _has_more(self) -> bool:
        """Whether something happened that is not shown yet."""
        return bool(self._pending) or self._shown is not self._encoded or self._count < len(self._encoded)

    @property
    def _due(self) -> float:
        """When something may be shown again."""
        return max(self._shown_at + FRAME, self._budget.free_at)

    def _show(self) -> None:
        """Let spectators see what happened."""
        self._shown_at = trio.current_time()
        with self._budget.spending():
            self._encode()
        if self._shown is not self._encoded:
            self._shown, self._count = self._encoded, 0
            self._game += 1
        self._count = len(self._encoded)
        self._last = (-1, "")

    def _encode(self) -> None:
        self._encoded += [encode(as_object(event)) for event in self._pending]
        self._pending = []

    def _since(self, first: int) -> str:
        """Return the events that are shown from number ``first`` on: an object, or a list of several."""
        if self._last[0] != first:
            events = self._shown[first : self._count]
            self._last = (first, events[0] if len(events) == 1 else f"[{','.join(events)}]")
        return self._last[1]
