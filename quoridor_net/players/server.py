"""Move servers of the 2016 protocol as sources of players, with one connection per game."""

from __future__ import annotations

from typing import TextIO

import trio

from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.players.greeting import ATTEMPT, Greeting, greet
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.source import PlayerSource
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.text import visible

#: Delay before retrying a move server that closed the connection, as busy ones do, in seconds.
RETRY = 1.0

#: Delay before a line names the server that the application waits for, in seconds.
_NOTICE = 2.0


class ServerSource(PlayerSource):
    """A move server on the LAN, with one connection per game."""

    async def check(self) -> None:
        """Ask the server for its name.

        Raises:
            ForfeitError: the server cannot be reached or greeted.
            OSError: this machine has no descriptors or memory for a connection.
        """
        player = await self.player(None)
        await player.leave()
        self.name = self.name or visible(player.name)

    async def player(self, seed: int | None, transcript: TextIO | None = None) -> LanPlayer:
        """Return the player of a new connection; retry a busy server as long as a missing one.

        Raises:
            ForfeitError: the server cannot be reached or greeted.
            OSError: this machine has no descriptors or memory for a connection.
        """
        failure: ForfeitError | OSError
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._report_waiting)
            try:
                return await self._connect(transcript)
            except (ForfeitError, OSError) as error:
                # Raised outside the nursery, which would wrap it in a group.
                failure = error
            finally:
                nursery.cancel_scope.cancel()
        raise failure

    async def _connect(self, transcript: TextIO | None) -> LanPlayer:
        assert self.spec.endpoint is not None
        deadline = trio.current_time() + self.settings.patience
        record = None if transcript is None else Transcript(transcript, trio.current_time)
        while True:
            left = round(max(deadline - trio.current_time(), 0.0), 1)
            greeting = Greeting(left, max(left, ATTEMPT), self.settings.gap, self.settings.networks)
            try:
                return await greet(self.spec.endpoint, greeting, transcript=record)
            except ForfeitError as fault:
                is_busy = fault.termination is Termination.DISCONNECTED and fault.__cause__ is None
                if not is_busy or trio.current_time() + RETRY >= deadline:
                    raise
            await trio.sleep(RETRY)

    async def _report_waiting(self) -> None:
        """Report after a while that the server is awaited."""
        if self.settings.patience <= _NOTICE:
            return
        await trio.sleep(_NOTICE)
        server = str(self.spec.endpoint)
        who = f"{self.name} at {server}" if self.name not in {"", self.spec.address} else server
        self.settings.report(f"Waiting up to {self.settings.patience:g} s for {who}.")
