"""Games on a cluster, with an in-memory scheduler that loses tasks on request."""

from __future__ import annotations

import pickle
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import trio
from attrs import evolve
from click.testing import CliRunner
from trio.testing import MockClock

from quoridor_net.advice import format_install
from quoridor_net.cli.main import main
from quoridor_net.match import Event, GameEnded, GameStarted, MoveMade
from quoridor_net.outcome import Termination
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import Pairing, TournamentState, read_journal
from quoridor_net.tournament.encoding import parse_event
from quoridor_net.tournament.journal.reading import read_records
from quoridor_net.tournament.quoridor import cluster
from quoridor_net.tournament.quoridor.assignment import Assignment, SourceError, source
from quoridor_net.tournament.quoridor.cluster import (
    EXTRA,
    PATIENCE,
    Cluster,
    ClusterError,
    on_cluster,
    open_cluster,
)
from quoridor_net.tournament.quoridor.cluster_address import ClusterAddress
from quoridor_net.tournament.quoridor.openings import parse_openings, read_balanced_openings
from quoridor_net.tournament.quoridor.roster import open_roster
from quoridor_net.tournament.quoridor.terms import GameTerms
from tests.support.tournament_events import write_journal

GAME = Pairing(3, 1, (2, 1))
TERMS = GameTerms(no_show_time=0.1, seed=5)
FIELD = ("ann=random", "bob=simple")


class FakeFuture:
    """A task that ends when the test says so."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.status = "pending"
        self._told: list[Callable[[Any], None]] = []
        self._outcome: Any = None

    def add_done_callback(self, fn: Callable[[Any], None]) -> None:
        self._told.append(fn)

    def result(self, timeout: float) -> Any:
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome

    def cancel(self) -> None:
        self.end("cancelled")

    def end(self, status: str, outcome: Any = None) -> None:
        self.status, self._outcome = status, outcome
        for tell in self._told:
            tell(self)


class FakeClient:
    """A scheduler and its workers."""

    dashboard_link = "http://127.0.0.1:8787/status"

    def __init__(self) -> None:
        self.status = "running"
        self.tasks: list[FakeFuture] = []
        self.threads = {"tcp://w1": 2, "tcp://w2": 1}
        self.services = {"dashboard": 8787}
        self.sources: dict[str, Any] = {"tcp://w1": source(), "tcp://w2": source()}
        #: Runs submitted tasks; None to leave them to the test.
        self.works: Callable[[FakeFuture], None] | None = play_at_once

    def submit(self, func: Callable[..., Any], *args: Any, **options: Any) -> FakeFuture:
        assert self.status == "running"
        (assignment,) = args
        # Pickled, as for the network.
        future = FakeFuture(pickle.loads(pickle.dumps(assignment)))
        self.tasks.append(future)
        if self.works is not None:
            trio.lowlevel.spawn_system_task(self._work, future)
        return future

    async def _work(self, future: FakeFuture) -> None:
        if self.works is not None and future.status == "pending":
            self.works(future)

    def run(self, function: Callable[[], Any], *, on_error: str) -> Mapping[str, Any]:
        assert (function, on_error) == (source, "return")
        return self.sources

    def nthreads(self) -> Mapping[str, int]:
        return self.threads

    def scheduler_info(self) -> Mapping[str, Any]:
        return {"services": self.services}

    def close(self, timeout: float) -> None:
        self.status = "closed"


def play_at_once(future: FakeFuture) -> None:
    """Play a game like a worker, in an event loop of its own."""
    token = trio.lowlevel.current_trio_token()

    def work() -> None:
        events = future.assignment.play(lambda: True)
        token.run_sync_soon(future.end, "finished", pickle.loads(pickle.dumps(events)))

    trio.lowlevel.start_thread_soon(work, lambda _: None)


@pytest.fixture(autouse=True)
def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run blocking calls directly, so that time can be virtual."""

    async def call_here(call: Callable[[], Any], seconds: float = 1.0) -> Any:
        await trio.lowlevel.checkpoint()
        return call()

    monkeypatch.setattr(cluster, "_in_thread", call_here)


async def connect_cluster(*clients: FakeClient) -> tuple[Cluster, list[str]]:
    """Return a cluster that connects to these clients in turn, and fails after the last one."""
    said: list[str] = []
    left = list(clients)

    def connect() -> FakeClient:
        if not left:
            raise OSError("nobody listens")
        return left.pop(0)

    made = Cluster(connect, said.append)
    await made.open()
    return made, said


async def play_game(made: Cluster, *entrants: str) -> list[Event]:
    """Return the events of a game between entrants."""
    events: list[Event] = []
    async with open_roster(TERMS) as roster:
        for entrant in entrants or FIELD:
            await roster.add(parse_spec(entrant))
        result = await on_cluster(made, roster, TERMS)(GAME, events.append)
    assert isinstance(events[-1], GameEnded)
    assert events[-1].result == result
    return events


@contextmanager
def expect_end(sentence: str) -> Iterator[None]:
    """Expect an error with ``sentence`` from within nurseries."""
    with pytest.raises(ExceptionGroup) as caught:
        yield
    assert caught.group_contains(ClusterError, match=sentence)


async def play_here() -> list[Event]:
    events: list[Event] = []
    async with open_roster(TERMS) as roster:
        for entrant in FIELD:
            await roster.add(parse_spec(entrant))
        await roster.play(GAME, events.append)
    return events


def remove_times(events: list[Event]) -> list[object]:
    return [
        evolve(event, seconds=0.0)
        if isinstance(event, MoveMade)
        else evolve(event, times=())
        if isinstance(event, GameEnded)
        else event
        for event in events
    ]


async def test_the_events_are_those_of_a_game_here() -> None:
    made, said = await connect_cluster(FakeClient())
    assert (made.threads, said) == (3, [])
    assert remove_times(await play_game(made)) == remove_times(await play_here())


async def test_a_missing_dashboard_is_not_shown() -> None:
    client = FakeClient()
    with socket.create_server(("127.0.0.1", 0)) as server:
        client.dashboard_link = f"http://127.0.0.1:{server.getsockname()[1]}/status"
        made, _ = await connect_cluster(client)
        assert made.dashboard == client.dashboard_link
        client.services = {}
        made, _ = await connect_cluster(client)
        assert made.dashboard == ""
    # A scheduler without a dashboard still names one.
    client.services = {"dashboard": 8787}
    made, _ = await connect_cluster(client)
    assert made.dashboard == ""


async def test_a_game_with_a_move_server_is_played_here() -> None:
    client = FakeClient()
    made, _ = await connect_cluster(client)
    events = await play_game(made, "ann=random", "bob=127.0.0.1:1")
    assert client.tasks == []
    assert isinstance(events[-1], GameEnded)
    assert events[-1].result.sentence.startswith("The game is postponed: bob cannot be reached")


async def test_an_engine_behind_an_address_is_asked_from_here() -> None:
    assert parse_spec("qtp:./engine").is_portable
    assert not parse_spec("qtp:tcp:localhost:5858").is_portable


async def test_tasks_of_a_lost_scheduler_are_submitted_again(autojump_clock: MockClock) -> None:
    lost, found = FakeClient(), FakeClient()
    lost.works = lambda future: future.end("cancelled")
    made, said = await connect_cluster(lost, found)
    found.works = lambda future: future.end("finished", tuple(EVENTS))
    assert await play_game(made) == EVENTS
    assert lost.status == "closed"
    assert said == ["The connection to the scheduler is lost. Retrying for 60 s.", "The scheduler is back."]


async def test_a_client_that_silently_lost_its_scheduler_is_noticed(autojump_clock: MockClock) -> None:
    lost, found = FakeClient(), FakeClient()
    lost.works = None
    found.works = lambda future: future.end("finished", tuple(EVENTS))
    made, said = await connect_cluster(lost, found)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(made.watch)
        nursery.start_soon(_after, 10, setattr, lost, "status", "connecting")
        for _ in range(2):
            # Concurrent games share one new client.
            nursery.start_soon(play_game, made)
        await trio.sleep(30)
        nursery.cancel_scope.cancel()
    assert len(found.tasks) == 2
    assert len(said) == 2


async def test_a_scheduler_that_does_not_return_ends_the_tournament(autojump_clock: MockClock) -> None:
    lost = FakeClient()
    lost.works = lambda future: future.end("lost")
    made, _ = await connect_cluster(lost)
    begun = trio.current_time()
    with expect_end("did not come back within 60 s"):
        await play_game(made)
    assert PATIENCE <= trio.current_time() - begun < 2 * PATIENCE


async def test_a_cluster_without_workers_ends_the_tournament(autojump_clock: MockClock) -> None:
    client = FakeClient()
    client.works = None
    made, _ = await connect_cluster(client)
    client.threads = {}
    # A missing worker matters only while a game waits for it.
    with trio.move_on_after(10 * PATIENCE):
        await made.watch()
    with expect_end("no worker for 60 s"):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(made.watch)
            nursery.start_soon(play_game, made)


async def test_the_first_worker_is_awaited(autojump_clock: MockClock) -> None:
    client = FakeClient()
    threads, client.threads = client.threads, {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_after, 30, setattr, client, "threads", threads)
        made, _ = await connect_cluster(client)
    assert made.threads == 3
    client.threads = {}
    with pytest.raises(ClusterError, match="no worker within 60 s"):
        await connect_cluster(client)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ("quoridor-net 0.0.9 (00000000)", "tcp://w2 has quoridor-net 0.0.9 (00000000), but this program is "),
        (
            ModuleNotFoundError("No module named 'quoridor_net'"),
            "tcp://w2 cannot play: No module named",
        ),
    ],
)
async def test_a_worker_with_another_program_is_refused(found: object, sentence: str) -> None:
    client = FakeClient()
    client.sources["tcp://w2"] = found
    with pytest.raises(ClusterError) as caught:
        await connect_cluster(client)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_late_worker_with_another_program_ends_the_tournament() -> None:
    client = FakeClient()
    client.works = lambda future: future.end("error", SourceError("has another"))
    made, _ = await connect_cluster(client)
    with expect_end("a worker has another"):
        await play_game(made)


async def test_a_game_that_a_worker_cannot_play_does_not_count() -> None:
    client = FakeClient()
    client.works = lambda future: future.end("error", RuntimeError("killed\nby something"))
    made, _ = await connect_cluster(client)
    started, ended = await play_game(made)
    assert isinstance(started, GameStarted)
    assert isinstance(ended, GameEnded)
    assert ended.result.termination is Termination.ABORTED
    assert ended.result.sentence == "The game does not count: killed."


async def test_a_game_that_is_cancelled_is_cancelled_there() -> None:
    client = FakeClient()
    client.works = None
    made, _ = await connect_cluster(client)
    events: list[Event] = []
    async with open_roster(TERMS) as roster:
        for entrant in FIELD:
            await roster.add(parse_spec(entrant))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(on_cluster(made, roster, TERMS), GAME, events.append)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    assert [type(event) for event in events] == [GameStarted, GameEnded]
    assert client.tasks[0].status == "cancelled"


def assignment(terms: GameTerms = TERMS) -> Assignment:
    return Assignment.of(GAME, terms, tuple(parse_spec(FIELD[number - 1]) for number in GAME.seats))


#: The events that a worker returns for a game.
EVENTS = list(assignment().play(lambda: True))


def test_an_assignment_has_its_own_opening_alone() -> None:
    openings = tuple(moves for _, moves in parse_openings(read_balanced_openings(), TERMS.start()))
    terms = GameTerms(seed=5, openings=openings)
    given = assignment(terms)
    assert len(given.terms.openings) == 1
    assert given.terms.position(given.pairing) == terms.position(GAME)
    assert len(pickle.dumps(given)) < 3000


def test_another_program_plays_no_game() -> None:
    given = pickle.loads(pickle.dumps(assignment()))
    object.__setattr__(given, "source", "quoridor-net 0.0.9 (00000000)")
    with pytest.raises(SourceError) as caught:
        given.play(lambda: True)
    # Pickled, as for a cluster.
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_an_abandoned_game_is_ended() -> None:
    (ended,) = [event for event in assignment().play(lambda: False) if isinstance(event, GameEnded)]
    assert ended.result.is_void


@pytest.mark.parametrize("missing", ["distributed", "cryptography"])
def test_a_missing_library_is_one_line_with_the_command(
    missing: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", ModuleType("distributed"))
    monkeypatch.setitem(sys.modules, missing, None)
    path = tmp_path / "a.db"
    words = ["tournament", "run", str(path), "simple", "random", "--dask", "local:2", "--quiet"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 3
    assert done.stderr == f"Error: --dask needs more packages: {format_install(EXTRA)}.\n"
    assert not path.exists()


class CountingClient(FakeClient):
    """A scheduler that notes how many tasks it has at once."""

    most = 0

    def submit(self, func: Callable[..., Any], *args: Any, **options: Any) -> FakeFuture:
        future = super().submit(func, *args, **options)
        self.most = max(self.most, sum(task.status == "pending" for task in self.tasks))
        return future


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> CountingClient:
    """Replace the scheduler of every cluster."""
    client = CountingClient()

    @asynccontextmanager
    async def open_counting(_: ClusterAddress, report: Callable[[str], None]) -> AsyncIterator[Cluster]:
        client.status = "running"
        made = Cluster(lambda: client, report)
        await made.open()
        yield made

    monkeypatch.setattr("quoridor_net.cli.tournament.playing.open_cluster", open_counting)
    return client


#: Entrants whose games can all be played at once.
SIX = [f"{name}=simple" for name in "abcdef"]


@pytest.mark.parametrize(("options", "expected"), [((), 3), (("--concurrency", "2"), 2)])
def test_a_cluster_plays_as_many_games_as_it_has_threads_unless_told_otherwise(
    options: tuple[str, ...], expected: int, tmp_path: Path, client: CountingClient
) -> None:
    path = str(tmp_path / "a.db")
    words = ["tournament", "run", path, *SIX, "--dask", "lab:8786", "--games", "1", "--quiet", *options]
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, client.most) == (0, expected), done.output
    assert read_journal(Path(path)).settings["concurrency"] == expected


@pytest.mark.parametrize(("options", "expected"), [((), 3), (("--concurrency", "2"), 2)])
def test_so_does_a_cluster_that_resumes_a_tournament(
    options: tuple[str, ...], expected: int, tmp_path: Path, client: CountingClient
) -> None:
    whole, begun = tmp_path / "whole.db", tmp_path / "begun.db"
    words = ["run", str(whole), *SIX, "--size", "5", "--games", "1", "--quiet"]
    assert CliRunner().invoke(main, ["tournament", *words]).exit_code == 0
    started, paired, *_ = map(parse_event, read_records(whole, TournamentState()))
    write_journal(begun, started, paired)
    words = ["resume", str(begun), "--dask", "lab:8786", "--quiet", *options]
    done = CliRunner().invoke(main, ["tournament", *words])
    assert (done.exit_code, client.most) == (0, expected), done.output


def _find_out() -> int:
    return 7


@pytest.fixture
def distributed() -> Any:
    """The library, in a fixture because pytest-trio drops the reason of a skip in an asynchronous test."""
    pytest.importorskip("cryptography")
    return pytest.importorskip("distributed")


@pytest.mark.end_to_end
async def test_a_local_cluster_takes_orders_from_this_program_alone(distributed: Any) -> None:
    from distributed.security import Security

    def order(security: Any, scheme: str, limit: float) -> Any:
        scheduler = f"{scheme}://{endpoint}"
        with distributed.Client(scheduler, security=security, timeout=limit, set_as_default=False) as client:
            return client.submit(_find_out).result(timeout=limit)

    async with open_cluster(ClusterAddress(workers=1)) as opened:
        client = opened._client
        assert isinstance(client, distributed.Client)
        assert not opened.dashboard
        scheme, _, endpoint = client.scheduler.address.partition("://")
        assert scheme == "tls"
        workers = await trio.to_thread.run_sync(client.nthreads)
        assert all(worker.startswith("tls://127.0.0.1:") for worker in workers)
        assert await trio.to_thread.run_sync(order, client.security, "tls", PATIENCE) == 7
        for security, other in ((None, "tcp"), (Security.temporary(), "tls")):
            with pytest.raises(OSError):
                await trio.to_thread.run_sync(order, security, other, 5)


async def _after(seconds: float, call: Callable[..., object], *arguments: object) -> None:
    await trio.sleep(seconds)
    call(*arguments)
