"""Games of a tournament on the workers of a Dask cluster; the journal stays with the manager.

Every game is one task. If a worker dies, the scheduler gives its task to another one; if the scheduler dies,
tasks are submitted again once it is back. A game with a seed repeats itself.
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

from quoridor_net.advice import format_install
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

#: Number of retries of a task that failed without the death of its worker.
RETRIES = 2

#: Timeouts for an answer of the scheduler and for disconnecting, and time between two checks, in seconds.
ANSWER_TIME = 10.0
CLOSE_TIME = 5.0
POLL = 2.0

#: Timeout for a lost scheduler to return, for a first worker, or for a result to arrive, in seconds.
PATIENCE = 60.0

#: Maximum length of a reason given by the cluster, in characters.
MAX_REASON = 200

#: What to install for clusters.
EXTRA = "quoridor-net[distributed]"

#: Start-up code of local workers, which ignore Ctrl-C, because the manager ends them.
_PRELOAD = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"

#: Configuration that disables web pages of local processes, which every user of the machine could see.
_NO_PAGES: dict[str, list[str]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}

#: Statuses of a task that finished or failed.
_OVER = {"finished", "error"}

T = TypeVar("T")


class ClusterError(Exception):
    """Games cannot be played on the cluster; the message says why."""


class _LostError(Exception):
    """The scheduler is lost with all its tasks."""


class Future(Protocol):
    """The part of ``distributed.Future`` used here."""

    status: str

    def add_done_callback(self, fn: Callable[[Any], None]) -> None:
        """Call a function in a thread when the task is over."""

    def result(self, timeout: float) -> Any:
        """Return the result of the task, or raise its exception."""

    def cancel(self) -> None:
        """Cancel the task."""


class Client(Protocol):
    """The part of ``distributed.Client`` used here."""

    status: str
    dashboard_link: str

    def submit(self, func: Callable[..., Any], *args: Any, **options: Any) -> Future:
        """Submit a task."""

    def run(self, function: Callable[[], Any], *, on_error: str) -> Mapping[str, Any]:
        """Run a function on every worker, now."""

    def nthreads(self) -> Mapping[str, int]:
        """Return the number of threads of each worker."""

    def scheduler_info(self) -> Mapping[str, Any]:
        """Return information about the scheduler; ``services`` lists its ``dashboard``, if any."""

    def close(self, timeout: float) -> None:
        """Disconnect."""


#: Connects to the scheduler, in a thread; raises OSError if it cannot be reached.
Connect = Callable[[], Client]


class Cluster:
    """A cluster that plays games on its workers. Created by :func:`open_cluster`.

    Args:
        connect: connects a client.
        report: gets a line when the scheduler is lost or back.
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
        # One event for each running game.
        self._waiting: set[trio.Event] = set()
        #: The maximum number of games at once.
        self.threads = 0
        #: The address of its web page; empty if it has none.
        self.dashboard = ""

    async def open(self) -> None:
        """Connect, wait for a worker, and check that all workers have this version of the program.

        Raises:
            ClusterError: the scheduler cannot be reached, no worker is available, or one has another version.
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
                raise ClusterError(f"the worker {worker} has {theirs}, but this program is {source()}")
        self.threads = sum(threads.values())
        link = self._client.dashboard_link
        # Checked, because a scheduler started without a page names one too.
        has_page = self._has_pages and "dashboard" in info.get("services", {})
        if has_page and await _in_thread(partial(answers, link)):
            self.dashboard = link

    async def play(self, assignment: Assignment) -> tuple[Event, ...]:
        """Play a game on the cluster and return its events.

        Raises:
            ClusterError: the scheduler or all workers are lost and did not return.
            SourceError: a worker has another version of the program.
            Exception: raised by a worker; the game does not count then.
        """
        while True:
            client = self._client
            assert client is not None, "open comes first"
            try:
                return await self._play_on(client, assignment)
            except _LostError:
                await self._renew(client)

    async def _play_on(self, client: Client, assignment: Assignment) -> tuple[Event, ...]:
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
                # In the order of the schedule.
                priority=-number,
            )
            future.add_done_callback(tell)
        except Exception:
            # A client that lost its scheduler may raise anything.
            raise _LostError from None
        self._waiting.add(done)
        try:
            await done.wait()
            if future.status not in _OVER:
                raise _LostError
            events: tuple[Event, ...] = await _in_thread(partial(future.result, PATIENCE), 2 * PATIENCE)
        except trio.Cancelled:
            with trio.CancelScope(shield=True), suppress(Exception):
                await _in_thread(future.cancel, CLOSE_TIME)
            raise
        except Exception:
            # The result can be lost on the way here, too.
            if client.status != "running" or future.status not in _OVER:
                raise _LostError from None
            raise
        finally:
            self._waiting.discard(done)
        return events

    async def watch(self) -> None:
        """Detect the loss of the scheduler or of all workers while games are played.

        Raises:
            ClusterError: no worker was available for too long.
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
            except Exception:  # noqa: S112 - a client that lost its scheduler may raise anything
                continue
            if threads:
                since = trio.current_time()
            elif trio.current_time() - since > PATIENCE:
                raise ClusterError(f"the cluster had no worker for {PATIENCE:g} s")

    def _wake(self) -> None:
        for done in self._waiting:
            done.set()

    async def _renew(self, lost: Client) -> None:
        """Reconnect, unless another game has done so."""
        async with self._renewing:
            if self._client is not lost:
                return
            self._wake()
            self._report(f"The connection to the scheduler is lost. Retrying for {PATIENCE:g} s.")
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
        """Disconnect from the scheduler."""
        if self._client is not None:
            await self._leave(self._client)

    async def _leave(self, client: Client) -> None:
        with trio.CancelScope(shield=True), suppress(Exception):
            await _in_thread(partial(client.close, CLOSE_TIME), 2 * CLOSE_TIME)


async def _in_thread(call: Callable[[], T], seconds: float = 2 * ANSWER_TIME) -> T:
    """Run a call that may block on the cluster in a thread, and return its result.

    Raises:
        TimeoutError: it takes longer than ``seconds``.
    """
    with trio.move_on_after(seconds):
        return await trio.to_thread.run_sync(call, abandon_on_cancel=True)
    raise TimeoutError(f"no answer within {seconds:g} s")


def _one_line(error: BaseException) -> str:
    """Return the first line of an error, because libraries write several."""
    lines = str(error).splitlines() or [type(error).__name__]
    return printable(lines[0].encode())[:MAX_REASON]


def on_cluster(cluster: Cluster, roster: Roster, terms: GameTerms) -> Play:
    """Return a function that plays games on the cluster, or here if they need a move server."""

    async def play(pairing: Pairing, listener: Listener) -> Result:
        entrants = roster.players_of(pairing)
        if not all(entrant.is_portable for entrant in entrants):
            return await roster.play(pairing, listener)
        names = tuple(entrant.name for entrant in entrants)
        start = terms.position(pairing)
        # Announced here, because the other events arrive after the game.
        listener(terms.settings(start, entrants).announce(names, start))
        sentence = VerdictPhrase.ABORTED()
        events: tuple[Event, ...] = ()
        try:
            events = await cluster.play(Assignment.of(pairing, terms, entrants))
        except SourceError as error:
            raise ClusterError(f"a worker {error}") from None
        except ClusterError:
            raise
        except Exception as error:
            # A fault of the worker's machine or of the library, not of a player.
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
    """Silence the logs of the library, because this program reports errors in one line."""
    for name in tuple(logging.root.manager.loggerDict):
        # Each logger has a level and a handler of its own.
        if name.partition(".")[0] in {"distributed", "tornado", "bokeh"}:
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _start_local(workers: int) -> Any:
    """Start a scheduler and workers on this machine that no other user can access.

    A peer of these processes can run programs as this user, and other users of the machine can connect to
    their ports. So both sides authenticate with certificates made for this cluster only.
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
            # A free port, so that a second tournament on the machine causes no warning.
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            # No limit, because engines count towards it and must not get the worker killed.
            memory_limit=0,
            preload=[_PRELOAD],
            silence_logs=logging.CRITICAL,
        )


@asynccontextmanager
async def open_cluster(
    address: ClusterAddress, report: Callable[[str], None] = ignore
) -> AsyncIterator[Cluster]:
    """Open a cluster for the duration of the context; ``report`` gets lines to print.

    Raises:
        ClusterError: it cannot play, or the library is not installed.
    """
    try:
        import distributed

        # Needed for the certificates of local processes.
        import_module("cryptography")
    except ImportError:
        raise ClusterError(f"--dask needs more packages: {format_install(EXTRA)}") from None
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
