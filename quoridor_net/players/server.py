"""Move servers of the 2016 protocol as sources of players: a connection for every game."""

from __future__ import annotations

from typing import TextIO

import trio

from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.players.greeting import ATTEMPT, Greeting, greet
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.source import PlayerSource
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.text import visible

#: Seconds between two attempts to greet a move server that closes the connection, as one does that is busy.
RETRY = 1.0


class ServerSource(PlayerSource):
    """A move server on the LAN. It is connected to for every game."""

    async def check(self) -> None:
        """Learn the name that the server gives itself.

        Raises:
            ForfeitError: it does not come.
            OSError: this machine has no descriptors or memory for a connection.
        """
        player = await self.player(None)
        await player.leave()
        self.name = self.name or visible(player.name)

    async def player(self, seed: int | None, transcript: TextIO | None = None) -> LanPlayer:
        """Return a new connection; a server that is busy is tried for as long as one that is away.

        Raises:
            ForfeitError: the server does not come.
            OSError: this machine has no descriptors or memory for a connection.
        """
        assert self.spec.endpoint is not None
        deadline = trio.current_time() + self.settings.patience
        noted = None if transcript is None else Transcript(transcript, trio.current_time)
        while True:
            left = round(max(deadline - trio.current_time(), 0.0), 1)
            greeting = Greeting(left, max(left, ATTEMPT), self.settings.gap, self.settings.networks)
            try:
                return await greet(self.spec.endpoint, greeting, transcript=noted)
            except ForfeitError as fault:
                is_busy = fault.termination is Termination.DISCONNECTED and fault.__cause__ is None
                if not is_busy or trio.current_time() + RETRY >= deadline:
                    raise
            await trio.sleep(RETRY)
