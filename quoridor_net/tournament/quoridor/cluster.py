"""Plays games of a tournament on the workers of a Dask cluster; the journal stays with the manager.

Every game is one task. A task whose worker died is given to another worker by the scheduler, and one whose
scheduler died is handed in again when that is back: a game with a seed comes out the same.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from typing import Any, Protocol, TypeVar

import trio

from quoridor_net.match import Event, GameEnded, GameStarted, Listener
from quoridor_net.outcome import Result, Termination
from quoridor_net.output import ignore
from quoridor_net.text import printable
from quoridor_net.tournament.quoridor.assignment import Assignment, SourceError, play_on_worker, source
from quoridor_net.tournament.quoridor.cluster_address import ClusterAddress
from quoridor_net.tournament.quoridor.dashboard import answers
from quoridor_net.tournament.quoridor.roster import Roster
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.runner import Play
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.verdicts import VerdictPhrase

#: How often a task is tried again that failed on a worker that lives.
RETRIES = 2

#: Seconds for one answer of the scheduler, for taking leave of it, and between two looks at it.
ANSWER_TIME = 10.0
CLOSE_TIME = 5.0
POLL = 2.0

#: Seconds for which a scheduler that is lost, or a first worker, is waited for.
PATIENCE = 60.0

#: Most characters of a reason that the cluster gives.
MAX_REASON = 200

#: What installs the library.
INSTALL = "pip install 'quoridor-net[distributed]'"

#: What a worker of this machine does first: Ctrl-C is for the manager, which ends the workers.
_PRELOAD = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"

#: Pages that the processes of this machine would show to every user of it: none.
_NO_PAGES: dict[str, list[str]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}

#: What the status of a task is that did something, or failed.
_OVER = {"finished", "error"}

T = TypeVar("T")


class ClusterError(Exception):
    """Games cannot be played on the cluster; the message says why."""


class _LostError(Exception):
    """The scheduler is gone, and all that it knew."""


class Future(Protocol):
    """What this module needs of ``distributed.Future``."""

    status: str

    def add_done_callback(self, fn: Callable[[Any], None]) -> None:
        """Have a function called in a thread when the task is over."""

    def result(self, timeout: float) -> Any:
        """Return what the task did, or raise what it raised."""

    def cancel(self) -> None:
        """Have the task forgotten."""


class Client(Protocol):
    """What this module needs of ``distributed.Client``."""

    status: str
    dashboard_link: str

    def submit(self, func: Callable[..., Any], *args: Any, **options: Any) -> Future:
        """Hand in a task."""

    def run(self, function: Callable[[], Any], *, on_error: str) -> Mapping[str, Any]:
        """Run a function on every worker, now."""

    def nthreads(self) -> Mapping[str, int]:
        """Return how many tasks each worker does at once."""

    def scheduler_info(self) -> Mapping[str, Any]:
        """Return what the scheduler says of itself; ``services`` has a ``dashboard`` where there is one."""

    def close(self, timeout: float) -> None:
        """Take leave."""


#: Connects to the scheduler; raises OSError if it cannot be reached. Called in threads.
Connect = Callable[[], Client]


class Cluster:
    """Plays games on the workers of a cluster. Made by :func:`open_cluster`.

    Args:
        connect: makes a client.
        report: gets a line when something is waited for.
        has_pages: whether its scheduler may have a web page.
    """

    def __init__(
        self, connect: Connect, report: Callable[[str], None] = ignore, *, has_pages: bool = True
    ) -> None:
        self._connect = connect
        self._report = report
        self._has_pages = has_pages
        self._client: Client | None = None
        self._renewing = trio.Lock()
        # One for every game that is played.
        self._waiting: set[trio.Event] = set()
        #: How many games it plays at once.
        self.threads = 0
        #: The address of its web page; empty where there is none.
        self.dashboard = ""

    async def open(self) -> None:
        """Connect, wait for a worker, and look whether all workers have this program.

        Raises:
            ClusterError: the scheduler cannot be reached, there is no worker, or one has another program.
        """
        try:
            self._client = await _in_thread(self._connect)
            deadline = trio.current_time() + PATIENCE
            while not (threads := await _in_thread(self._client.nthreads)):
                if trio.current_time() > deadline:
                    raise ClusterError(f"the cluster had no worker within {PATIENCE:g} s")
                await trio.sleep(POLL)
            found = await _in_thread(partial(self._client.run, source, on_error="return"))
            info = await _in_thread(self._client.scheduler_info)
        except OSError as error:
            raise ClusterError(f"the scheduler cannot be reached: {_one_line(error)}") from None
        for worker, theirs in sorted(found.items()):
            if isinstance(theirs, BaseException):
                raise ClusterError(f"the worker {worker} cannot play: {_one_line(theirs)}")
            if theirs != source():
                raise ClusterError(f"the worker {worker} has {theirs}, and this program is {source()}")
        self.threads = sum(threads.values())
        link = self._client.dashboard_link
        # A scheduler that was told to have none names it too.
        has_page = self._has_pages and "dashboard" in info.get("services", {})
        if has_page and await _in_thread(partial(answers, link)):
            self.dashboard = link

    async def play(self, assignment: Assignment) -> tuple[Event, ...]:
        """Have a game played and return its events.

        Raises:
            ClusterError: the scheduler or all workers are lost and did not come back.
            SourceError: a worker has another program.
            Exception: what a worker raised; the game does not count then.
        """
        while True:
            client = self._client
            assert client is not None, "open comes first"
            try:
                return await self._done(client, assignment)
            except _LostError:
                await self._renew(client)

    async def _done(self, client: Client, assignment: Assignment) -> tuple[Event, ...]:
        token = trio.lowlevel.current_trio_token()
        done = trio.Event()

        def tell(_: object) -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(done.set)

        number = assignment.pairing.number
        try:
            future = client.submit(
                play_on_worker,
                assignment,
                key=f"game-{number}-{uuid.uuid4().hex}",
                retries=RETRIES,
                # Those that come first in the schedule go first.
                priority=-number,
            )
            future.add_done_callback(tell)
        except Exception:
            # Whatever a client that lost its scheduler raises.
            raise _LostError from None
        self._waiting.add(done)
        try:
            await done.wait()
            if future.status not in _OVER:
                raise _LostError
            events: tuple[Event, ...] = await _in_thread(partial(future.result, ANSWER_TIME))
        except trio.Cancelled:
            with trio.CancelScope(shield=True), suppress(Exception):
                await _in_thread(future.cancel, CLOSE_TIME)
            raise
        except Exception:
            # What it did can be lost on the way here, too.
            if client.status != "running" or future.status not in _OVER:
                raise _LostError from None
            raise
        finally:
            self._waiting.discard(done)
        return events

    async def watch(self) -> None:
        """Notice that the scheduler or the last worker is gone while games are played.

        Raises:
            ClusterError: there was no worker for too long.
        """
        since = trio.current_time()
        while True:
            await trio.sleep(POLL)
            client = self._client
            if client is None or not self._waiting or self._renewing.locked():
                since = trio.current_time()
                continue
            if client.status != "running":
                self._wake()
                continue
            try:
                threads = await _in_thread(client.nthreads)
            except Exception:  # noqa: S112 - whatever a client raises that just lost its scheduler
                continue
            if threads:
                since = trio.current_time()
            elif trio.current_time() - since > PATIENCE:
                raise ClusterError(f"the cluster had no worker for {PATIENCE:g} s")

    def _wake(self) -> None:
        for done in self._waiting:
            done.set()

    async def _renew(self, lost: Client) -> None:
        """Connect anew, unless another game has done it."""
        async with self._renewing:
            if self._client is not lost:
                return
            self._wake()
            self._report(f"The scheduler is gone. It is waited for up to {PATIENCE:g} s.")
            await self._leave(lost)
            deadline = trio.current_time() + PATIENCE
            while True:
                try:
                    self._client = await _in_thread(self._connect)
                    break
                except (OSError, trio.TooSlowError):
                    if trio.current_time() > deadline:
                        raise ClusterError(f"the scheduler did not come back within {PATIENCE:g} s") from None
                    await trio.sleep(POLL)
            self._report("The scheduler is back.")

    async def close(self) -> None:
        """Take leave of the scheduler."""
        if self._client is not None:
            await self._leave(self._client)

    async def _leave(self, client: Client) -> None:
        with trio.CancelScope(shield=True), suppress(Exception):
            await _in_thread(partial(client.close, CLOSE_TIME), 2 * CLOSE_TIME)


async def _in_thread(call: Callable[[], T], seconds: float = 2 * ANSWER_TIME) -> T:
    """Return what a call that may wait for the cluster returns.

    Raises:
        TimeoutError: it takes longer than it should.
    """
    with trio.move_on_after(seconds):
        return await trio.to_thread.run_sync(call, abandon_on_cancel=True)
    raise TimeoutError(f"no answer within {seconds:g} s")


def _one_line(error: BaseException) -> str:
    """Return what happened, of which libraries tell more than a line."""
    lines = str(error).splitlines() or [type(error).__name__]
    return printable(lines[0].encode())[:MAX_REASON]


def on_cluster(cluster: Cluster, roster: Roster, terms: GameTerms) -> Play:
    """Return who plays the games of a tournament: the cluster, and this machine those with a move server."""

    async def play(pairing: Pairing, listener: Listener) -> Result:
        entrants = roster.players_of(pairing)
        if not all(entrant.is_portable for entrant in entrants):
            return await roster.play(pairing, listener)
        names = tuple(entrant.name for entrant in entrants)
        start = terms.position(pairing)
        # What happens in the game is known when it is over.
        listener(GameStarted(names, start, terms.move_time, terms.ply_limit))
        sentence = VerdictPhrase.ABORTED()
        events: tuple[Event, ...] = ()
        try:
            events = await cluster.play(Assignment.of(pairing, terms, entrants))
        except SourceError as error:
            raise ClusterError(f"a worker {error}") from None
        except ClusterError:
            raise
        except Exception as error:
            # Of the machine that played, or of the library: nobody's fault.
            sentence = VerdictPhrase.VOID(reason=_one_line(error))
        finally:
            if not events:
                result = Result(None, Termination.ABORTED, sentence, 0)
                listener(GameEnded(result, names, start))
        for event in events:
            if not isinstance(event, GameStarted):
                listener(event)
            if isinstance(event, GameEnded):
                result = event.result
        return result

    return play


def _silence() -> None:
    """Let the library log nothing: what went wrong is said here, in one line."""
    for name in tuple(logging.root.manager.loggerDict):
        # Each of them has a level and a handler of its own.
        if name.partition(".")[0] in {"distributed", "tornado", "bokeh"}:
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _start_local(workers: int) -> Any:
    """Start a scheduler and workers on this machine that nobody else can use.

    Whoever can talk to them can run programs as this user, and other users of the machine can connect to its
    ports. So both sides show certificates that exist for this cluster alone.
    """
    import dask
    import distributed
    from distributed.security import Security

    with dask.config.set(_NO_PAGES):
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls",
            security=Security.temporary(),
            # Two tournaments on one machine are no reason for a warning.
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            # Engines have memory of their own accord, and a worker must not die of it.
            memory_limit=0,
            preload=[_PRELOAD],
            silence_logs=logging.CRITICAL,
        )


@asynccontextmanager
async def open_cluster(
    address: ClusterAddress, report: Callable[[str], None] = ignore
) -> AsyncIterator[Cluster]:
    """Offer a cluster as long as the context lasts; ``report`` gets lines for people.

    Raises:
        ClusterError: it cannot play, or the library is not installed.
    """
    try:
        import distributed

        # Certificates for the processes of this machine are made with it.
        import_module("cryptography")
    except ImportError:
        raise ClusterError(f"--dask needs another package: {INSTALL}") from None
    _silence()
    local: distributed.LocalCluster | None = None
    if address.workers:
        local = await trio.to_thread.run_sync(_start_local, address.workers)

    def connect() -> Client:
        client: Client = distributed.Client(
            local or address.scheduler, timeout=ANSWER_TIME, set_as_default=False
        )
        return client

    cluster = Cluster(connect, report, has_pages=local is None)
    try:
        async with trio.open_nursery() as nursery:
            await cluster.open()
            nursery.start_soon(cluster.watch)
            yield cluster
            nursery.cancel_scope.cancel()
    finally:
        await cluster.close()
        if local is not None:
            with trio.CancelScope(shield=True), suppress(Exception):
                await _in_thread(partial(local.close, CLOSE_TIME), 2 * CLOSE_TIME)
