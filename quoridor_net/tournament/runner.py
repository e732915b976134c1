"""Plays the games of a tournament, as many at once as the entrants and the machine allow."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import trio
from attrs import evolve

from quoridor_net import match
from quoridor_net.outcome import Result
from quoridor_net.output import ignore
from quoridor_net.phrases import Translatable
from quoridor_net.tournament.errors import AbsenceError, ShortageError, StateError
from quoridor_net.tournament.events import (
    EntrantAway,
    EntrantBack,
    EntrantJoined,
    EntrantRenewed,
    EntrantReturned,
    EntrantWithdrawn,
    Event,
    GameEvent,
    Listener,
    RoundPaired,
    SettingChanged,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    TournamentStopping,
)
from quoridor_net.tournament.formats import Field, Format
from quoridor_net.tournament.lobby import FIRST_PAUSE, Lobby
from quoridor_net.tournament.schedule import ATTEMPTS, Pairing, format_chosen
from quoridor_net.tournament.state import TournamentState
from quoridor_net.verdicts import VerdictPhrase

#: Plays one game, calls the listener with all its events, and returns the result that the last one contains.
Play = Callable[[Pairing, match.MatchListener[Any, Any]], Awaitable[Result]]

#: Ends a game because these entrants, given by number, have left; calls the listener with the events.
Award = Callable[[Pairing, Collection[int], match.MatchListener[Any, Any]], object]


#: Gets the events of a game.
Listen = match.MatchListener[Any, Any]


#: After this many seconds, a machine that had no room for another game is tried with one more.
MORE_ROOM_AFTER = 600.0


class EventRecord(Protocol):
    """A place that keeps events."""

    def append(self, event: Event) -> None:
        """Add an event."""

    async def flush(self) -> None:
        """Wait until all events added so far are stored durably."""


class Tournament:
    """One run of a tournament, which can be changed from outside while it plays.

    A game starts as soon as its entrants are free, in the order of the schedule. Only formats that pair by
    results wait for the end of a round.

    Args:
        start: entrants and settings; ignored if the tournament is resumed.
        form: the format.
        play: plays one game. Calls for different games run concurrently. A fault of a player is a result;
            only a fault of this program may raise. A :class:`ShortageError` lowers the concurrency, an
            :class:`AbsenceError` sends entrants of a league away.
        listeners: called with every event, in order; ``state`` already includes it, and ``record``, if any,
            has stored results durably.
        state: of the tournament so far; empty for a new one.
        record: keeps the events.
        concurrency: maximum number of games at once; None for no limit.
        capacities: maximum number of games at once for each entrant, by number; 1 unless given.
        servers: the server of each entrant that plays at one, by number. Entrants at one server share it:
            together they take no more seats at once than each of them may have games.
        attempts: maximum number of times that a void game is played.
        award: ends games of entrants that left as wins of their opponents; in a round robin only at the end,
            because the entrant may return.
        missing: the reason for each entrant that was absent at the start, by number, as a clause without a
            subject. Its games come last; in a league it is away.
        report: gets a line when the concurrency is lowered.
        lobby: of a league; None for other formats.

    Attributes:
        state: of the tournament.
    """

    def __init__(
        self,
        start: TournamentStarted,
        form: Format,
        play: Play,
        listeners: Iterable[Listener] = (),
        *,
        state: TournamentState | None = None,
        record: EventRecord | None = None,
        concurrency: int | None = None,
        capacities: Mapping[int, int] | None = None,
        servers: Mapping[int, Hashable] | None = None,
        attempts: int = ATTEMPTS,
        award: Award | None = None,
        missing: Mapping[int, Translatable] | None = None,
        report: Callable[[str], None] = ignore,
        lobby: Lobby | None = None,
    ) -> None:
        self._lobby = lobby
        self._undecided: dict[int, str] = {}
        self._missing = dict(missing or {})
        self._report = report
        self.state = TournamentState() if state is None else state
        self._start = start
        self._format = form
        self._play = play
        self._listeners = tuple(listeners)
        self._record = record
        self._concurrency = concurrency
        self._capacities = dict(capacities or {})
        self._servers = dict(servers or {})
        self._sharing: defaultdict[Hashable, list[int]] = defaultdict(list)
        for entrant, server in self._servers.items():
            self._sharing[server].append(entrant)
        self._attempts = attempts
        self._award = award
        self._is_stopping = False
        # Whether all rounds are paired, unless an entrant joins or leaves.
        self._is_paired = False
        # Games that have not started yet.
        self._waiting: list[Pairing] = []
        self._running = 0
        self._under_way: set[int] = set()
        # Number of running games of each entrant, and number of starts of each game.
        self._playing: Counter[int] = Counter()
        self._begun: Counter[int] = Counter()
        # Number of starts of each game that failed because the machine had no room for it.
        self._crowded_out: Counter[int] = Counter()
        self._lacks: set[str] = set()
        # How many games at once the machine had room for, and when that was, on trio's clock.
        self._room, self._room_at = math.inf, 0.0
        self._changed = trio.Event()
        self._nursery: trio.Nursery

    async def run(self) -> bool:
        """Play all remaining games, and return whether the tournament is over.

        It is not over if it was stopped or if void games used up their attempts; it can be resumed then.
        After a cancellation, ``state`` has the results of the games that are over.
        """
        await self._apply(TournamentResumed() if self.state.has_started else self._start)
        await self._award_unplayed()
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            if self._lobby is not None:
                await self._take_attendance(self._lobby)
            self._waiting = self._sort(self.state.pending)
            while True:
                self._changed = trio.Event()
                await self._pair()
                ready = self._take_ready()
                for pairing in ready:
                    nursery.start_soon(self._play_one, pairing)
                if ready and (self._format.depends_on_presence or self._lobby is not None):
                    # Games of the next round may start, too.
                    continue
                if not self._running and (self._lobby is None or self._is_stopping):
                    break
                # In a league, entrants also become free by themselves, for instance after quiet hours.
                with trio.move_on_at(self._find_next_change()):
                    await self._changed.wait()
            if self._lobby is not None:
                # Nobody waits for absent entrants any more.
                nursery.cancel_scope.cancel()
        if self.state.pending or self._waiting or self._lobby is not None:
            return False
        if self._is_stopping and self._format.next_round(self.state.field()) is not None:
            return False
        await self._award_unplayed(is_over=True)
        await self._apply(TournamentEnded())
        return True

    def stop(self) -> None:
        """Start no more games; finish the running ones."""
        if self._is_stopping:
            return
        self._is_stopping = True
        self._changed.set()
        for listener in self._listeners:
            listener(TournamentStopping())

    async def set_concurrency(self, concurrency: int) -> None:
        """Change the maximum number of games at once, also for when the tournament is resumed.

        Raises:
            StateError: the tournament has no such setting.
        """
        await self._apply(SettingChanged("concurrency", concurrency))
        self._concurrency = concurrency
        self._changed.set()

    async def choose(self, pairs: Sequence[tuple[int, int]]) -> int:
        """Choose pairings of the next round, and return its number; the others are paired as usual.

        Raises:
            ValueError: the format cannot, no round is left, or an entrant is unknown, has left, or asked for
                a bye then.
        """
        number = self.state.rounds + 1
        field = self.state.field()
        present = set(field.present)
        if not self._format.accepts_chosen:
            raise StateError("this format pairs all games itself")
        if not self._format.count_unpaired(field):
            raise StateError(f"round {self.state.rounds} is the last one, and its games are already paired")
        if any(entrant not in present for pair in pairs for entrant in pair):
            raise StateError("an entrant of these pairings has left")
        self._format.check_chosen(number, pairs, self.state.entrants)
        await self._apply(SettingChanged("pairings", format_chosen(number, pairs)))
        return number

    async def decide(self, game: int, award: Callable[[Pairing, Listen], object]) -> None:
        """End a game that has not started with the events of ``award``.

        Raises:
            StateError: there is no such game, or it is running or over.
        """
        pairing = self.state.pairing(game)
        if not self.state.is_open(pairing) or game in self._under_way:
            is_running = game in self._under_way or game in self.state.running
            status = "running" if is_running else "over" if self.state.is_decided(game) else "cancelled"
            raise StateError(f"game {game} is {status}: only a game that has not started can be awarded")
        events: list[Event] = []
        award(pairing, lambda event: events.append(GameEvent(game, event)))
        self._waiting = [each for each in self._waiting if each.number != game]
        for event in events:
            self.state.apply(event)
        await self._announce(*events)
        self._changed.set()

    async def withdraw(self, entrant: int) -> None:
        """Withdraw an entrant; a game that it is playing still counts.

        Raises:
            StateError: there is no such entrant, or it has left already.
        """
        await self._apply(EntrantWithdrawn(entrant))
        self._is_paired = False
        still = set(self.state.pending)
        self._waiting = [pairing for pairing in self._waiting if pairing in still]
        await self._award_unplayed()
        self._changed.set()

    async def _award_unplayed(self, *, is_over: bool = False) -> None:
        """Award the remaining games of entrants that left to their opponents, if the format says so."""
        is_due = self._format.awards_unplayed or (self._format.is_round_robin and is_over)
        if self._award is None or not is_due:
            return
        events: list[Event] = []

        def listen(game: int, event: match.MatchEvent[Any, Any]) -> None:
            events.append(GameEvent(game, event))

        for pairing in self.state.list_cancelled():
            gone = [entrant for entrant in pairing.seats if self.state.is_withdrawn(entrant)]
            if self._format.is_round_robin and not all(map(self.state.has_played_half, gone)):
                # None of its games count.
                continue
            # A game that is about to start is played.
            if pairing.number not in self._under_way and len(gone) < len(pairing.seats):
                self._award(pairing, gone, partial(listen, pairing.number))
        for event in events:
            self.state.apply(event)
        await self._announce(*events)

    async def join(self, name: str, address: str, capacity: int = 1, server: Hashable = None) -> None:
        """Add an entrant, to play from the next round on.

        Args:
            name: of the entrant.
            address: where to reach it again.
            capacity: its maximum number of games at once.
            server: the server that it plays at; None if it shares none.

        Raises:
            StateError: the name is taken.
        """
        half_byes = self._format.half_byes_of_late(self.state.field())
        await self._apply(EntrantJoined(name, address, half_byes))
        self._is_paired = False
        self._set_place(len(self.state.entrants), capacity, server)
        self._changed.set()

    async def bring_back(
        self, entrant: int, address: str, capacity: int = 1, server: Hashable = None
    ) -> None:
        """Bring back an entrant that left; the arguments are the same as for :meth:`join`.

        Raises:
            StateError: it has not left.
        """
        before = set(self.state.pending)
        await self._apply(EntrantReturned(entrant, address))
        self._is_paired = False
        self._set_place(entrant, capacity, server)
        if self._lobby is not None:
            self._lobby.call_soon(entrant)
        # Games paired while the event was written are waiting already.
        known = before.union(self._waiting)
        self._waiting[:0] = [
            pairing
            for pairing in self.state.pending
            if pairing not in known and pairing.number not in self._under_way
        ]
        self._changed.set()

    async def renew(
        self,
        entrant: int,
        version: str,
        address: str,
        elo: float | None,
        capacity: int = 1,
        server: Hashable = None,
    ) -> None:
        """Announce a new version of an entrant of a league.

        Args:
            entrant: its number.
            version: the name of the version.
            address: where to reach it from now on.
            elo: its rating so far; None if it has none.
            capacity: its maximum number of games at once.
            server: the server that it plays at; None if it shares none.

        Raises:
            StateError: it has left.
        """
        await self._apply(EntrantRenewed(entrant, version, address, elo))
        self._set_place(entrant, capacity, server)
        if self._lobby is not None:
            self._lobby.call_soon(entrant)
        self._changed.set()

    def _set_place(self, entrant: int, capacity: int, server: Hashable) -> None:
        """Set the capacity and the server of an entrant."""
        self._capacities[entrant] = capacity
        if entrant in self._servers:
            self._sharing[self._servers.pop(entrant)].remove(entrant)
        if server is not None:
            self._servers[entrant] = server
            self._sharing[server].append(entrant)

    @property
    def undecided(self) -> dict[int, str]:
        """The reason why each game that used up its attempts is void, by game number."""
        is_open = {pairing.number for pairing in self.state.pending}
        return {number: reason for number, reason in self._undecided.items() if number in is_open}

    async def _pair(self) -> None:
        """Pair the next rounds, as far as the results so far allow."""
        rounds: list[RoundPaired] = []
        if self._is_paired:
            return
        while self._may_pair():
            made = self._format.next_round(self._find_field())
            if made is None:
                self._is_paired = not (
                    self._format.needs_results or self._format.watches_results or self._lobby is not None
                )
                break
            number = self.state.rounds + 1
            seats = zip(made.games, made.pairs, strict=True)
            pairings = tuple(
                Pairing(game, number, each, pair)
                for game, (each, pair) in enumerate(seats, self.state.last_game + 1)
            )
            rounds.append(RoundPaired(number, pairings, made.byes, made.half_byes))
            self.state.apply(rounds[-1])
            # Postponed games stay behind all others.
            place = 0 if self._format.depends_on_presence else len(self._waiting)
            self._waiting[place:place] = pairings
        self._waiting = self._sort(self._waiting)
        await self._announce(*rounds)

    def _find_field(self) -> Field:
        """Return the field, in a league with the entrants that can start a game now."""
        field = self.state.field()
        if self._lobby is None:
            return field
        waiting = {entrant for pairing in self._waiting for entrant in pairing.seats}
        free = {
            entrant: waited
            for entrant, waited in self._lobby.find_free(field.present)
            if entrant not in waiting and self._has_room((entrant,))
        }
        return evolve(field, free=free, fixed=self._lobby.fixed)

    def _find_next_change(self) -> float:
        """Return the next time, on trio's clock, when a game may start without any event."""
        if self._lobby is None or self._is_full:
            return math.inf
        present = self.state.field().present
        return self._lobby.find_next_change([entrant for entrant in present if self._has_room((entrant,))])

    async def _take_attendance(self, lobby: Lobby) -> None:
        """Send away the entrants that were missing at the start, and try those that were away before."""
        for entrant in self.state.away:
            self._nursery.start_soon(self._wait_for, lobby, entrant, 0.0)
        for entrant, reason in self._missing.items():
            await self._send_away(lobby, entrant, reason)

    async def _send_away(
        self, lobby: Lobby, entrant: int, reason: Translatable, pause: float = FIRST_PAUSE
    ) -> None:
        """Pair an entrant of a league no more until it answers; games that have not started are cancelled.

        It is tried after ``pause`` seconds.
        """
        if entrant in self.state.away or self.state.is_withdrawn(entrant):
            return
        await self._apply(EntrantAway(entrant, reason))
        is_open = set(self.state.pending)
        self._waiting = [pairing for pairing in self._waiting if pairing in is_open]
        self._nursery.start_soon(self._wait_for, lobby, entrant, pause)

    async def _wait_for(self, lobby: Lobby, entrant: int, pause: float) -> None:
        await lobby.wait_for(entrant, pause)
        # It may have left meanwhile.
        if entrant in self.state.away:
            await self._apply(EntrantBack(entrant))
            self._changed.set()

    def _sort(self, pairings: Iterable[Pairing]) -> list[Pairing]:
        """Return games in order of play: those of missing entrants come last."""
        return sorted(pairings, key=lambda pairing: not self._missing.keys().isdisjoint(pairing.seats))

    def _may_pair(self) -> bool:
        """Return whether everything that the next round depends on is known."""
        if self._is_stopping or (self._format.needs_results and (self._waiting or self._running)):
            return False
        if self._lobby is not None:
            return not self._is_full and not any(self._has_room(each.seats) for each in self._waiting)
        if self._format.depends_on_presence:
            return not self._is_full and all(self._begun[pairing.number] for pairing in self._waiting)
        return True

    def _take_ready(self) -> list[Pairing]:
        """Remove the games that can start now from the waiting ones, and return them."""
        ready: list[Pairing] = []
        if self._is_stopping or (self._lobby is not None and self._lobby.is_quiet):
            return ready
        for pairing in self._waiting:
            if self._is_full:
                break
            if self._has_room(pairing.seats):
                self._playing.update(pairing.seats)
                if self._lobby is not None:
                    self._lobby.note(pairing.seats, has_begun=True)
                self._running += 1
                self._under_way.add(pairing.number)
                ready.append(pairing)
        for pairing in ready:
            self._waiting.remove(pairing)
        return ready

    @property
    def _most_at_once(self) -> float:
        """The maximum number of games at once, now."""
        wanted = math.inf if self._concurrency is None else self._concurrency
        return min(wanted, self._room + (trio.current_time() - self._room_at) // MORE_ROOM_AFTER)

    @property
    def _is_full(self) -> bool:
        return self._running >= self._most_at_once

    def _has_room(self, seats: Collection[int]) -> bool:
        """Return whether all entrants of a game can play another one."""
        if any(self._playing[entrant] >= self._capacities.get(entrant, 1) for entrant in seats):
            return False
        wanted = Counter(self._servers[entrant] for entrant in seats if entrant in self._servers)
        for server, places in wanted.items():
            sharing = self._sharing[server]
            taken = sum(self._playing[entrant] for entrant in sharing)
            least = min(
                self._capacities.get(entrant, 1)
                for entrant in sharing
                if entrant in seats or not self.state.is_withdrawn(entrant)
            )
            # An idle server takes any game; otherwise a game too large for it would block the tournament.
            if taken and taken + places > least:
                return False
        return True

    async def _play_one(self, pairing: Pairing) -> None:
        ended: list[GameEvent] = []

        def listen(event: match.MatchEvent[Any, Any]) -> None:
            happened = GameEvent(pairing.number, event)
            if self._record is not None:
                self._record.append(happened)
                if isinstance(event, match.GameEnded):
                    # Announced after the flush, so that no listener sees a result that may be lost.
                    ended.append(happened)
                    return
            self._tell(happened)

        self._begun[pairing.number] += 1
        result: Result | None = None
        lack = ""
        try:
            result = await self._play(pairing, listen)
        except ShortageError as error:
            lack = str(error)
        except AbsenceError as error:
            assert self._lobby is not None, "only leagues excuse absences"
            for entrant, reason in error.absences.items():
                await self._send_away(self._lobby, entrant, reason)
        finally:
            if self._record is not None:
                await self._record.flush()
            for happened in ended:
                self._tell(happened)
        self._playing.subtract(pairing.seats)
        self._running -= 1
        self._under_way.remove(pairing.number)
        if self._lobby is not None:
            await self._return_to(self._lobby, pairing, result)
        if lack and self._running:
            self._lower_concurrency(lack)
            self._crowded_out[pairing.number] += 1
        if (result is None or result.is_void) and self.state.is_open(pairing):
            self._play_again(pairing, lack if result is None else result.sentence)
        else:
            # A league must not keep anything of its many games.
            del self._begun[pairing.number]
            self._crowded_out.pop(pairing.number, None)
        await self._award_unplayed()
        self._changed.set()

    async def _return_to(self, lobby: Lobby, pairing: Pairing, result: Result | None) -> None:
        """Return the entrants of a game that is over to the lobby; those with too many faults rest."""
        lobby.note(pairing.seats, has_begun=False)
        rests = {} if result is None else lobby.find_rests(pairing, result)
        for entrant, (count, pause) in rests.items():
            await self._send_away(lobby, entrant, VerdictPhrase.RESTS(faults=count, seconds=pause), pause)

    def _play_again(self, pairing: Pairing, reason: str) -> None:
        """Put a void game behind the others, unless it has used up its attempts."""
        number = pairing.number
        if self._lobby is not None:
            # A league has no last game that would end it.
            self._lobby.pause()
        if self._begun[number] - self._crowded_out[number] < self._attempts:
            self._waiting.append(pairing)
        else:
            self._undecided[number] = reason

    def _lower_concurrency(self, lack: str) -> None:
        """Limit the concurrency to the games running now, because the machine has no room for another."""
        if self._is_full:
            return
        before, self._room, self._room_at = self._running + 1, self._running, trio.current_time()
        # Reported once: many games may fail at the same moment, each lowering the number.
        if lack not in self._lacks:
            self._lacks.add(lack)
            self._report(f"This machine cannot run {before} games at once: {lack}. Running fewer for now.")

    async def _apply(self, event: Event) -> None:
        self.state.apply(event)
        await self._announce(event)

    async def _announce(self, *events: Event) -> None:
        """Record events that ``state`` includes, then pass them to the listeners."""
        if self._record is not None and events:
            for event in events:
                self._record.append(event)
            await self._record.flush()
        for event in events:
            for listener in self._listeners:
                listener(event)

    def _tell(self, event: GameEvent) -> None:
        self.state.apply(event)
        for listener in self._listeners:
            listener(event)
