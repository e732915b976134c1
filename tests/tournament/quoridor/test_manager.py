"""Requests of other terminals are served while the tournament runs, without waiting for slow ones."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
import trio
from attrs import evolve

from quoridor_net.outcome import Termination
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import Event, Journal, TournamentState, read_journal
from quoridor_net.tournament.quoridor import manager as managing
from quoridor_net.tournament.quoridor.archive import verify
from quoridor_net.tournament.quoridor.manager import Manager
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from tests.support.loopback import listen_on_loopback

PLAN = Plan(games=300, terms=GameTerms(no_show_time=20.0, gap=0.0, seed=1))


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(managing, "POLL", 0.005)


def ask(path: Path, request: str, argument: str = "") -> int:
    """Send a request like another program, and return its number."""
    with closing(sqlite3.connect(path)) as connection, connection:
        row = connection.execute(
            "INSERT INTO requests (time, request, argument) VALUES ('', ?, ?)", (request, argument)
        )
        assert row.lastrowid
        return row.lastrowid


async def answer(path: Path, number: int) -> str:
    while True:
        with closing(sqlite3.connect(path)) as connection:
            query = "SELECT answer FROM requests WHERE number = ?"
            (found,) = connection.execute(query, (number,)).fetchone()
        if found is not None:
            return str(found)
        await trio.sleep(0.005)


@asynccontextmanager
async def play_tournament(
    path: Path, plan: Plan = PLAN, names: tuple[str, ...] = ("simple", "random")
) -> AsyncIterator[TournamentState]:
    """Play a long tournament until the block ends."""
    state, begun = TournamentState(), trio.Event()

    def listen(_: Event) -> None:
        begun.set()

    entrants = tuple(map(parse_spec, names))
    with Journal.create(path) as journal:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Manager(journal, state, plan, entrants).run, [listen])
            await begun.wait()
            yield state
            nursery.cancel_scope.cancel()


async def test_a_slow_entrant_does_not_delay_other_requests(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    greeted = trio.Event()

    async def slow(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await greeted.wait()
        await stream.send_all(b"IAM simple\n")
        await stream.receive_some()

    async with listen_on_loopback(slow) as endpoint, play_tournament(path) as state:
        slow_one = ask(path, "add", str(endpoint))
        other = ask(path, "add", "b=random")
        assert await answer(path, other) == "b plays from the next round on"
        assert await answer(path, ask(path, "withdraw", "b")) == "b plays no more games"
        greeted.set()
        # Numbered, because another entrant has its name.
        assert await answer(path, slow_one) == "simple#2 plays from the next round on"
        assert state.entrants == ("simple", "random", "b", "simple#2")
        again = await answer(path, ask(path, "add", f"again={endpoint}"))
        assert again.startswith(f"refused: {endpoint} is the address of simple#2, but a server plays one")
        assert await answer(path, ask(path, "add", "random")) == "random#2 plays from the next round on"


async def test_a_former_entrant_returns_with_its_games(tmp_path: Path) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(b"IAM xyz:other\n")
        await stream.receive_some()

    path = tmp_path / "a.db"
    async with (
        listen_on_loopback(serve) as endpoint,
        listen_on_loopback(serve) as another,
        play_tournament(path, names=("simple", "b=random", "random")) as state,
    ):
        for added, name in ((f"eve={endpoint}", "eve"), ("random", "random#2"), ("b=simple", "b#2")):
            assert await answer(path, ask(path, "add", added)) == f"{name} plays from the next round on"
        entrants = state.entrants
        for added, name in (
            # The server now has another name and plays more games.
            (f"{endpoint},games=2", "eve"),
            (f"eve={endpoint}", "eve"),
            # The server runs on another machine now, and later on the first one again.
            (f"eve={another}", "eve"),
            (f"eve={endpoint}", "eve"),
            ("b=random", "b"),
            ("random", "random"),
            ("random", "random#2"),
            ("b=simple", "b#2"),
        ):
            assert await answer(path, ask(path, "withdraw", name)) == f"{name} plays no more games"
            assert await answer(path, ask(path, "add", added)) == f"{name} is back and keeps its games"
            assert state.entrants == entrants
        assert await answer(path, ask(path, "withdraw", "b")) == "b plays no more games"
        # Another player, or another name.
        for added, name in (("b=simple", "b#3"), ("c=random", "c")):
            assert await answer(path, ask(path, "add", added)) == f"{name} plays from the next round on"
    assert verify(path) == []


@pytest.mark.parametrize(
    ("request_", "argument", "reason"),
    [
        ("add", "nobody", "is not a player"),
        ("add", "qtp:/nonexistent/engine", "there is no program '/nonexistent/engine' that can be run"),
        ("withdraw", "nobody", "no entrant is called 'nobody'"),
        ("withdraw", "gone", "gone has already left"),
        ("concurrency", "0", "expected a number"),
        ("concurrency", "many", "expected a number"),
        ("dance", "", "the request 'dance' is unknown"),
    ],
)
async def test_impossible_requests_are_refused_without_effect(
    request_: str, argument: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.db"
    async with play_tournament(path, names=("simple", "random", "gone=random")) as state:
        assert await answer(path, ask(path, "withdraw", "gone")) == "gone plays no more games"
        answered = await answer(path, ask(path, request_, argument))
        assert answered.startswith("refused: ")
        assert reason in answered
        assert state.entrants == ("simple", "random", "gone")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError("750 MiB are needed"), "refused: 750 MiB are needed"),
        (RuntimeError("a bug"), "refused: internal error: RuntimeError('a bug')"),
        (
            ExceptionGroup("", [ExceptionGroup("", [RuntimeError("a bug")])]),
            "refused: internal error: RuntimeError('a bug')",
        ),
    ],
)
async def test_a_request_that_fails_does_not_end_the_tournament(
    error: Exception, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_arguments: object) -> None:
        raise error

    path = tmp_path / "a.db"
    async with play_tournament(path) as state:
        monkeypatch.setattr(managing, "warm_up", fail)
        assert await answer(path, ask(path, "add", "b=random")) == sentence
        assert await answer(path, ask(path, "concurrency", "2")) == "2 games at once from now on"
        assert state.entrants == ("simple", "random")


async def test_a_fixed_field_accepts_no_late_entrants(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with play_tournament(path, evolve(PLAN, form="knockout", games=300)):
        answered = await answer(path, ask(path, "add", "random"))
        assert answered == "refused: the format knockout does not accept late entrants"


async def test_the_opponent_of_an_entrant_that_leaves_wins_the_round(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    plan = evolve(PLAN, form="swiss", rounds=1, games=100)
    async with play_tournament(path, plan, names=("a=random", "b=random", "c=random", "d=random")) as state:
        # An entrant of another pair than the running game's.
        (game, *_) = state.running or [1]
        number = next(iter({1, 2, 3, 4} - set(state.pairing(game).seats)))
        left = state.entrants[number - 1]
        assert await answer(path, ask(path, "withdraw", left)) == f"{left} plays no more games"
        unplayed = [(pairing, result) for pairing, result in state.results() if number in pairing.seats]
    assert len(unplayed) == 100
    assert {result.termination for _, result in unplayed} == {Termination.RESIGNED}
    for pairing, result in unplayed:
        assert result.winner is not None
        assert pairing.seats[result.winner - 1] != number
        assert result.sentence.endswith(f"wins: {left} left the tournament.")
    assert verify(path) == []


async def test_the_concurrency_that_was_set_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with play_tournament(path):
        assert await answer(path, ask(path, "concurrency", "3")) == "3 games at once from now on"
    state = read_journal(path)
    assert state.settings["concurrency"] == 3
    assert Plan.of(state.settings).concurrency == 3
