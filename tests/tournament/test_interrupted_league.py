"""A league that is killed between any two writes continues, with every result that was announced."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import trio
from attrs import evolve

from quoridor_net.match import GameEnded
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import EntrantAway, Event, GameEvent, TournamentStarted, TournamentState
from quoridor_net.tournament.journal import Journal, read_journal
from quoridor_net.tournament.quoridor.archive import verify
from quoridor_net.tournament.quoridor.leaderboard import Leaderboard
from quoridor_net.tournament.quoridor.manager import Manager
from quoridor_net.tournament.quoridor.plan import RULES, Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from tests.support.engine_programs import sloppy_command
from tests.support.loopback import reserve_port
from tests.support.patience import PATIENCE
from tests.support.tournament_events import write_journal
from tests.tournament.test_interrupted import create_leftovers, read_if_begun, transactions

PLAN = Plan("league", terms=GameTerms(size=5, seed=11, ply_limit=60), concurrency=3)
FIELD = ("simple", "random", "ann=random", "bob=simple", "cid=random")


def play(
    journal: Journal, state: TournamentState, games: int, entrants: tuple[str, ...] = (), plan: Plan = PLAN
) -> None:
    """Play until this number of games has ended, then stop without warning."""

    async def run() -> None:
        ended = 0
        with trio.fail_after(PATIENCE), trio.CancelScope() as scope:

            def listen(event: Event) -> None:
                nonlocal ended
                ended += isinstance(event, GameEvent) and isinstance(event.event, GameEnded)
                if ended >= games:
                    scope.cancel()

            await Manager(journal, state, plan, tuple(map(parse_spec, entrants))).run([listen])

    with journal:
        trio.run(run)


def check(folder: Path, cuts: int) -> None:
    """Kill a league at random moments, and resume it each time."""
    whole, path = folder / "whole.db", folder / "cut.db"
    journal = Journal.create(whole)
    journal._connection.execute("PRAGMA wal_autocheckpoint = 0")
    copies: list[tuple[bytes, bytes]] = []
    close = journal.close

    def close_after_copy() -> None:
        copies.append((whole.read_bytes(), whole.with_name("whole.db-wal").read_bytes()))
        close()

    journal.close = close_after_copy  # type: ignore[method-assign]
    play(journal, TournamentState(), 24, FIELD)
    ((data, log),) = copies
    ends = list(transactions(log))
    for end in random.Random(cuts).sample(ends, min(cuts, len(ends))):
        create_leftovers(path, data, log[:end])
        if read_if_begun(path) is None:
            continue
        before = read_journal(path)
        resumed, state = Journal.resume(path)
        assert state.decided == before.decided
        play(resumed, state, 3)
        assert verify(path) == []
        after = read_journal(path)
        assert before.decided.items() <= after.decided.items()
        assert len(after.decided) >= len(before.decided) + 3
        with Leaderboard.open(path) as board:
            assert sum(row.played for row in board.read()) == 2 * len(after.decided)


def test_a_league_that_is_killed_goes_on(tmp_path: Path) -> None:
    check(tmp_path, 6)


@pytest.mark.slow
def test_a_league_that_is_killed_at_any_of_many_moments_goes_on(tmp_path: Path) -> None:
    check(tmp_path, 100)


def test_a_resumed_league_waits_for_nobody(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    plan = evolve(PLAN, terms=evolve(PLAN.terms, no_show_time=3600.0))
    with reserve_port() as port:
        addresses = ("simple", f"qtp:{sloppy_command('sane')}", f"127.0.0.1:{port}")
        start = TournamentStarted(RULES, ("simple", "bot", "ann"), plan.settings(), addresses)
        write_journal(path, start, EntrantAway(3, "cannot be reached"))
        journal, state = Journal.resume(path)
        play(journal, state, 2, plan=plan)
    # The other one, which makes illegal moves, may rest.
    assert 3 in read_journal(path).away
