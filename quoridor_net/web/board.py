"""A board on a page, at which people play one game after another."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from quoridor_net.web.live import LiveGame, Send, Urgency, encode
from quoridor_net.web.seat import Seat


class Board:
    """A board, which shows one game after another.

    Args:
        game: number of its first game.
        live: its first game.
        seats: its seats for people at browsers, which keep their links in all games.
        address: address of the browser that started its games; empty if a program did.
    """

    def __init__(self, game: int, live: LiveGame, seats: Sequence[Seat] = (), address: str = "") -> None:
        #: The current or last game, and its number.
        self.game = game
        #: The number of the game before; None for the first one.
        self.before: int | None = None
        self.live = live
        self.seats = seats
        self.address = address

    async def follow(
        self, send: Send, on_reset: Callable[[], Awaitable[None]], urgency: Urgency | None = None
    ) -> None:
        """Send one game after another, each after its number and that of the one before, until cancelled.

        Args:
            send: sends one message.
            on_reset: called after all events of a game were sent from the start.
            urgency: whether the budget of the spectators does not apply.
        """
        while True:
            game, live = self.game, self.live
            await send(encode({"game": game, "before": self.before}))
            await live.follow(send, on_reset, urgency)
