"""Where the players of one entrant come from: this process, programs, move servers on the LAN."""

from __future__ import annotations

import abc
import io
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress

import trio
from attrs import frozen

from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.outcome import ForfeitError, NotStartedError, Termination
from quoridor_net.output import ignore
from quoridor_net.players import Clock, Player
from quoridor_net.players.athens import AthensPlayer
from quoridor_net.players.greeting import ATTEMPT, Greeting, greet
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.registry import make_player
from quoridor_net.programs.address import located
from quoridor_net.programs.process import Limits
from quoridor_net.programs.source import EngineSettings, EngineSource, open_engines
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.rules import Move, Position
from quoridor_net.shortage import lack_of
from quoridor_net.text import visible, wire_name
from quoridor_net.tournament.entrants import Entrant, Kind
from quoridor_net.tournament.terms import GameTerms
from quoridor_net.verdicts import VerdictPhrase, reason_of

#: Seconds between two attempts to greet a move server that closes the connection, as one does that is busy.
RETRY = 1.0

#: Makes a player for one game from a seed; None for other moves every time.
MakePlayer = Callable[[int | None], Player[Position, Move]]


class AbsentPlayer(Player[Position, Move]):
    """Holds the seat of an entrant that did not come, and forfeits the game."""

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
        """Never called: the player is out before.

        Raises:
            ForfeitError: always.
        """
        raise self._fault


class Member(abc.ABC):
    """One entrant: where its players come from.

    Attributes:
        name: what it is called; empty until it said.
    """

    def __init__(self, entrant: Entrant) -> None:
        self.entrant = entrant
        self.name = entrant.name

    async def introduce(self) -> None:  # noqa: B027 - most know their names
        """Find out what the entrant calls itself.

        Raises:
            ForfeitError: it does not come.
            OSError: the machine cannot start it.
        """

    async def arrive(self) -> None:  # noqa: B027 - most are always there
        """Wait for the entrant; a game begins when everybody is there.

        Raises:
            ForfeitError: it does not come.
            OSError: this machine has no descriptors or memory for it.
        """

    async def leave(self) -> None:  # noqa: B027 - most have nothing to close
        """Close what is open."""

    async def retire(self) -> None:
        """Close what no running game needs: there will be no other game."""
        await self.leave()

    @abc.abstractmethod
    async def player(self, seed: int | None, transcript: io.StringIO) -> Player[Position, Move]:
        """Return a player for one game; what it sends and receives goes into ``transcript``.

        Raises:
            ForfeitError: the entrant does not come.
            OSError: the machine cannot start it.
        """


class _BuiltIn(Member):
    """A player of this project, in this process."""

    def __init__(self, entrant: Entrant) -> None:
        super().__init__(entrant)
        self.name = entrant.name or entrant.address

    async def player(self, seed: int | None, transcript: io.StringIO) -> Player[Position, Move]:
        entrant = self.entrant
        if entrant.kind is not Kind.ENGINE:
            return make_player(entrant.kind.value, seed)
        # Imported here: only who wants the engine should wait for numba.
        from quoridor_net.engine import Limits
        from quoridor_net.players.engine import EnginePlayer

        limits = Limits(
            time=entrant.think,
            nodes=entrant.nodes,
            depth=entrant.depth,
            level=entrant.level,
            threads=entrant.threads or 1,
        )
        return EnginePlayer(seed, limits)


class _Own(Member):
    """A player that the caller makes, for instance a person at this terminal."""

    def __init__(self, entrant: Entrant, make: MakePlayer) -> None:
        super().__init__(entrant)
        self.name = entrant.name or entrant.address
        self._make = make

    async def player(self, seed: int | None, transcript: io.StringIO) -> Player[Position, Move]:
        return self._make(seed)


class _Program(Member):
    """An engine of the Athens protocol; its processes play many games."""

    def __init__(self, entrant: Entrant, source: EngineSource, start: Position, left: trio.Event) -> None:
        super().__init__(entrant)
        self._start = start
        self._source = source
        self._left = left
        self._patience = source.settings.start_time

    async def introduce(self) -> None:
        try:
            located(self._source.settings.address)
        except ValueError as error:
            did = VerdictPhrase.NOT_STARTED(reason=str(error))
            raise NotStartedError(Termination.ENGINE_CRASH, did) from None
        await self._source.introduce(self._start, self._start.walls_left(1))
        # Programs have blanks in their names, and move servers are told names without.
        own = wire_name("_".join(self._source.name.split()))
        self.name = self.name or own or self._source.settings.address.label

    async def arrive(self) -> None:
        deadline = trio.current_time() + self._patience
        # A program is started for the game. What listens somewhere may come back, as a move server may.
        while not (self._source.settings.address.command or self._source.has_spare):
            try:
                await self._source.prepare()
            except ForfeitError:
                if trio.current_time() + RETRY >= deadline:
                    raise
                await trio.sleep(RETRY)

    async def leave(self) -> None:
        self._left.set()

    async def retire(self) -> None:
        self._source.close()

    async def player(self, seed: int | None, transcript: io.StringIO) -> Player[Position, Move]:
        return AthensPlayer(self._source, self.name)


class _Notes(io.StringIO):
    """What was sent and received on a connection, which the game gets that it is used for."""

    def __init__(self) -> None:
        super().__init__()
        self._file: io.StringIO | None = None

    def write(self, text: str) -> int:
        return super().write(text) if self._file is None else self._file.write(text)

    def continue_in(self, file: io.StringIO) -> None:
        """Write what was noted so far, and all that follows, into ``file``."""
        file.write(self.getvalue())
        self._file = file


@frozen(eq=False)
class _Connection:
    """A connection to a move server that waits for a game.

    Attributes:
        opener: the entrant for which it was opened.
        player: its other end.
        notes: what was sent and received.
        scope: of the task that notices that it is lost.
    """

    opener: Member
    player: LanPlayer
    notes: _Notes
    scope: trio.CancelScope


#: Connections that wait for a game, by move server. Any entrant there takes them, so that nobody opens more
#: while some are idle.
Waiting = defaultdict[Endpoint, list[_Connection]]


class _Server(Member):
    """A move server on the LAN. It is connected to for every game."""

    def __init__(
        self,
        entrant: Entrant,
        terms: GameTerms,
        nursery: trio.Nursery,
        waiting: list[_Connection],
        networks: Networks,
    ) -> None:
        super().__init__(entrant)
        self._terms = terms
        self._networks = networks
        self._nursery = nursery
        # Also the connections that gave the names: many programs of the 2016 class play one game and end.
        self._waiting = waiting

    async def introduce(self) -> None:
        name = await self._arrived()
        self.name = self.name or visible(name)

    async def arrive(self) -> None:
        if not self._waiting:
            await self._arrived()

    async def _arrived(self) -> str:
        """Keep a connection until a game needs it, or the server closes it; return the name."""
        notes = _Notes()
        player = await self._greet(notes)
        if any(connection.opener is self for connection in self._waiting):
            # Another game was quicker.
            await player.leave()
            return player.name
        connection = _Connection(self, player, notes, trio.CancelScope())
        self._waiting.append(connection)
        self._nursery.start_soon(self._keep, connection)
        return player.name

    async def player(self, seed: int | None, transcript: io.StringIO) -> Player[Position, Move]:
        if self._waiting:
            connection = self._waiting.pop(0)
            connection.scope.cancel()
            connection.notes.continue_in(transcript)
            return connection.player
        return await self._greet(transcript)

    async def leave(self) -> None:
        own = [connection for connection in self._waiting if connection.opener is self]
        for connection in own:
            self._waiting.remove(connection)
            connection.scope.cancel()
            await connection.player.leave()

    async def _keep(self, connection: _Connection) -> None:
        """Notice that a connection is lost before there is a game for it."""
        with connection.scope:
            await connection.player.watch()
            # A game may have taken it just now.
            if connection in self._waiting:
                self._waiting.remove(connection)
                await connection.player.leave()

    async def _greet(self, file: io.StringIO) -> LanPlayer:
        """Return a new connection; a server that is busy is tried for as long as one that is away."""
        assert self.entrant.endpoint is not None
        deadline = trio.current_time() + self._terms.no_show_time
        noted = Transcript(file, trio.current_time)
        while True:
            left = round(max(deadline - trio.current_time(), 0.0), 1)
            greeting = Greeting(left, max(left, ATTEMPT), self._terms.gap, self._networks)
            try:
                return await greet(self.entrant.endpoint, greeting, transcript=noted)
            except ForfeitError as fault:
                is_busy = fault.termination is Termination.DISCONNECTED and fault.__cause__ is None
                if not is_busy or trio.current_time() + RETRY >= deadline:
                    raise
            await trio.sleep(RETRY)


async def _hold_engines(
    settings: EngineSettings,
    report: Callable[[str], None],
    left: trio.Event,
    task_status: trio.TaskStatus[EngineSource],
) -> None:
    async with open_engines(settings, report) as source:
        task_status.started(source)
        await left.wait()


async def introduced(member: Member) -> None:
    """Find out what a member calls itself.

    Raises:
        ForfeitError: it does not come; the sentence names its address.
    """
    address = member.entrant.address
    try:
        await member.introduce()
    except ForfeitError as fault:
        raise ForfeitError(
            fault.termination, VerdictPhrase.ABSENCE(name=address, did=fault.sentence), fault.line
        ) from None
    except OSError as error:
        did = VerdictPhrase.NOT_STARTED(reason=lack_of(error) or reason_of(error))
        raise ForfeitError(Termination.ENGINE_CRASH, VerdictPhrase.ABSENCE(name=address, did=did)) from None


async def member_of(
    entrant: Entrant,
    terms: GameTerms,
    nursery: trio.Nursery,
    make: MakePlayer | None = None,
    waiting: Waiting | None = None,
    networks: Networks = EVERYBODY,
    report: Callable[[str], None] = ignore,
) -> Member:
    """Return where the players of an entrant come from.

    Args:
        entrant: who; a program is started when it is needed.
        terms: how it plays.
        nursery: where its programs and connections are looked after.
        make: makes its players, where the caller does that.
        waiting: the connections that it shares with others at its move server; None if there are no others.
        networks: where its move server may be.
        report: gets a line for each remark about its program.
    """
    if make is not None:
        return _Own(entrant, make)
    if entrant.kind is Kind.SERVER:
        assert entrant.server is not None
        shared = [] if waiting is None else waiting[entrant.server]
        return _Server(entrant, terms, nursery, shared, networks)
    if (program := entrant.program) is not None:
        # A program that is missing is noticed when the entrant is tried, and makes games void after that.
        with suppress(ValueError):
            program = located(program)
        seed = None if terms.seed is None else terms.seed + terms.programs
        settings = EngineSettings(program, Limits(terms.memory_limit), seed, start_time=terms.no_show_time)

        def remark(sentence: str) -> None:
            report(f"note: {sentence}")

        left = trio.Event()
        return _Program(
            entrant, await nursery.start(_hold_engines, settings, remark, left), terms.start(), left
        )
    return _BuiltIn(entrant)
