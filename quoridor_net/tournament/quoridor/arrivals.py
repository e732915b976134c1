"""Arrival of entrants at their games: connections that wait for a game, and no-shows."""

from __future__ import annotations

import io
from collections import defaultdict
from typing import TextIO

import trio
from attrs import frozen

from quoridor_net.net.endpoint import Endpoint
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.server import ServerSource
from quoridor_net.players.source import PlayerSource, SourceSettings, source_of
from quoridor_net.players.spec import PlayerSpec
from quoridor_net.rules import Move, Position
from quoridor_net.shortage import lack_of
from quoridor_net.text import visible
from quoridor_net.verdicts import VerdictPhrase, reason_of


class AbsentPlayer(Player[Position, Move]):
    """A placeholder for an entrant that did not show up; it forfeits the game."""

    def __init__(self, name: str, fault: ForfeitError) -> None:
        self.name = name
        self._fault = fault

    async def ready(self) -> None:
        """Forfeit.

        Raises:
            ForfeitError: always.
        """
        raise self._fault

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Forfeit; never called, because the player is eliminated before its first move.

        Raises:
            ForfeitError: always.
        """
        raise self._fault


class _Notes(io.StringIO):
    """The lines of a connection, kept until a game uses it."""

    def __init__(self) -> None:
        super().__init__()
        self._file: TextIO | None = None

    def write(self, text: str) -> int:
        return super().write(text) if self._file is None else self._file.write(text)

    def continue_in(self, file: TextIO) -> None:
        """Move the lines so far to ``file``, and write later ones there."""
        file.write(self.getvalue())
        self._file = file


@frozen(eq=False)
class _Connection:
    """A connection to a move server that waits for a game.

    Attributes:
        opener: the entrant that opened it.
        player: at its other end.
        notes: the lines sent and received.
        scope: of the task that detects its loss.
    """

    opener: PlayerSource
    player: LanPlayer
    notes: _Notes
    scope: trio.CancelScope


#: Connections that wait for a game, by move server. Any entrant of that server may take them, so that no new
#: ones are opened while some are idle.
Waiting = defaultdict[Endpoint, list[_Connection]]


class _WaitingServer(ServerSource):
    """A move server whose connections wait for the other players of a game."""

    def __init__(self, spec: PlayerSpec, settings: SourceSettings, waiting: list[_Connection]) -> None:
        super().__init__(spec, settings)
        # Includes connections opened to learn names, because many programs of 2016 end after one connection.
        self._waiting = waiting

    async def open(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery

    async def check(self) -> None:
        name = await self._open_connection()
        self.name = self.name or visible(name)

    async def arrive(self) -> None:
        if not self._waiting:
            await self._open_connection()

    async def _open_connection(self) -> str:
        """Open a connection, keep it until a game needs it or the server closes it, and return the name."""
        notes = _Notes()
        player = await super().player(None, notes)
        if any(connection.opener is self for connection in self._waiting):
            # Another game has opened one meanwhile.
            await player.leave()
            return player.name
        connection = _Connection(self, player, notes, trio.CancelScope())
        self._waiting.append(connection)
        self._nursery.start_soon(self._keep, connection)
        return player.name

    async def player(self, seed: int | None, transcript: TextIO | None = None) -> LanPlayer:
        if self._waiting:
            connection = self._waiting.pop(0)
            connection.scope.cancel()
            if transcript is not None:
                connection.notes.continue_in(transcript)
            return connection.player
        return await super().player(seed, transcript)

    async def close(self) -> None:
        own = [connection for connection in self._waiting if connection.opener is self]
        for connection in own:
            self._waiting.remove(connection)
            connection.scope.cancel()
            await connection.player.leave()

    async def _keep(self, connection: _Connection) -> None:
        """Drop a connection that is lost before a game takes it."""
        with connection.scope:
            await connection.player.watch()
            # A game may have just taken it.
            if connection in self._waiting:
                self._waiting.remove(connection)
                await connection.player.leave()


def entrant_source(spec: PlayerSpec, settings: SourceSettings, waiting: Waiting) -> PlayerSource:
    """Return the source of the players of an entrant; the caller opens and closes it.

    Args:
        spec: of the entrant.
        settings: how to start and reach its players.
        waiting: connections shared by the entrants of each move server.
    """
    if spec.server is not None:
        return _WaitingServer(spec, settings, waiting[spec.server])
    return source_of(spec, settings)


async def check(source: PlayerSource) -> None:
    """Try an entrant, and learn its name.

    Raises:
        ForfeitError: it is not available.
    """
    try:
        await source.check()
    except OSError as error:
        raise ForfeitError(Termination.ENGINE_CRASH, explain_absence(error)) from None


def explain_absence(absence: ForfeitError | OSError) -> Translatable:
    """Return why an entrant is absent, as a clause without a subject.

    It contains neither name nor address: pages show it to everybody, and a command may contain what only the
    organiser should know.
    """
    if isinstance(absence, ForfeitError):
        return absence.sentence
    return VerdictPhrase.NOT_STARTED(reason=lack_of(absence) or reason_of(absence))
