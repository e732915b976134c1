"""The state follows from the events, and events out of order are refused."""

from __future__ import annotations

import tracemalloc

import pytest

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import (
    EntrantAway,
    EntrantJoined,
    EntrantReturned,
    EntrantWithdrawn,
    Event,
    Pairing,
    RoundPaired,
    StateError,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    TournamentState,
)
from quoridor_net.tournament import state as module
from quoridor_net.tournament.formats import RoundRobin
from quoridor_net.verdicts import VerdictPhrase
from tests.support.tournament_events import end_game, make_move, pair_all, start_game, state_after

OPENED: tuple[Event, ...] = (TournamentStarted("clobber", ("ann", "bob")), *pair_all(RoundRobin(2), 2))
WON = Result(1, Termination.NO_MOVES, "ann wins: bob has no move.", 1)
FORFEIT = Result(2, Termination.UNPARSABLE_MOVE, "ann wins: bob sent junk.", 0, "\\xe9")
VOID = Result(None, Termination.ABORTED, "The game was aborted.", 0)
EVENTS: tuple[Event, ...] = (
    *OPENED,
    start_game(1),
    make_move(1),
    end_game(1, WON),
    start_game(2),
    TournamentResumed(),
    start_game(2),
    end_game(2, FORFEIT),
    TournamentEnded(),
)


def test_games_that_were_running_are_pending() -> None:
    state = state_after(EVENTS[:7])
    assert state.running == {2: 0}
    assert [pairing.number for pairing in state.pending] == [2]
    state.apply(TournamentResumed())
    assert state.running == {}


def test_a_game_can_end_before_its_start() -> None:
    state = state_after((*OPENED, end_game(1, FORFEIT)))
    assert state.decided == {1: FORFEIT}
    assert state.running == {}


def test_games_are_counted_from_1() -> None:
    with pytest.raises(StateError, match="there is no game 0"):
        state_after((*OPENED, start_game(0)))


def test_a_void_game_stays_pending_after_the_end_of_the_tournament() -> None:
    state = state_after((*OPENED, start_game(1), end_game(1, VOID)))
    assert len(state.pending) == 2
    with pytest.raises(StateError, match="games without a result"):
        state.apply(TournamentEnded())
    for event in (start_game(2), end_game(2, FORFEIT), TournamentEnded()):
        state.apply(event)
    assert not state.is_over
    later: tuple[Event, ...] = (TournamentResumed(), start_game(1), end_game(1, FORFEIT), TournamentEnded())
    for each in later:
        state.apply(each)
    assert state.is_over


@pytest.mark.parametrize(
    "events",
    [
        (start_game(1),),
        (*OPENED, OPENED[0]),
        (*OPENED, start_game(3)),
        (*OPENED, start_game(1), end_game(1, WON), end_game(1, WON)),
        (end_game(1, WON),),
        (*OPENED, end_game(3, WON)),
        (*OPENED, make_move(1)),
        (*OPENED, start_game(1), end_game(1, WON), start_game(1)),
        (*OPENED, start_game(1), make_move(1, ply=2)),
        (*OPENED, start_game(1), make_move(1, player=3)),
        (*OPENED, start_game(1), end_game(1, Result(3, Termination.GOAL, "Who?", 0))),
        (*OPENED, TournamentEnded()),
        (*OPENED, start_game(1), end_game(1, WON), TournamentEnded()),
        (*OPENED, RoundPaired(3, (Pairing(4, 3, (1, 2)),))),
        (*OPENED, RoundPaired(4, (Pairing(3, 4, (1, 2)),))),
        (*OPENED, RoundPaired(3, (Pairing(3, 3, (1, 3)),))),
        (*OPENED, RoundPaired(3, (), (3,))),
        (RoundPaired(1, ()),),
        (*OPENED, EntrantJoined("ann")),
        (*OPENED, EntrantWithdrawn(3)),
        (*OPENED, EntrantWithdrawn(1), EntrantWithdrawn(1)),
        (*OPENED, EntrantReturned(1)),
        (*OPENED, EntrantReturned(3)),
        (*EVENTS, start_game(1)),
        (*EVENTS, TournamentResumed()),
    ],
)
def test_events_that_contradict_each_other_are_refused(events: tuple[Event, ...]) -> None:
    with pytest.raises(StateError):
        state_after(events)


def test_games_of_an_entrant_that_left_are_not_played() -> None:
    state = state_after((*OPENED, start_game(1), EntrantWithdrawn(2)))
    # The running game is finished.
    assert [pairing.number for pairing in state.pending] == [1]
    assert (state.games, state.is_withdrawn(2), state.is_withdrawn(1)) == (1, True, False)
    state.apply(TournamentResumed())
    assert state.pending == ()
    state.apply(TournamentEnded())
    assert state.is_over


@pytest.mark.parametrize(
    "went", [EntrantWithdrawn(2), EntrantAway(2, VerdictPhrase.NOT_CONNECTED(seconds=30))]
)
@pytest.mark.parametrize("failed", [end_game(1, VOID), TournamentResumed()])
def test_a_failed_game_of_an_entrant_that_is_missing_is_not_repeated(went: Event, failed: Event) -> None:
    state = state_after((*OPENED, start_game(1), went))
    assert [pairing.number for pairing in state.pending] == [1]
    state.apply(failed)
    assert state.pending == ()
    assert [pairing.number for pairing in state.list_cancelled()] == [1, 2]


def test_a_game_that_was_about_to_begin_when_an_entrant_left_is_played() -> None:
    state = state_after((*OPENED, EntrantWithdrawn(1), start_game(1), end_game(1, WON)))
    assert list(state.decided) == [1]
    assert state.pending == ()


def test_a_returning_entrant_plays_its_cancelled_games() -> None:
    state = state_after((*OPENED, end_game(1, WON), EntrantWithdrawn(2)))
    assert state.games == 1
    state.apply(EntrantReturned(2, "host:2"))
    assert [pairing.number for pairing in state.pending] == [2]
    assert (state.is_withdrawn(2), state.addresses, list(state.decided)) == (False, ("", "host:2"), [1])
    assert 2 in state.field().present


def test_games_against_another_former_entrant_stay_cancelled() -> None:
    opened: tuple[Event, ...] = (
        TournamentStarted("clobber", ("ann", "bob", "cid")),
        *pair_all(RoundRobin(1), 3),
    )
    state = state_after((*opened, EntrantWithdrawn(2), EntrantWithdrawn(3), EntrantReturned(2)))
    assert [sorted(pairing.seats) for pairing in state.pending] == [[1, 2]]


def test_the_field_has_the_input_of_the_next_round() -> None:
    void = Result(None, Termination.ABORTED, "The game was aborted.", 0)
    state = state_after((*OPENED, end_game(1, WON), EntrantJoined("cid", "host:1"), end_game(2, void)))
    field = state.field()
    assert (field.entrants, dict(field.joined), field.rounds) == (3, {3: 3}, 2)
    assert [meeting.points for meeting in field.meetings] == [(1.0, 0.0), (0.0, 0.0)]
    assert state.addresses == ("", "", "host:1")


LEAGUE = TournamentStarted("quoridor", ("ann", "bob", "cid"), {"format": "league"})


def play_meetings(state: TournamentState, meetings: int) -> None:
    """Pair and end meetings of two games."""
    for number in range(state.rounds + 1, state.rounds + meetings + 1):
        first = 2 * number - 1
        pairings = (Pairing(first, number, (1, 2), number), Pairing(first + 1, number, (2, 1), number))
        state.apply(RoundPaired(number, pairings))
        for pairing in pairings:
            state.apply(start_game(pairing.number))
            state.apply(end_game(pairing.number, WON))


def test_a_league_keeps_only_its_last_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECENT", 10)
    state = state_after([LEAGUE])
    play_meetings(state, 50)
    assert 10 <= len(state.decided) < 20
    assert [pairing.number for pairing, _ in state.results()] == [*range(91, 101)]
    # Everything else is still known.
    assert (state.played, state.games, state.last_game) == (100, 100, 100)
    assert state.is_decided(1)
    assert state.pairing(2) == Pairing(2, 1, (2, 1), 1)
    assert [*map(state.games_of, (1, 2, 3))] == [(100, 100), (100, 100), (0, 0)]
    meetings = state.field().meetings
    assert [(meeting.seats, meeting.points) for meeting in meetings[:2]] == [
        ((1, 2), (1, 0)),
        ((2, 1), (1, 0)),
    ]
    with pytest.raises(StateError, match="game 1 is already over"):
        state.apply(end_game(1, WON))


def test_a_game_of_a_league_takes_little_memory() -> None:
    tracemalloc.start()
    try:
        state = state_after([LEAGUE])
        play_meetings(state, 2 * module.RECENT)
        before, _ = tracemalloc.get_traced_memory()
        play_meetings(state, 2 * module.RECENT)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (after - before) / (4 * module.RECENT) < 40
