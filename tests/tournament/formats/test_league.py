"""In a league, entrants of about equal strength meet, and nobody waits while another waits."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import pairwise

import pytest
import trio
from hypothesis import example, given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from quoridor_net.match import GameEnded, GameStarted
from quoridor_net.tournament import EntrantAway, EntrantBack, Event, GameEvent, Tournament, rate
from quoridor_net.tournament.formats import Field, League, Meeting
from quoridor_net.tournament.formats.base import Round
from quoridor_net.tournament.formats.league import NEWCOMER, PATIENCE, PLACEMENT, REACH, REST
from quoridor_net.tournament.lobby import FAULTS, FIRST_PAUSE, LONGEST_PAUSE, QuietHours
from quoridor_net.tournament.ratings import Scale
from tests.support.league import ABSENT, HOUR, SimulatedLeague


class SlowRecord:
    """A record that takes a while to write."""

    def append(self, event: Event) -> None:
        """Do nothing."""

    async def flush(self) -> None:
        """Take a while."""
        await trio.sleep(0.5)


def count_games(league: SimulatedLeague) -> Counter[int]:
    return Counter(entrant for pairing, _ in league.state.results() for entrant in pairing.seats)


def find_uneven(league: SimulatedLeague) -> int:
    """Return the largest difference of first and second moves of an entrant at any time."""
    lead: Counter[int] = Counter()
    seen: set[int] = set()
    most = 0
    for _, event in league.events:
        if isinstance(event, GameEvent) and isinstance(event.event, GameStarted):
            # An interrupted game starts twice.
            if event.game in seen:
                continue
            seen.add(event.game)
            first, second = league.state.pairing(event.game).seats
            lead[first] += 1
            lead[second] -= 1
            most = max(most, abs(lead[first]), abs(lead[second]))
    return most


@settings(max_examples=5)
@given(st.integers(2, 12), st.integers(1, 6), st.integers(0, 2**32))
def test_nobody_starves_and_colours_stay_even(entrants: int, concurrency: int, seed: int) -> None:
    chance = random.Random(seed)
    league = SimulatedLeague(
        [chance.gauss(500, 300) for _ in range(entrants)], concurrency=concurrency, seed=seed
    )
    league.simulate(2 * HOUR)
    games = count_games(league)
    assert len(games) == entrants
    assert min(games.values()) >= 0.5 * sum(games.values()) / entrants
    assert find_uneven(league) <= 1
    check_nobody_waits_while_another_waits(league)


def check_nobody_waits_while_another_waits(league: SimulatedLeague) -> None:
    """Check that two entrants are never free at once for longer than their patience."""
    entrants = len(league.strengths)
    most = min(league._concurrency or entrants, entrants // 2)
    running: set[int] = set()
    since = 0.0
    for time, event in league.events:
        if not isinstance(event, GameEvent):
            continue
        if 2 * len(running) <= entrants - 2 and len(running) < most:
            assert time - since <= PATIENCE + 2
        if isinstance(event.event, GameStarted):
            running.add(event.game)
        elif isinstance(event.event, GameEnded):
            running.remove(event.game)
        since = time


def test_no_pair_meets_more_than_its_share() -> None:
    league = SimulatedLeague([100 * number for number in range(20)], seed=3)
    league.simulate(2 * HOUR)
    games = count_games(league)
    pairs = Counter(frozenset(pairing.seats) for pairing, _ in league.state.results())
    for pair, met in pairs.items():
        assert met <= max(games[entrant] for entrant in pair) / (1 + REST) + 2
    distances = [abs(one - other) for one, other in (sorted(pair) for pair in pairs.elements())]
    # Entrants of this ladder are 6.9 places apart on average.
    assert sum(distances) / len(distances) < 5


def test_entrants_of_equal_strength_meet() -> None:
    met = {1: 0, 2: 0, 3: 0, 4: 0}
    meetings = [
        Meeting(game, seats, points)
        for game in range(1, 20)
        for one, other in ((1, 2), (3, 4))
        for seats, points in (((one, other), (1.0, 0.0)), ((other, one), (0.0, 1.0)))
    ]
    field = Field(4, meetings=meetings, rounds=79, free=dict.fromkeys(met, PATIENCE))
    made = League().next_round(field)
    assert made is not None
    assert set(made.games[0]) == {1, 3}
    assert made.games[1] == made.games[0][::-1]
    assert made.pairs == (80, 80)


def test_reference_entrants_play_only_others() -> None:
    references = (1, 2, 3)
    league = SimulatedLeague([0, 400, 800, 350, 450], references=references, concurrency=3)
    league.simulate(6 * HOUR)
    pairs = Counter(frozenset(pairing.seats) for pairing, _ in league.state.results())
    assert not any(pair <= set(references) for pair in pairs)
    # The nearest one plays most.
    games = count_games(league)
    assert games[2] > max(games[1], games[3])


@settings(max_examples=5)
@given(st.lists(st.integers(-600, 1400), min_size=2, max_size=10), st.integers(1, 4), st.integers(0, 2**32))
# Only the last entrant meets the strongest reference, which has no meetings with others in between.
@example([0, 0, 724], 1, 0)
def test_every_reference_within_reach_has_games(strengths: list[int], concurrency: int, seed: int) -> None:
    scale = [-800.0, 0.0, 387.0, 536.0, 922.0]
    references = range(1, len(scale) + 1)
    league = SimulatedLeague([*scale, *strengths], references=references, concurrency=concurrency, seed=seed)
    league.simulate(8 * HOUR)
    games = count_games(league)
    share = games.total() / (len(scale) + len(strengths))
    for reference, elo in zip(references, scale, strict=True):
        # Far within reach, because entrants are not paired by their true strengths.
        if any(abs(elo - strength) <= REACH / 2 for strength in strengths):
            assert games[reference] >= share / 16, (elo, games, share)


def test_new_entrants_meet_references_first() -> None:
    references = (1, 2, 3)
    league = SimulatedLeague([0, 400, 800, *[400] * 9], references=references, concurrency=3)
    league.simulate(4 * HOUR)
    first: dict[int, list[int]] = {entrant: [] for entrant in range(4, 13)}
    for pairing, _ in league.state.results():
        for entrant, opponent in (pairing.seats, pairing.seats[::-1]):
            if entrant in first:
                first[entrant].append(opponent)
    met = Counter(opponent for opponents in first.values() for opponent in opponents[: 2 * PLACEMENT])
    # Most of their first meetings, and with each of the references.
    assert sum(met[reference] for reference in references) > met.total() / 2
    assert min(met[reference] for reference in references) >= 2


def test_a_league_of_reference_entrants_plays() -> None:
    league = SimulatedLeague([0, 400], references=(1, 2), concurrency=2)
    league.simulate(HOUR)
    assert league.state.decided


def test_a_league_is_not_paired_again_while_only_reference_entrants_are_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = 0
    next_round = League.next_round

    def count(form: League, field: Field) -> Round | None:
        nonlocal tried
        tried += 1
        return next_round(form, field)

    monkeypatch.setattr(League, "next_round", count)
    league = SimulatedLeague([0, 400, 200], references=(1, 2))
    league.simulate(HOUR)
    # Once at the beginning and the end of each game, and once more for its meeting.
    assert tried <= 3 * len(league.state.decided) + 3


def test_an_absent_entrant_is_away_and_loses_nothing() -> None:
    league = SimulatedLeague([500] * 4)

    async def vanish(league: SimulatedLeague) -> None:
        await trio.sleep(HOUR)
        league.absent.add(1)
        await trio.sleep(2 * HOUR)
        league.absent.clear()

    league.simulate(4 * HOUR, vanish)
    went = [time for time, event in league.events if event == EntrantAway(1, ABSENT)]
    back = [time for time, event in league.events if event == EntrantBack(1)]
    assert len(went) == len(back) == 1
    assert 3 * HOUR <= back[0] <= 3 * HOUR + LONGEST_PAUSE + 2
    played = [
        number for number, result in league.state.decided.items() if 1 in league.state.pairing(number).seats
    ]
    assert played
    assert not league.state.void
    pauses = [later - sooner for (sooner, _), (later, _) in zip(league.calls, league.calls[1:], strict=False)]
    assert league.calls[0][0] - went[0] == pytest.approx(FIRST_PAUSE, abs=2)
    assert pauses == sorted(pauses)
    assert max(pauses) <= LONGEST_PAUSE + 2
    # It plays again.
    starts = [
        time
        for time, event in league.events
        if isinstance(event, GameEvent) and 1 in league.state.pairing(event.game).seats
    ]
    assert max(starts) > back[0]
    assert not [time for time in starts if went[0] < time < back[0]]
    assert find_uneven(league) <= 2


def find_starts(league: SimulatedLeague, entrant: int) -> list[float]:
    """Return when the games of an entrant started."""
    return [
        time
        for time, event in league.events
        if isinstance(event, GameEvent) and isinstance(event.event, GameStarted)
        if entrant in league.state.pairing(event.game).seats
    ]


@settings(max_examples=5)
@given(st.integers(3, 10), st.integers(1, 6), st.integers(1, 2), st.integers(0, 2**32))
def test_a_faulty_entrant_rests_and_the_others_play(
    entrants: int, concurrency: int, faulty: int, seed: int
) -> None:
    league = SimulatedLeague([500] * (entrants + faulty - 1), concurrency=concurrency, seed=seed)
    league.faulty = set(range(1, faulty + 1))
    league.simulate(2 * HOUR)
    games = count_games(league)
    others = [games[entrant] for entrant in range(1 + faulty, entrants + faulty)]
    assert min(others) >= 0.5 * sum(others) / len(others)
    for entrant in league.faulty:
        # The pauses add up: 15 s, 30 s...; games that the other one loses come on top.
        assert FAULTS < games[entrant] <= faulty * (2 * HOUR / LONGEST_PAUSE + 10)
        reason = f"lost {FAULTS} games in a row by its own faults, and rests for {FIRST_PAUSE:g} s"
        assert (entrant, reason) in [(who, why) for _, who, why in find_rests(league)]
    assert {who for _, who, _ in find_rests(league)} == league.faulty


def find_rests(league: SimulatedLeague) -> list[tuple[float, int, str]]:
    """Return when which entrant went away, and why."""
    return [
        (time, event.entrant, event.sentence)
        for time, event in league.events
        if isinstance(event, EntrantAway)
    ]


def test_the_rests_of_a_faulty_entrant_grow_until_a_game_without_a_fault() -> None:
    league = SimulatedLeague([500] * 4, longest=20)
    league.faulty = {1}

    async def improve(league: SimulatedLeague) -> None:
        await trio.sleep(2 * HOUR)
        league.faulty.clear()

    league.simulate(3 * HOUR, improve)
    back = [time for time, event in league.events if event == EntrantBack(1)]
    went = [time for time, _, _ in find_rests(league)]
    pauses = [later - sooner for sooner, later in zip(went, back, strict=True)]
    expected = [min(FIRST_PAUSE * 2**number, LONGEST_PAUSE) for number in range(len(pauses))]
    assert pauses == pytest.approx(expected, abs=2)
    assert pauses[-1] == pytest.approx(LONGEST_PAUSE, abs=2)
    assert not [time for time in went if time > 2 * HOUR + 5]
    assert len([time for time in find_starts(league, 1) if time > back[-1]]) > 50


@pytest.mark.parametrize("lack", ["no memory is left", ""])
def test_a_machine_that_cannot_play_waits(lack: str) -> None:
    league = SimulatedLeague([500] * 6, concurrency=3, longest=20)
    league.lack, league.is_void = lack, True

    async def recover(league: SimulatedLeague) -> None:
        await trio.sleep(8 * HOUR)
        league.lack, league.is_void = "", False

    league.simulate(9 * HOUR, recover)
    starts = [
        time
        for time, event in league.events
        if isinstance(event, GameEvent) and isinstance(event.event, GameStarted)
    ]
    # At most three at once, after 15 s, 30 s and so on up to 10 minutes.
    assert len([time for time in starts if time < 8 * HOUR]) < 3 * (8 * HOUR / LONGEST_PAUSE + 10)
    # One game without a fault of the machine, and it plays as before.
    after = [time for time in starts if time > 8 * HOUR]
    assert after[0] <= 8 * HOUR + LONGEST_PAUSE
    assert len(after) > 100


def test_who_resigns_does_not_rest() -> None:
    league = SimulatedLeague([500] * 3)
    league.resigning = {1}
    league.simulate(HOUR / 4)
    assert count_games(league)[1] > 2 * FAULTS
    assert not find_rests(league)


@pytest.mark.parametrize("how", ["renew", "return", "resume"])
def test_a_new_program_ends_the_rest(how: str) -> None:
    league = SimulatedLeague([500] * 3, longest=20)
    league.faulty = {1}

    async def change(league: SimulatedLeague) -> None:
        assert league.tournament is not None
        league.faulty.clear()
        if how == "renew":
            await league.tournament.renew(1, "2.0", "", None)
        elif how == "return":
            await league.tournament.withdraw(1)
            await league.tournament.bring_back(1, "")

    async def change_later(league: SimulatedLeague) -> None:
        await trio.sleep(HOUR)
        if how != "resume":
            await change(league)

    async def play_twice() -> None:
        await league.run(HOUR + 60, change_later)
        if how == "resume":
            await change(league)
            await league.run(60)

    trio.run(play_twice, clock=MockClock(autojump_threshold=0))
    starts = [time for time in find_starts(league, 1) if time > HOUR]
    assert len(starts) >= 4
    assert max(later - sooner for sooner, later in pairwise(starts)) < FIRST_PAUSE * 2


def test_entrants_leave_and_return_while_games_are_paired() -> None:
    league = SimulatedLeague([500] * 6, capacities={1: 2}, concurrency=4, longest=20)

    async def record_slowly(tournament: Tournament) -> None:
        tournament._record = SlowRecord()

    async def change(league: SimulatedLeague) -> None:
        chance = random.Random(7)
        assert league.tournament is not None
        await record_slowly(league.tournament)
        for _ in range(60):
            entrant = chance.randint(1, 6)
            await league.tournament.withdraw(entrant)
            await trio.sleep(chance.uniform(0, 30))
            await league.tournament.bring_back(entrant, "")
            await trio.sleep(chance.uniform(0, 30))

    league.simulate(HOUR, change)
    running: set[int] = set()
    for _, event in league.events:
        if isinstance(event, GameEvent) and isinstance(event.event, GameStarted):
            assert event.game not in running
            running.add(event.game)


def test_a_rate_limits_the_games_of_each_entrant() -> None:
    league = SimulatedLeague([500] * 5, rate=6, longest=60)
    league.simulate(10 * HOUR)
    assert all(30 <= games <= 10 * 6 + 2 for games in count_games(league).values())


def test_no_game_starts_in_quiet_hours() -> None:
    league = SimulatedLeague([500] * 3, quiet=QuietHours.parse("22:00-06:00"), longest=900)
    league.simulate(31 * HOUR)
    hours: defaultdict[int, int] = defaultdict(int)
    for time, event in league.events:
        if isinstance(event, GameEvent) and isinstance(event.event, GameStarted):
            hours[int((time + 0.01) // HOUR) % 24] += 1
    assert set(hours) == set(range(6, 22))


def test_an_entrant_with_capacity_plays_several_games_at_once() -> None:
    league = SimulatedLeague([500] * 5, capacities={1: 3})
    league.simulate(4 * HOUR)
    running: set[int] = set()
    most = 0
    for _, event in league.events:
        if isinstance(event, GameEvent) and 1 in league.state.pairing(event.game).seats:
            if isinstance(event.event, GameStarted):
                running.add(event.game)
            else:
                running.discard(event.game)
            most = max(most, len(running))
    assert most == 3


def test_ratings_converge_to_the_true_order() -> None:
    strengths = [0.0, 536.0, 922.0, 640, 160, 480, 320, 800]
    league = SimulatedLeague(strengths, references=(1, 2, 3), concurrency=3, seed=2)
    league.simulate(20 * HOUR)
    scale = Scale({entrant: strengths[entrant - 1] for entrant in (1, 2, 3)}, mean=NEWCOMER)
    found = rate(8, league.state.results(), resamples=0, scale=scale).entrants
    by_rating = sorted(range(8), key=lambda index: found[index].elo.value)
    assert by_rating == sorted(range(8), key=strengths.__getitem__)
    assert (
        sum(rating.elo.low <= strengths[rating.entrant - 1] <= rating.elo.high for rating in found[3:]) >= 4
    )


def test_an_interrupted_league_goes_on() -> None:
    league = SimulatedLeague([500, 550, 600, 650], seed=5)
    for _ in range(8):
        league.simulate(random.Random(len(league.events)).uniform(50, HOUR))
    played = league.state.decided
    assert sorted(played)[: len(played) - 4] == [*range(1, len(played) - 3)]
    assert find_uneven(league) <= 2


def test_nobody_meets_the_same_opponent_again_while_another_is_free() -> None:
    """Not even where all others are much weaker: the strongest one would otherwise meet only the next."""
    league = SimulatedLeague([1500.0, 400.0, -800.0], references=[3], concurrency=1)
    league.simulate(2 * HOUR)
    meetings = [pairing.seats for pairing, _ in league.state.results()][::2]
    assert len(meetings) > 10
    assert all({*one} != {*other} for one, other in pairwise(meetings))
