"""A correct client of the 2006 Clobber protocol."""

from __future__ import annotations

from trio.abc import Stream

from client.clobber.session import ClobberSession
from quoridor_net.clobber import Move
from quoridor_net.players.random import RandomPlayer


class HonestClient:
    """The real client with a random player."""

    def __init__(self, name: str, seed: int) -> None:
        self._player: RandomPlayer[Move] = RandomPlayer(seed)
        self._name = name
        self.session: ClobberSession | None = None

    async def __call__(self, stream: Stream) -> None:
        self.session = ClobberSession(stream, self._player, self._name)
        await self.session.run()
