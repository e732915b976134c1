"""Every format works when entrants leave or join and the program is interrupted at any moment."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations

import trio
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from quoridor_net.match import GameEnded, GameStarted, Listener
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Position
from quoridor_net.tournament import Event, GameEvent, Pairing, Tournament, TournamentStarted, TournamentState
from quoridor_net.tournament.errors import StateError
from quoridor_net.tournament.events import EntrantJoined, EntrantReturned, EntrantWithdrawn, RoundPaired
from quoridor_net.tournament.formats import Format, FourPlayer, Gauntlet, Knockout, RoundRobin, Swiss
from quoridor_net.tournament.schedule import ATTEMPTS

#: Maximum duration of a game, in seconds.
LONGEST = 10.0


@frozen
class Course:
    """The course of events of a tournament.

    Attributes:
        entrants: in the beginning.
        withdrawals: when somebody leaves, and who.
        arrivals: when somebody comes late.
        returns: when everybody that left comes back.
        interruptions: when the program is ended and resumed.
        voids: whether some games come out void.
        seed: of the results.
    """

    entrants: int
    withdrawals: dict[float, int]
    arrivals: list[float]
    returns: list[float]
    interruptions: list[float]
    voids: bool
    seed: int

    @property
    def is_smooth(self) -> bool:
        return not (self.withdrawals or self.arrivals or self.voids)


moments = st.floats(0.01, 200, allow_nan=False)


def courses(least: int, most: int, latecomers: int) -> st.SearchStrategy[Course]:
    return st.integers(least, most).flatmap(
        lambda entrants: st.builds(
            Course,
            st.just(entrants),
            st.dictionaries(moments, st.integers(1, entrants), max_size=min(4, entrants - 1)),
            st.lists(moments, max_size=latecomers),
            st.lists(moments, max_size=2),
            st.lists(moments, max_size=3),
            st.booleans(),
            st.integers(0, 2**32),
        )
    )


@frozen
class Played:
    """A finished tournament with all its events."""

    state: TournamentState
    events: Sequence[Event]

    @property
    def stayed(self) -> list[int]:
        """The entrants present from start to end."""
        field = self.state.field()
        # An entrant that came back has missed rounds.
        away = {event.entrant for event in self.events if isinstance(event, EntrantWithdrawn)}
        return [entrant for entrant in field.present if entrant not in field.joined and entrant not in away]

    def count_meetings(self) -> Counter[frozenset[int]]:
        """Return the number of counted games of each pair of entrants."""
        return Counter(
            frozenset(two) for pairing, _ in self.state.results() for two in combinations(pairing.seats, 2)
        )


class Stage:
    """A simulated tournament."""

    def __init__(self, form: Format, course: Course) -> None:
        self.form, self.course = form, course
        self.state = TournamentState()
        self.events: list[Event] = []
        self.attempts: Counter[int] = Counter()
        self._playing: set[int] = set()
        self._todo = sorted(
            [(when, "leave", str(who)) for when, who in course.withdrawals.items()]
            + [(when, "come", f"late{number}") for number, when in enumerate(course.arrivals)]
            + [(when, "return", "") for when in course.returns]
            + [(when, "interrupt", "") for when in course.interruptions]
        )

    async def play(self) -> None:
        """Play the tournament, resuming it after each interruption."""
        start = TournamentStarted("hex", tuple(f"e{number}" for number in range(self.course.entrants)))
        began = trio.current_time()
        while not self.state.is_over:
            tournament = Tournament(
                start, self.form, self._play_game, [self.events.append], state=self.state, concurrency=5
            )
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._interfere, tournament, began, nursery.cancel_scope)
                await tournament.run()
                nursery.cancel_scope.cancel()

    async def _interfere(self, tournament: Tournament, began: float, scope: trio.CancelScope) -> None:
        while self._todo:
            when, what, who = self._todo[0]
            # Not at the same moment as the restart.
            await trio.sleep_until(max(began + when, trio.current_time() + 0.001))
            del self._todo[0]
            if what == "interrupt":
                scope.cancel()
            elif what == "leave":
                # A former entrant cannot leave again.
                with suppress(StateError):
                    await tournament.withdraw(int(who))
            elif what == "return" and self.form.accepts_late:
                for entrant in tuple(self.state.field().withdrawn):
                    await tournament.bring_back(entrant, "")
            elif what == "come" and self.form.accepts_late:
                await tournament.join(who, "")

    async def _play_game(self, pairing: Pairing, listener: Listener) -> Result:
        assert self._playing.isdisjoint(pairing.seats)
        self._playing.update(pairing.seats)
        self.attempts[pairing.number] += 1
        chance = random.Random(f"{self.course.seed} {pairing.number} {self.attempts[pairing.number]}")
        names, start = tuple(self.state.entrants[entrant - 1] for entrant in pairing.seats), Position()
        try:
            listener(GameStarted(names, start, 30.0, 1000))
            await trio.sleep(LONGEST * chance.random())
            result = self.draw_result(len(pairing.seats), chance)
            listener(GameEnded(result, names, start))
        finally:
            self._playing.difference_update(pairing.seats)
        return result

    def draw_result(self, seats: int, chance: random.Random) -> Result:
        """Return a random result."""
        if self.course.voids and chance.random() < 0.3:
            return Result(None, Termination.ABORTED, "The game was aborted.", 0)
        if seats == 2 and chance.random() < 0.2:
            return Result(None, Termination.PLY_LIMIT, "Drawn.", 0)
        return Result(chance.randint(1, seats), Termination.GOAL, "It is over.", 0)


def play(form: Format, course: Course, stage_class: type[Stage] = Stage) -> Played:
    """Play a tournament, and check the properties of all tournaments."""
    stage = stage_class(form, course)
    trio.run(stage.play, clock=MockClock(autojump_threshold=0))
    played = Played(stage.state, stage.events)
    check_all(played, stage.attempts)
    return played


def check_all(played: Played, attempts: Counter[int]) -> None:
    """Check the properties of all tournaments."""
    state, field = played.state, played.state.field()
    # Every paired game has a result, used up its attempts, or lacks an entrant that left.
    for number in range(1, state.last_game + 1):
        pairing = state.pairing(number)
        assert len(set(pairing.seats)) == len(pairing.seats)
        has_all = field.withdrawn.keys().isdisjoint(pairing.seats)
        assert number in state.decided or attempts[number] >= ATTEMPTS or not has_all
    gone: set[int] = set()
    here = len(state.entrants) - len(field.joined)
    ended: Counter[int] = Counter()
    for event in played.events:
        match event:
            case EntrantWithdrawn(entrant):
                gone.add(entrant)
            case EntrantReturned(entrant):
                gone.remove(entrant)
            case EntrantJoined():
                here += 1
            case RoundPaired(_, pairings, byes):
                for seats in (*(pairing.seats for pairing in pairings), byes):
                    assert gone.isdisjoint(seats)
                    assert max(seats, default=1) <= here
            case GameEvent(game, GameStarted()):
                assert gone.isdisjoint(state.pairing(game).seats)
            case GameEvent(game, GameEnded(result=result)) if not result.is_void:
                ended[game] += 1
    assert ended == dict.fromkeys(state.decided, 1)


@settings(max_examples=15, deadline=None)
@given(courses(2, 12, 2), st.integers(1, 3))
def test_round_robins_stay_complete(course: Course, games: int) -> None:
    played = play(RoundRobin(games), course)
    here = played.state.field().present
    check_meetings(played, games, list(combinations(here, 2)), course)


@settings(max_examples=15, deadline=None)
@given(courses(2, 20, 3), st.integers(1, 3))
def test_gauntlets_stay_complete(course: Course, games: int) -> None:
    played = play(Gauntlet(games), course)
    here = played.state.field().present
    check_meetings(played, games, [(1, other) for other in here if other > 1 and 1 in here], course)


def check_meetings(played: Played, games: int, wanted: list[tuple[int, int]], course: Course) -> None:
    """Check that all of ``wanted`` met ``games`` times, with alternating colours."""
    met = played.count_meetings()
    assert max(met.values(), default=0) <= games
    begun = Counter(
        pairing.seats for pairing in map(played.state.pairing, range(1, played.state.last_game + 1))
    )
    for one, other in wanted:
        assert begun[one, other] + begun[other, one] == games
        assert abs(begun[one, other] - begun[other, one]) <= 1
        if not course.voids:
            assert met[frozenset((one, other))] == games
    pairs: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for number in range(1, played.state.last_game + 1):
        pairing = played.state.pairing(number)
        if pairing.pair:
            pairs[pairing.pair].append(pairing.seats)
    for first, *second in pairs.values():
        # Skipped if an entrant left between the two.
        assert second in ([], [first[::-1]])


@settings(max_examples=15, deadline=None)
@given(courses(2, 64, 3), st.integers(1, 2))
def test_swiss_tournaments_keep_their_rules(course: Course, games: int) -> None:
    form = Swiss(None, games, course.seed)
    played = play(form, course)
    state = played.state
    met: set[frozenset[int]] = set()
    byes: Counter[int] = Counter()
    for event in played.events:
        if not isinstance(event, RoundPaired):
            continue
        now = {frozenset(pairing.seats) for pairing in event.pairings}
        here = 2 * len(now) + len(set(event.byes))
        assert sorted(e for two in now for e in two) == sorted({e for two in now for e in two})
        assert len(set(event.byes)) == here % 2
        byes.update(set(event.byes))
        if event.round <= here // 2:
            # While entrants have met at most half of the others, repeated meetings are avoidable.
            assert met.isdisjoint(now)
            assert max(byes.values(), default=0) <= 1
        met |= now
    if course.is_smooth:
        assert state.rounds == form.rounds or max(1, (course.entrants - 1).bit_length())


@settings(max_examples=15, deadline=None)
@given(courses(2, 32, 0), st.integers(1, 3))
def test_knockouts_end_with_a_winner(course: Course, games: int) -> None:
    form = Knockout(games)
    played = play(form, course)
    places = form.places(played.state.field())
    assert sorted(places) == list(range(1, course.entrants + 1))
    assert Counter(places.values())[1] == 1


@settings(max_examples=15, deadline=None)
@given(courses(4, 32, 3), st.integers(1, 8))
def test_four_player_tournaments_stay_balanced(course: Course, rounds: int) -> None:
    played = play(FourPlayer(rounds, course.seed), course)
    state = played.state
    begun: Counter[int] = Counter()
    seats: Counter[tuple[int, int]] = Counter()
    for event in played.events:
        if isinstance(event, RoundPaired):
            seated = [entrant for pairing in event.pairings for entrant in pairing.seats]
            assert len(set(seated)) == len(seated)
            begun.update(seated)
            seats.update((e, seat) for pairing in event.pairings for seat, e in enumerate(pairing.seats))
    counts = [begun[entrant] for entrant in played.stayed]
    assert max(counts, default=0) - min(counts, default=0) <= 1
    for entrant in played.stayed:
        had = [seats[entrant, seat] for seat in range(4)]
        assert max(had) - min(had) <= 3
    assert state.rounds == rounds or len(state.field().present) < 4
