"""A match with an SPRT plays pairs until the test is decided, and few more."""

from __future__ import annotations

import random
from collections.abc import Sequence

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import Pairing, RoundPaired, TournamentStarted, TournamentState
from quoridor_net.tournament.formats import Field, Meeting, SprtMatch, sprt_match
from quoridor_net.tournament.sprt import Decision, Pentanomial, Sprt, Verdict
from tests.support.played_formats import play_format
from tests.support.tournament_events import end_game


def match(games: int = 4000, ahead: int = 2) -> SprtMatch:
    return SprtMatch(Sprt(0, 50), games, ahead)


@pytest.mark.parametrize(("share", "decision"), [(0.8, Decision.ACCEPTED), (0.3, Decision.REJECTED)])
def test_a_match_ends_with_the_decision(share: float, decision: Decision) -> None:
    chance = random.Random(1)

    def score(seats: tuple[int, ...]) -> tuple[float, float]:
        first_wins = chance.random() < share
        return (1.0, 0.0) if first_wins == (seats[0] == 1) else (0.0, 1.0)

    form = match()
    field = play_format(form, 2, score)
    assert form.verdict(field).decision is decision
    assert 10 < len(field.meetings) < 400
    # With one pair less, it was undecided.
    before = Field(2, meetings=field.meetings[:-2], rounds=field.rounds - 1)
    assert form.verdict(before).decision is Decision.RUNNING
    assert all(
        one.seats == other.seats[::-1] and one.pair == other.pair
        for one, other in zip(field.meetings[::2], field.meetings[1::2], strict=True)
    )


def test_a_match_without_decision_ends_after_the_last_game() -> None:
    field = play_format(match(games=11), 2, lambda _: (0.5, 0.5))
    assert len(field.meetings) == 10


def test_a_limited_number_of_games_is_played_ahead() -> None:
    form, field = match(ahead=4), Field(2)
    for pairs in range(1, 3):
        made = form.next_round(field)
        assert made is not None
        assert made.pairs == (pairs, pairs)
        meetings = (*field.meetings, *(Meeting(pairs, seats, None, pairs) for seats in made.games))
        field = Field(2, meetings=meetings, rounds=pairs)
    assert form.next_round(field) is None


@pytest.mark.parametrize("ahead", [2, 4, 8])
def test_the_order_in_which_games_end_makes_no_difference(ahead: int) -> None:
    chance = random.Random(3)
    results = [chance.random() < 0.7 for _ in range(400)]
    form = match(ahead=ahead)
    matches = set()
    for seed in range(6):
        order = random.Random(seed)
        meetings: list[Meeting] = []
        rounds = 0
        while True:
            field = Field(2, meetings=tuple(meetings), rounds=rounds)
            if (made := form.next_round(field)) is not None:
                rounds += 1
                meetings += [Meeting(rounds, seats, None, rounds) for seats in made.games]
                continue
            going_on = [number for number, meeting in enumerate(meetings) if meeting.points is None]
            if not going_on:
                break
            number = order.choice(going_on)
            points = (1.0, 0.0) if results[number] == (meetings[number].seats[0] == 1) else (0.0, 1.0)
            meetings[number] = attrs.evolve(meetings[number], points=points)
        matches.add(field.meetings)
        assert form.verdict(field).decision is Decision.ACCEPTED
    assert len(matches) == 1


def test_results_without_information_do_not_count() -> None:
    void = (Meeting(1, (1, 2), (0.0, 0.0), 1), Meeting(1, (2, 1), (0.0, 1.0), 1))
    assert match().verdict(Field(2, meetings=void, rounds=1)).ratio == 0


def test_an_sprt_needs_two_entrants() -> None:
    match().check(["e"] * 2)
    with pytest.raises(ValueError, match="needs exactly 2 entrants, not 3"):
        match().check(["e"] * 3)
    assert match().next_round(Field(2, withdrawn={1: 1})) is None


def recount(form: SprtMatch, field: Field) -> tuple[bool, Verdict]:
    """Return whether another pair is due, and the state of the test, from a full count of all games."""

    def judge(meetings: Sequence[Meeting]) -> Verdict:
        pairs: dict[int, list[float]] = {}
        for meeting in meetings:
            if meeting.points is not None and sum(meeting.points) == 1:
                pairs.setdefault(meeting.pair, []).append(meeting.points[meeting.seats.index(1)])
        return form.test.judge(Pentanomial.of_pairs(pairs.values()))

    ahead = max(1, form.ahead // 2)
    first = field.meetings[: 2 * max(0, field.rounds + 1 - ahead)]
    is_known = all(meeting.points is not None for meeting in first)
    is_running = judge(first).decision is Decision.RUNNING
    is_due = is_known and is_running and len(field.meetings) + 2 <= form.games
    return is_due, judge(field.meetings if is_running or not is_known else first)


#: An undecided game, and its result: a win of either, a draw, void, lost by both.
RESULTS = (
    Result(1, Termination.GOAL, "", 9),
    Result(2, Termination.GOAL, "", 9),
    Result(None, Termination.PLY_LIMIT, "", 9),
    Result(None, Termination.ABORTED, "", 9),
    Result(None, Termination.DISCONNECTED, "", 0),
)


def state_of_a_match() -> TournamentState:
    state = TournamentState()
    state.apply(TournamentStarted("quoridor", ("ann", "bob")))
    return state


def pair_next(form: SprtMatch, state: TournamentState) -> bool:
    """Pair the games that the format wants; return whether there were any."""
    first = state.last_game
    while (made := form.next_round(state.field())) is not None:
        number, game = state.rounds + 1, state.last_game
        seats = enumerate(zip(made.games, made.pairs, strict=True), game + 1)
        pairings = tuple(Pairing(game, number, each, pair) for game, (each, pair) in seats)
        state.apply(RoundPaired(number, pairings))
    return state.last_game > first


@given(
    st.integers(2, 7),
    st.integers(2, 40),
    st.lists(st.tuples(st.integers(0, 99), st.sampled_from(RESULTS)), max_size=80),
    st.sets(st.integers(0, 79)),
)
@settings(max_examples=40)
def test_running_totals_equal_a_full_count(
    ahead: int, games: int, results: list[tuple[int, Result]], unseen: set[int]
) -> None:
    """Results arrive in any order; some games are void and replayed, and some results are counted late."""
    form, state = match(games, ahead), state_of_a_match()
    assert pair_next(form, state)
    for step, (choice, result) in enumerate(results):
        if not (undecided := [pairing.number for pairing in state.pending]):
            break
        state.apply(end_game(undecided[choice % len(undecided)], result))
        if step in unseen:
            continue
        is_due, verdict = recount(form, state.field())
        assert form.verdict(state.field()) == verdict
        assert pair_next(form, state) == is_due
        # A program that starts here counts the same.
        assert match(games, ahead).verdict(state.field()) == form.verdict(state.field())


def test_a_result_does_not_cost_more_the_later_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    # Draws never decide between these hypotheses.
    form, state = SprtMatch(Sprt(-1, 1), 4000, 6), state_of_a_match()
    looked_at: list[Meeting] = []
    points_of = sprt_match._points

    def count(meeting: Meeting) -> tuple[int, float | None]:
        looked_at.append(meeting)
        return points_of(meeting)

    monkeypatch.setattr(sprt_match, "_points", count)
    pair_next(form, state)
    for _ in range(300):
        state.apply(end_game(min(pairing.number for pairing in state.pending), RESULTS[2]))
        pair_next(form, state)
        form.verdict(state.field())
    # Each game is counted when paired and when over, among all games and among judged ones.
    assert len(looked_at) <= 4 * state.last_game
