"""A schedule to print has results, byes and the expected times of the other games."""

from __future__ import annotations

import datetime as dt

from attrs import evolve

from quoridor_net.events import MoveTimes
from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import Pairing, RoundPaired, TournamentState
from quoridor_net.tournament.events import TournamentStarted
from quoridor_net.tournament.quoridor.plan import RULES, Plan
from quoridor_net.tournament.quoridor.timetable import format_schedule
from tests.support.tournament_events import end_game, state_after

NOW = dt.datetime(2026, 3, 15, 23, 30, tzinfo=dt.UTC)


def state_of(plan: Plan, addresses: tuple[str, ...], *rounds: RoundPaired) -> TournamentState:
    names = ("ann", "bob", "cid", "dan")[: len(addresses)]
    return state_after([TournamentStarted(RULES, names, plan.settings(), addresses), *rounds])


def test_games_at_once_depend_on_the_machine_and_the_entrants() -> None:
    plan = Plan(concurrency=2, games=1)
    servers = ("h:1", "i:1", "j:1", "k:1")
    pairings = tuple(
        Pairing(number, 1, seats) for number, seats in enumerate([(1, 2), (3, 4), (1, 3), (2, 4)], 1)
    )
    # 30 moves of a second for each of two servers.
    assert format_schedule(state_of(plan, servers, RoundPaired(1, pairings)), plan, NOW) == [
        "Round 1",
        "  1  23:30     ann - bob",
        "  2  23:30     cid - dan",
        "  3  23:31     ann - cid",
        "  4  23:31     bob - dan",
        "",
        "Expected end: 23:32.",
    ]
    slow = evolve(plan, concurrency=1)
    assert format_schedule(state_of(slow, servers, RoundPaired(1, pairings)), slow, NOW)[4].startswith(
        "  4  23:33 "
    )


def test_results_show_how_long_games_take() -> None:
    plan = Plan("swiss", rounds=2, games=1)
    paired = RoundPaired(1, (Pairing(1, 1, (1, 2)), Pairing(2, 1, (3, 4))), (), ())
    state = state_of(plan, ("h:1", "i:1", "j:1", "simple"), paired)
    won = end_game(1, Result(2, Termination.GOAL, "It won.", 20))
    state.apply(won)
    state.times[1] = MoveTimes(10, 1200.0, 300.0)
    assert format_schedule(state, plan, NOW) == [
        "Round 1",
        "  1  0:1       ann - bob",
        "  2  23:30     cid - dan",
        "",
        "Results decide the pairings of about 2 more games.",
        "Expected end: 03-16 00:30.",
    ]


def test_byes_are_listed() -> None:
    plan = Plan("swiss", rounds=1, games=1)
    paired = RoundPaired(1, (Pairing(1, 1, (1, 2)),), (3,))
    lines = format_schedule(state_of(plan, ("h:1", "i:1", "j:1"), paired), plan, NOW)
    assert "  -  1         cid has a bye" in lines
