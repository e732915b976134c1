"""The manager of a Quoridor tournament: it plays the games, and serves requests of other terminals."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

import trio
from attrs import evolve, frozen

from quoridor_net.advice import format_command
from quoridor_net.net.errors import first_error
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.outcome import ForfeitError
from quoridor_net.output import ignore
from quoridor_net.phrases import Translatable
from quoridor_net.players.source import SourceSettings, warm_up
from quoridor_net.players.spec import PlayerSpec, parse_spec
from quoridor_net.text import count_things, parse_number
from quoridor_net.tournament.encoding import MAX_NUMBER
from quoridor_net.tournament.errors import StateError
from quoridor_net.tournament.events import Listener, TournamentStarted
from quoridor_net.tournament.journal import Journal, JournalError
from quoridor_net.tournament.journal.requests import REFUSED
from quoridor_net.tournament.lobby import Lobby
from quoridor_net.tournament.quoridor.cluster import Cluster, on_cluster
from quoridor_net.tournament.quoridor.leaderboard import Leaderboard
from quoridor_net.tournament.quoridor.plan import MAX_AT_ONCE, RULES, Plan
from quoridor_net.tournament.quoridor.references import References, find_references
from quoridor_net.tournament.quoridor.roster import Roster, open_roster
from quoridor_net.tournament.quoridor.terms import check_servers
from quoridor_net.tournament.requirements import AwaitedPhrase
from quoridor_net.tournament.runner import Listen, Tournament
from quoridor_net.tournament.schedule import Pairing, find_entrant
from quoridor_net.tournament.state import TournamentState
from quoridor_net.verdicts import VerdictPhrase

#: Seconds between two checks for requests of other terminals.
POLL = 0.5


class NotReadyError(Exception):
    """An entrant cannot take part; the message names it and the reason."""


class MissingError(NotReadyError):
    """Entrants are missing from a resumed tournament; the others can play without them."""


class UndecidedError(Exception):
    """Games came out void too often; the message says how many, and why. They can be played later."""


@frozen
class Manager:
    """A tournament to play, with its journal.

    Attributes:
        journal: keeps everything.
        state: read from the journal; empty for a new tournament.
        plan: the settings of the tournament.
        entrants: of a new tournament.
        report: gets a line for each step of the preparation.
        tell_awaited: gets a sentence about what the first game waits for.
        cluster: plays games without move servers; None to play all games on this machine.
        concurrency: new maximum number of games at once of a resumed tournament; None to keep it.
        networks: allowed networks of move servers.
        start_without: whether to play if entrants are missing, the games of the others first.
    """

    journal: Journal
    state: TournamentState
    plan: Plan
    entrants: tuple[PlayerSpec, ...] = ()
    report: Callable[[str], None] = ignore
    tell_awaited: Callable[[Translatable], None] = ignore
    cluster: Cluster | None = None
    concurrency: int | None = None
    networks: Networks = EVERYBODY
    start_without: bool = False

    @property
    def _sources(self) -> SourceSettings:
        return SourceSettings(networks=self.networks, report=self.report)

    async def run(self, listeners: Iterable[Listener]) -> bool:
        """Play the remaining games; return whether the tournament is over, rather than stopped.

        Raises:
            NotReadyError: the entrants cannot play together.
            MissingError: an entrant is missing, or too many are.
            UndecidedError: only games remain that came out void too often.
            JournalError: the journal cannot be written.
            ClusterError: the cluster is lost, or has another version of this program.
        """
        is_league = self.plan.format.is_open_ended
        async with open_roster(
            self.plan.terms, self.journal.keep_transcript, self._sources, excuses_absence=is_league
        ) as roster:
            start, missing = await self._gather(roster)
            play = roster.play if self.cluster is None else on_cluster(self.cluster, roster, self.plan.terms)
            tournament = Tournament(
                start,
                self.plan.format,
                play,
                listeners,
                state=self.state,
                record=self.journal,
                concurrency=self.plan.concurrency,
                capacities=roster.capacities,
                servers=roster.servers,
                award=roster.award,
                missing=missing,
                report=self.report,
                lobby=self._open_lobby(roster) if is_league else None,
            )
            if self.concurrency is not None:
                await tournament.set_concurrency(self.concurrency)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._serve, tournament, roster)
                is_over = await tournament.run()
                nursery.cancel_scope.cancel()
        if tournament.undecided:
            raise UndecidedError(_describe_undecided(tournament.undecided))
        return is_over

    def _open_lobby(self, roster: Roster) -> Lobby:
        league = self.plan.league
        references = References(self.state)
        return Lobby(roster.answers, lambda: references.elo, league.rate, league.quiet)

    async def change(self, request: str, argument: str) -> str:
        """Make a change while no program plays the tournament; return the answer."""
        async with open_roster(self.plan.terms, settings=self._sources) as roster:
            state = self.state
            for name, address in zip(state.entrants, state.addresses, strict=True):
                await roster.add(parse_spec(address), name)
            tournament = Tournament(
                TournamentStarted(state.rules, state.entrants, state.settings, state.addresses),
                self.plan.format,
                roster.play,
                state=state,
                record=self.journal,
                capacities=roster.capacities,
                servers=roster.servers,
                award=roster.award,
            )
            return await _answer_of(self._do(tournament, roster, request, argument))

    async def _gather(self, roster: Roster) -> tuple[TournamentStarted, dict[int, Translatable]]:
        """Fill the roster and try the entrants; return the start event and why entrants are missing."""
        try:
            for name, address in zip(self.state.entrants, self.state.addresses, strict=True):
                await roster.add(parse_spec(address), name)
            for entrant in self.entrants:
                await roster.add(entrant)
        except ValueError as error:
            raise NotReadyError(str(error)) from None
        self._check_shared_servers()
        specs = [*self.entrants, *map(parse_spec, self.state.addresses)]
        if any(spec.kind.is_built_in and not spec.kind.is_instant for spec in specs):
            self.tell_awaited(AwaitedPhrase.ENGINE())
        await warm_up(specs, self.report)
        addresses = tuple(entrant.lasting_address for entrant in self.entrants)
        start = TournamentStarted(RULES, roster.names, self.plan.settings(), addresses)
        if self.plan.format.is_open_ended and self.state.has_started:
            # All names are known, and games show who is away.
            return start, {}
        self.tell_awaited(AwaitedPhrase.ENTRANTS())
        everybody = set(range(1, len(roster.names) + 1))
        expected = self._find_expected() if self.state.has_started else everybody
        failures = await roster.introduce(expected)
        sentences = [f"{roster.describe(number)} {reason}" for number, reason in failures.items()]
        # Later, a single entrant may win by the absence of the others.
        needed = 1 if self.state.has_started else 2
        if (
            failures
            and not self.plan.format.is_open_ended
            and not (self.start_without and len(expected - failures.keys()) >= needed)
        ):
            raise MissingError("; ".join(sentences))
        for sentence in sentences:
            self.report(f"{'Away' if self.plan.format.is_open_ended else 'Missing'}: {sentence}.")
        return evolve(start, entrants=roster.names), failures

    def _check_shared_servers(self) -> None:
        """Refuse to resume if present entrants share a server that has no place for all of them.

        Raises:
            NotReadyError: the message names them, and says what to do.
        """
        try:
            check_servers(self._list_present())
        except ValueError as error:
            command = format_command("tournament", "withdraw", str(self.journal.path), "NAME")
            raise NotReadyError(f"{error}. To leave an entrant out: {command}") from None

    def _list_present(self, without: int | None = None) -> list[PlayerSpec]:
        """Return the entrants that have not left, with their names, except the one with this number."""
        state = self.state
        return [
            evolve(parse_spec(address), name=name)
            for number, (name, address) in enumerate(zip(state.entrants, state.addresses, strict=True), 1)
            if number != without and not state.is_withdrawn(number)
        ]

    def _find_expected(self) -> set[int]:
        """Return the numbers of the entrants that may still have a game to play."""
        form, field = self.plan.format, self.state.field()
        if form.needs_results or form.depends_on_presence or form.next_round(field) is not None:
            out = form.places(field) or {}
            return set(field.present) - out.keys()
        return {entrant for pairing in self.state.pending for entrant in pairing.seats}

    async def _serve(self, tournament: Tournament, roster: Roster) -> None:
        """Serve requests of other terminals, and flush events that no game waits for."""
        last = 0
        async with trio.open_nursery() as nursery:
            while True:
                for number, request, argument in await self.journal.requests(last):
                    # In tasks, so that a slow entrant does not delay other requests.
                    nursery.start_soon(self._answer, tournament, roster, number, request, argument)
                    last = number
                await self.journal.flush()
                await trio.sleep(POLL)

    async def _answer(
        self, tournament: Tournament, roster: Roster, number: int, request: str, argument: str
    ) -> None:
        async def do() -> str:
            if request == "add":
                # Before its first game, so that no clock runs meanwhile.
                await warm_up([parse_spec(argument)], self.report)
            return await self._do(tournament, roster, request, argument)

        self.journal.answer(number, await _answer_of(do()))
        await self.journal.flush()

    async def _do(self, tournament: Tournament, roster: Roster, request: str, argument: str) -> str:
        match request:
            case "stop":
                tournament.stop()
                return "No more games will start"
            case "concurrency":
                number = parse_number(argument, 1, MAX_AT_ONCE)
                await tournament.set_concurrency(number)
                return f"{count_things(number, 'game')} at once from now on"
            case "withdraw":
                entrant = find_entrant(self.state.entrants, argument)
                name = self.state.entrants[entrant - 1]
                if self.state.is_withdrawn(entrant):
                    raise ValueError(f"{name} has already left")
                await tournament.withdraw(entrant)
                return f"{name} plays no more games"
            case "pair":
                return await self._choose(tournament, argument)
            case "award":
                return await self._decide(tournament, roster, argument)
            case "add":
                return await self._add(tournament, roster, argument)
            case "renew":
                return await self._renew(tournament, roster, *json.loads(argument))
        raise ValueError(f"the request {request!r} is unknown")

    async def _choose(self, tournament: Tournament, argument: str) -> str:
        """Choose pairings of the next round, given as pairs of names with a comma, between spaces."""
        names = self.state.entrants
        pairs = parse_pairs(names, argument.split())
        before = self.state.field()
        number = await tournament.choose(pairs)
        instead = [pair for pair in before.chosen if pair not in pairs]
        answer = f"Round {number} will have {_list_pairs(names, pairs)}"
        if instead:
            answer += f", no longer {_list_pairs(names, instead)}"
        # Allowed, because the organiser may have a reason, but easily an oversight.
        for repeated, remark in (
            ({frozenset(meeting.seats) for meeting in before.meetings}, "have met before"),
            (self.plan.format.list_apart(), "to be kept apart"),
        ):
            if found := [pair for pair in pairs if frozenset(pair) in repeated]:
                answer += f"; {remark}: {_list_pairs(names, found)}"
        return answer

    async def _decide(self, tournament: Tournament, roster: Roster, argument: str) -> str:
        """Award a game, given by its number, to an entrant, given by its name after a space."""
        game, _, name = argument.partition(" ")
        number = parse_number(game, 1, MAX_NUMBER)
        winner = find_entrant(self.state.entrants, name)
        pairing = self.state.pairing(number)
        called = self.state.entrants[winner - 1]
        if winner not in pairing.seats or len(pairing.seats) != 2:
            raise ValueError(f"{called} is not one of two entrants of game {number}")
        (loser,) = (entrant for entrant in pairing.seats if entrant != winner)

        def award(pairing: Pairing, listener: Listen) -> None:
            roster.award(pairing, [loser], listener, VerdictPhrase.DECIDED())

        await tournament.decide(number, award)
        return f"{called} wins game {number}"

    async def _renew(
        self, tournament: Tournament, roster: Roster, name: str, version: str, address: str
    ) -> str:
        if not self.plan.format.is_open_ended:
            raise ValueError("only entrants of a league have versions")
        number = find_entrant(self.state.entrants, name)
        called = self.state.entrants[number - 1]
        if self.state.is_withdrawn(number):
            raise ValueError(f"{called} has left")
        if number in find_references(self.state.addresses):
            raise ValueError(f"{called} is a reference: its rating is fixed, so it has no versions")
        entrant = parse_spec(address or self.state.addresses[number - 1])
        if find_references([entrant.lasting_address]):
            raise ValueError(f"{entrant.address} would be a reference with a fixed rating: add it instead")
        self.plan.terms.check_newcomer(entrant, self._list_present(number))
        with Leaderboard.open(self.journal.path) as board:
            elo = board.rating(number)

        async def renew() -> None:
            # Checked again, because another may have come to this server while it was tried.
            self.plan.terms.check_newcomer(entrant, self._list_present(number))
            capacity = roster.capacities[number]
            await tournament.renew(number, version, entrant.lasting_address, elo, capacity, entrant.server)

        return f"{await roster.readmit(number, entrant, renew)} plays as version {version} from now on"

    async def _add(self, tournament: Tournament, roster: Roster, argument: str) -> str:
        if not self.plan.format.accepts_late:
            raise ValueError(f"the format {self.plan.form} does not accept late entrants")
        entrant = parse_spec(argument)
        self.plan.terms.check_newcomer(entrant, self._list_present())
        number = self._find_left(entrant)

        async def join(name: str) -> None:
            self.plan.terms.check_newcomer(entrant, self._list_present())
            capacity = roster.capacities[len(roster.names)]
            await tournament.join(name, entrant.lasting_address, capacity, entrant.server)

        async def bring_back() -> None:
            assert number is not None
            self.plan.terms.check_newcomer(entrant, self._list_present())
            capacity = roster.capacities[number]
            await tournament.bring_back(number, entrant.lasting_address, capacity, entrant.server)

        if number is None:
            from_when = "from now on" if self.plan.format.is_open_ended else "from the next round on"
            return f"{await roster.admit(entrant, join)} plays {from_when}"
        return f"{await roster.readmit(number, entrant, bring_back)} is back and keeps its games"

    def _find_left(self, entrant: PlayerSpec) -> int | None:
        """Return the number of the former entrant that is added again; None for a new entrant.

        It has the same address, and the same name if one is given. Built-in players are named by their
        address. A move server may also come back at another address under its name.
        """
        name = entrant.name or (entrant.address if entrant.kind.is_built_in else "")
        left = [
            (number, its_name, address)
            for number, (its_name, address) in enumerate(
                zip(self.state.entrants, self.state.addresses, strict=True), 1
            )
            if self.state.is_withdrawn(number)
        ]
        for number, its_name, address in left:
            server = parse_spec(address).server
            is_there = address == entrant.lasting_address if server is None else server == entrant.server
            # Its name may have got a number, because another entrant had the same one.
            if is_there and (name in {"", its_name} or its_name.rpartition("#")[0] == name):
                return number
        for number, its_name, address in left:
            if its_name == name and None not in {entrant.server, parse_spec(address).server}:
                return number
        return None


def parse_pairs(names: Sequence[str], texts: Iterable[str]) -> list[tuple[int, int]]:
    """Return pairs of entrants, written ``NAME,NAME`` with unambiguous beginnings of names.

    Raises:
        ValueError: a text is malformed, or an entrant is unknown or occurs twice.
    """
    pairs: list[tuple[int, int]] = []
    for text in texts:
        first, comma, second = text.partition(",")
        if not comma:
            raise ValueError(f"{text!r} is not a pair of names like ann,bob")
        pairs.append((find_entrant(names, first), find_entrant(names, second)))
    entrants = [entrant for pair in pairs for entrant in pair]
    if not pairs or len(set(entrants)) != len(entrants):
        raise ValueError("each entrant can have only one opponent")
    return pairs


def _list_pairs(names: Sequence[str], pairs: Iterable[tuple[int, int]]) -> str:
    return ", ".join(f"{names[first - 1]} - {names[second - 1]}" for first, second in pairs)


def _describe_undecided(games: Mapping[int, str]) -> str:
    """Return a sentence with the number of games without a result, and the reason for the first one."""
    number = min(games)
    count = f"{len(games)} games have" if len(games) > 1 else "1 game has"
    return f"{count} no result. Game {number}: {games[number].rstrip('.')}"


async def _answer_of(done: Awaitable[str]) -> str:
    """Return the answer to a request: a sentence, or the reason for a refusal.

    Raises:
        JournalError: the journal cannot be written.
    """
    try:
        return await done
    except JournalError:
        raise
    except (StateError, ValueError, ForfeitError, OSError, MemoryError, ImportError) as error:
        return f"{REFUSED}{error}"
    except Exception as error:
        # A failed request must not end the tournament.
        return f"{REFUSED}internal error: {first_error(error)!r}"
