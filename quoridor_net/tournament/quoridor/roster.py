"""The roster of a running Quoridor tournament, which provides a player of each entrant for every game."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import reduce

import trio
from attrs import evolve

from quoridor_net.match import GameEnded, Listener, MatchEvent, MatchSettings, PlayerOut, play_match
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.errors import first_error
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.players import Player
from quoridor_net.players.source import PlayerSource, SourceSettings
from quoridor_net.players.spec import PlayerSpec
from quoridor_net.rules import Move, Position
from quoridor_net.shortage import lack_of
from quoridor_net.tournament.errors import AbsenceError, ShortageError
from quoridor_net.tournament.quoridor.arrivals import (
    AbsentPlayer,
    Waiting,
    check,
    entrant_source,
    explain_absence,
)
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.schedule import ATTEMPTS, Pairing, unique_names
from quoridor_net.verdicts import VerdictPhrase, reason_of

#: Keeps a transcript: game, seat and text.
KeepTranscript = Callable[[int, int, str], None]

#: A player of a game, or the reason why there is none.
Seated = Player[Position, Move] | ForfeitError | OSError


class Roster:
    """The entrants, by number from 1. Created by :func:`open_roster`.

    Args:
        terms: of the games.
        nursery: runs the tasks of programs and connections.
        keep_transcript: gets the transcript of each seat of a game that is void or was lost by a fault.
        settings: how to start and reach players, completed by ``terms``.
        excuses_absence: whether a game with an absent entrant is not played; otherwise it is forfeited.
    """

    def __init__(
        self,
        terms: GameTerms,
        nursery: trio.Nursery,
        keep_transcript: KeepTranscript,
        settings: SourceSettings,
        *,
        excuses_absence: bool = False,
    ) -> None:
        self._terms = terms
        self._excuses_absence = excuses_absence
        self._settings = evolve(
            settings,
            patience=terms.no_show_time,
            gap=terms.gap,
            memory_limit=terms.memory_limit,
            seed=None if terms.seed is None else terms.seed + terms.programs,
            start=terms.start(),
            times=(terms.clock, terms.move_time),
        )
        self._nursery = nursery
        self._keep_transcript = keep_transcript
        self._sources: list[PlayerSource] = []
        # Sources that were replaced; they may still play a game.
        self._retired: list[PlayerSource] = []
        self._readmitting = trio.Lock()
        # Connections to move servers that wait for a game.
        self._waiting: Waiting = defaultdict(list)
        # Number of starts of each game, and the entrants that did not show up for it.
        self._begun: Counter[int] = Counter()
        self._missed: defaultdict[int, set[int]] = defaultdict(set)

    async def add(self, entrant: PlayerSpec, name: str = "") -> None:
        """Add an entrant.

        Args:
            entrant: its spec; a program is started on demand.
            name: from a journal.
        """
        source = await self._open(entrant)
        source.name = name or source.name
        self._sources.append(source)

    async def _open(self, entrant: PlayerSpec) -> PlayerSource:
        source = entrant_source(entrant, self._settings, self._waiting)
        await source.open(self._nursery)
        return source

    async def admit(self, entrant: PlayerSpec, join: Callable[[str], Awaitable[None]]) -> str:
        """Try an entrant and add it to a running tournament; return its name.

        Args:
            entrant: its spec. If it is missing or refused, the roster does not change.
            join: gets the name once the entrant has its number.

        Raises:
            ForfeitError: it is not available; the sentence names its address.
            OSError: the machine cannot start it.
            ValueError: ``join`` refuses it.
        """
        source = await self._open(entrant)
        try:
            await _admit(source)
            *_, source.name = unique_names([*self.names, source.name or entrant.address])
            self._sources.append(source)
            try:
                await join(source.name)
            except ValueError:
                self._sources.remove(source)
                raise
        except BaseException:
            with trio.CancelScope(shield=True):
                await source.close()
            raise
        return source.name

    async def readmit(
        self, number: int, entrant: PlayerSpec, bring_back: Callable[[], Awaitable[None]]
    ) -> str:
        """Bring back an entrant that left; return its name, which it keeps.

        Args:
            number: of the entrant.
            entrant: its spec now. If it is missing or refused, the roster does not change.
            bring_back: called once the entrant has its place.

        Raises:
            ForfeitError: it is not available; the sentence names its address.
            OSError: the machine cannot start it.
            ValueError: ``bring_back`` refuses it.
        """
        source = await self._open(entrant)
        # One at a time, because two terminals may bring back the same entrant.
        async with self._readmitting:
            before = self._sources[number - 1]
            source.name = before.name
            try:
                await _admit(source)
                self._sources[number - 1] = source
                try:
                    await bring_back()
                except ValueError:
                    self._sources[number - 1] = before
                    raise
            except BaseException:
                with trio.CancelScope(shield=True):
                    await source.close()
                raise
        await before.retire()
        self._retired.append(before)
        return source.name

    @property
    def capacities(self) -> dict[int, int]:
        """The maximum number of games at once of each entrant, by number."""
        most = 10**6
        return {number: source.spec.games or most for number, source in enumerate(self._sources, 1)}

    @property
    def servers(self) -> dict[int, Endpoint]:
        """The move servers of entrants, by entrant number; equal for entrants that share one."""
        servers = ((number, source.spec.server) for number, source in enumerate(self._sources, 1))
        return {number: server for number, server in servers if server is not None}

    async def introduce(self, entrants: Collection[int] | None = None) -> dict[int, Translatable]:
        """Try entrants, and learn missing names.

        Args:
            entrants: the numbers of the entrants to try; None for all.

        Returns:
            Why each missing entrant is missing, as a clause without a subject, by number in ascending order.
        """
        failures: dict[int, Translatable] = {}

        async def introduce(number: int, source: PlayerSource) -> None:
            try:
                await check(source)
            except ForfeitError as fault:
                failures[number] = fault.sentence

        async with trio.open_nursery() as nursery:
            for number, source in enumerate(self._sources, 1):
                if entrants is None or number in entrants:
                    nursery.start_soon(introduce, number, source)
        names = unique_names(source.name or source.spec.address for source in self._sources)
        for source, name in zip(self._sources, names, strict=True):
            source.name = name
        return dict(sorted(failures.items()))

    async def answers(self, entrant: int) -> bool:
        """Try an entrant of a league that is away, and return whether it is available."""
        try:
            await check(self._sources[entrant - 1])
        except ForfeitError:
            return False
        return True

    def describe(self, entrant: int) -> str:
        """Return the name and the address of an entrant, for the organiser."""
        source = self._sources[entrant - 1]
        address = source.spec.address
        return address if source.name in {"", address} else f"{source.name}: {address}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entrants, by number."""
        return tuple(source.name for source in self._sources)

    def players_of(self, pairing: Pairing) -> tuple[PlayerSpec, ...]:
        """Return the entrants of a game by seat, with their names in this tournament."""
        sources = (self._sources[entrant - 1] for entrant in pairing.seats)
        return tuple(evolve(source.spec, name=source.name) for source in sources)

    async def leave(self) -> None:
        """Close all sources."""
        async with trio.open_nursery() as nursery:
            nursery.cancel_scope.shield = True
            for source in (*self._sources, *self._retired):
                nursery.start_soon(source.close)

    async def play(self, pairing: Pairing, listener: Listener) -> Result:
        """Play one game between entrants and return its result; see :data:`quoridor_net.tournament.Play`.

        Raises:
            AbsenceError: an entrant is absent, and that is excused.
            ShortageError: the machine lacks resources for the game.
        """
        terms = self._terms
        transcripts = [io.StringIO() for _ in pairing.seats]
        seated = await self.seat(pairing, transcripts)
        players = [player for player in seated if isinstance(player, Player)]
        absences = [absence for absence in seated if not isinstance(absence, Player)]
        names = tuple(self._sources[entrant - 1].name for entrant in pairing.seats)
        start = terms.position(pairing)
        is_machine_at_fault = any(isinstance(absence, OSError) for absence in absences)
        if absences and self._excuses_absence and not is_machine_at_fault:
            await _dismiss(players)
            raise AbsenceError(_describe_absences(pairing, seated))
        self._begun[pairing.number] += 1
        if absences:
            if self._is_postponed(pairing, seated):
                await _dismiss(players)
                return _postpone(names, seated, start, listener)
            if not players:
                return _forfeit_for_all(names, seated, start, listener)
        cast = [
            player if isinstance(player, Player) else AbsentPlayer(name, player)
            for name, player in zip(names, seated, strict=True)
            if not isinstance(player, OSError)
        ]
        for name, player in zip(names, cast, strict=True):
            player.name = name
        settings = terms.settings(start, self.players_of(pairing))

        outs: list[int] = []

        def listen(event: MatchEvent[Position, Move]) -> None:
            if isinstance(event, PlayerOut):
                outs.append(event.player)
            # The moves tell the same about a faultless game in a fraction of the space.
            if isinstance(event, GameEnded) and (outs or event.result.is_void):
                # Transcripts go first, so that no result is recorded without them.
                for seat, transcript in enumerate(transcripts, 1):
                    if text := transcript.getvalue():
                        self._keep_transcript(pairing.number, seat, text)
            listener(event)

        result = await play_game(cast, settings, [listen])
        if not result.is_void:
            del self._begun[pairing.number]
            self._missed.pop(pairing.number, None)
        return result

    def award(
        self, pairing: Pairing, gone: Collection[int], listener: Listener, did: Translatable | None = None
    ) -> None:
        """Award a game to the opponent of an entrant that left; see :data:`quoridor_net.tournament.Award`.

        ``did`` is another reason, as a clause without a subject.
        """
        names = tuple(self._sources[entrant - 1].name for entrant in pairing.seats)
        start = self._terms.position(pairing)
        (loser,) = (seat for seat, entrant in enumerate(pairing.seats, 1) if entrant in gone)
        winner = 3 - loser
        fault = ForfeitError(Termination.RESIGNED, did or VerdictPhrase.LEFT())
        listener(PlayerOut(loser, fault, start))
        sentence = VerdictPhrase.FAULT(winner=names[winner - 1], loser=names[loser - 1], did=fault.sentence)
        listener(GameEnded(Result(winner, fault.termination, sentence, 0), names, start))

    def _is_postponed(self, pairing: Pairing, seated: Sequence[Seated]) -> bool:
        """Record absences from a game, and return whether it is postponed for them.

        It is if an entrant is absent for the first time with attempts left, or if this machine is at fault.
        """
        if any(isinstance(player, OSError) for player in seated):
            return True
        missing = {
            entrant
            for entrant, player in zip(pairing.seats, seated, strict=True)
            if isinstance(player, ForfeitError)
        }
        is_first = not missing <= self._missed[pairing.number]
        self._missed[pairing.number] |= missing
        return is_first and self._begun[pairing.number] < ATTEMPTS

    async def seat(self, pairing: Pairing, transcripts: Sequence[io.StringIO] | None = None) -> list[Seated]:
        """Return the players of a game, or the reasons for absence, by seat; the caller closes players.

        Args:
            pairing: the game.
            transcripts: get the lines sent and received, by seat.
        """
        transcripts = transcripts or [io.StringIO() for _ in pairing.seats]
        seated: dict[int, Seated] = {}

        async def seat_one(seat: int, entrant: int) -> None:
            try:
                seated[seat] = await self._sources[entrant - 1].player(
                    self._terms.seed_of(pairing, seat), transcripts[seat - 1]
                )
            except (ForfeitError, OSError) as error:
                seated[seat] = error

        async def wait_for(seat: int, entrant: int) -> None:
            try:
                await self._sources[entrant - 1].arrive()
            except (ForfeitError, OSError) as error:
                seated[seat] = error

        # First wait for all, then connect: many servers close a connection after half a minute without a
        # game, and get a new one once all other entrants have arrived or are known to be absent.
        async with trio.open_nursery() as nursery:
            for seat, entrant in enumerate(pairing.seats, 1):
                nursery.start_soon(wait_for, seat, entrant)
        async with trio.open_nursery() as nursery:
            for seat, entrant in enumerate(pairing.seats, 1):
                if seat not in seated:
                    nursery.start_soon(seat_one, seat, entrant)
        return [seated[seat] for seat in sorted(seated)]


async def _dismiss(players: Iterable[Player[Position, Move]]) -> None:
    """Let players go that were ready for a game."""
    for player in players:
        await player.leave()


async def play_game(
    players: Sequence[Player[Position, Move]], settings: MatchSettings, listeners: Iterable[Listener]
) -> Result:
    """Play a game of a series; if this machine fails, return a void result, as in the last event.

    Raises:
        ShortageError: the machine lacks resources for the game.
    """
    reasons: list[tuple[str, str | None]] = []
    try:
        return await play_match(players, settings, listeners)
    except* (OSError, MemoryError) as group:
        error, lack = first_error(group), lack_of(group)
        reasons.append((reason_of(error) if isinstance(error, OSError) else "", lack))
    ((reason, lack),) = reasons
    if lack is not None:
        raise ShortageError(lack)
    return Result(None, Termination.ABORTED, VerdictPhrase.VOID(reason=reason), 0)


async def _admit(source: PlayerSource) -> None:
    """Try an entrant that is to join.

    Raises:
        ForfeitError: it is not available; the sentence names its address.
    """
    try:
        await check(source)
    except ForfeitError as fault:
        sentence = VerdictPhrase.ABSENCE(name=source.spec.address, did=fault.sentence)
        raise ForfeitError(fault.termination, sentence, fault.line) from None


def _describe_absences(pairing: Pairing, seated: Sequence[Seated]) -> dict[int, Translatable]:
    """Return the reason for each absence, by entrant."""
    return {
        entrant: player.sentence
        for entrant, player in zip(pairing.seats, seated, strict=True)
        if isinstance(player, ForfeitError)
    }


def _postpone(
    names: tuple[str, ...], seated: Sequence[Seated], start: Position, listener: Listener
) -> Result:
    """Announce and return the end of a postponed game.

    Raises:
        ShortageError: the machine lacks resources for the game.
    """
    sentence = VerdictPhrase.PUT_OFF(absences=_list_absences(names, seated))
    result = Result(None, Termination.ABORTED, sentence, 0)
    listener(GameEnded(result, names, start))
    for error in seated:
        if isinstance(error, OSError) and (lack := lack_of(error)) is not None:
            raise ShortageError(lack)
    return result


def _forfeit_for_all(
    names: tuple[str, ...], seated: Sequence[Seated], start: Position, listener: Listener
) -> Result:
    """Announce and return the end of a game without any players."""
    faults = [fault for fault in seated if isinstance(fault, ForfeitError)]
    for seat, fault in enumerate(faults, 1):
        listener(PlayerOut(seat, fault, start))
    sentence = VerdictPhrase.NOBODY_WINS(absences=_list_absences(names, seated))
    result = Result(None, faults[0].termination, sentence, 0, faults[0].line)
    listener(GameEnded(result, names, start))
    return result


def _list_absences(names: Sequence[str], seated: Sequence[object]) -> Translatable:
    """Return a phrase with the absent entrants and the reasons."""
    absences = [
        VerdictPhrase.ABSENCE(name=name, did=explain_absence(absence))
        for name, absence in zip(names, seated, strict=True)
        if isinstance(absence, ForfeitError | OSError)
    ]
    return reduce(lambda first, others: VerdictPhrase.ABSENCES(first=first, others=others), absences)


def _forget(_game: int, _seat: int, _text: str) -> None:
    """Discard a transcript."""


@asynccontextmanager
async def open_roster(
    terms: GameTerms,
    keep_transcript: KeepTranscript = _forget,
    settings: SourceSettings | None = None,
    *,
    excuses_absence: bool = False,
) -> AsyncIterator[Roster]:
    """Open an empty roster for the duration of the context; nothing of its entrants runs afterwards."""
    async with trio.open_nursery() as nursery:
        sources = settings or SourceSettings()
        roster = Roster(terms, nursery, keep_transcript, sources, excuses_absence=excuses_absence)
        try:
            yield roster
        finally:
            await roster.leave()
            nursery.cancel_scope.cancel()
