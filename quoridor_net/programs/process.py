"""Engine programs as processes that can be limited, watched and got rid of, whatever they do.

Each runs in a session and process group of its own, under limits that the operating system enforces. When it
ends, or when we end it, its whole group is killed, and so is every process that inherited its mark in the
environment although it left the group, and every one without a mark that
:mod:`~quoridor_net.programs.orphans` finds. A guard in the group does the first two if this program itself
is killed.
"""

from __future__ import annotations

import abc
import contextlib
import errno
import io
import itertools
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

import trio
from attrs import frozen
from trio.abc import ReceiveStream, SendStream

from quoridor_net.net.errors import LOST
from quoridor_net.output import ignore
from quoridor_net.phrases import Translatable
from quoridor_net.programs import unix
from quoridor_net.programs.orphans import adopted, collect_zombies, processes
from quoridor_net.shortage import lack_of
from quoridor_net.text import printable
from quoridor_net.verdicts import STAND_INS, VerdictPhrase

#: MiB of address space that each process of a program may use by default, as with the course's referee.
MEMORY_LIMIT = 950

#: Default limit of the processor time of a process, in seconds: a week. A backstop for programs that hang.
CPU_LIMIT = 7 * 24 * 3600

#: Bytes kept of what an engine wrote to its standard error last.
KEPT_STDERR = 4096

#: Seconds that the output of an ended program may take to end too.
LINGER = 1.0

#: Seconds between two looks whether a program has ended, where no thread can wait for that.
POLL = 0.05

#: How often at most processes are listed and killed, while new ones keep appearing.
KILLING_PASSES = 100

#: How many passes have to find nothing once some process was found.
QUIET_PASSES = 5

#: The variable by which the processes of an engine are recognised.
MARK = "QUORIDOR_ENGINE"

#: What engines inherit of our environment, besides all that begins with LC_; a program of somebody else needs
#: no more, and what else is there may be secret.
INHERITED = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "XDG_CACHE_HOME",
    "JAVA_HOME", "LD_LIBRARY_PATH", "NUMBA_CACHE_DIR", "PYTHONPATH", "VIRTUAL_ENV",
)  # fmt: skip

#: Exit status of the shell when it cannot find or run a program.
CANNOT_RUN = (126, 127)

#: The marks of the programs that run, by process number.
_running: dict[int, str] = {}

# Limits hold for the engine and all it starts. The guard waits for the end of a pipe whose other end only we
# hold; then it kills what carries the mark, and the group, itself included. It does so as a program without
# the mark. One pass is not enough: a process can fork between being listed and being killed, so passes follow
# until five in a row find none. /dev/fd is used because a plain shell redirects only descriptors below 10.
_LAUNCHER = """
ulimit -c 0
[ "$1" = - ] || ulimit -v "$1" || exit 126
[ "$2" = - ] || ulimit -t "$2" || exit 126
(
    while read -r _; do :; done
    exec env -i /bin/sh -c '
        passes=0 quiet=0
        while [ $quiet -lt 5 ] && [ $passes -lt 100 ]; do
            passes=$((passes + 1)) quiet=$((quiet + 1))
            for file in $(grep -laF "$1" /proc/[0-9]*/environ); do
                process=${file%/environ}
                kill -9 "${process#/proc/}"
                quiet=0
            done
        done
        kill -9 -"$2"
    ' sh "$4" $$
) <"$3" >/dev/null 2>&1 &
shift 4
exec "$@"
"""


@frozen
class ProgramLimits:
    """What one engine process may use; the defaults hold for every command that starts engines.

    Attributes:
        memory: MiB of address space of each of its processes; None for no limit.
        cpu: seconds of processor time of each of its processes; None for no limit.
    """

    memory: int | None = MEMORY_LIMIT
    cpu: int | None = CPU_LIMIT


#: Limits of clients, which are checked but play under no referee.
UNLIMITED = ProgramLimits(None, None)


@frozen
class ProcessEnd:
    """How a process ended.

    Attributes:
        code: its exit status; negative for the number of the signal that killed it.
        memory: MiB of memory it had in use at most; 0 if that is unknown, because this program had as much:
            each process begins as a copy of it.
        cpu: seconds of processor time it used.
    """

    code: int
    memory: float
    cpu: float

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> Translatable:
        """What happened to it, without a subject."""
        if self.code >= 0:
            return VerdictPhrase.EXIT_STATUS(status=self.code)
        try:
            name = signal.Signals(-self.code).name
        except ValueError:
            name = f"signal {-self.code}"
        return VerdictPhrase.KILLED(signal=name)


class Program(abc.ABC):
    """A running program; ``status`` is there once ``ended`` is set."""

    def __init__(self, stdin: SendStream, stdout: ReceiveStream, stderr: ReceiveStream) -> None:
        self.stdin, self.stdout, self._stderr = stdin, stdout, stderr
        self.status: ProcessEnd | None = None
        self.ended = trio.Event()
        self._said = bytearray()
        self._stderr_over = trio.Event()

    @abc.abstractmethod
    async def wait(self) -> None:
        """Wait until the program ends, and set ``ended``."""

    @abc.abstractmethod
    async def close(self) -> None:
        """End the program and close the pipes."""

    async def _close_streams(self) -> None:
        for stream in (self.stdin, self.stdout, self._stderr):
            await trio.aclose_forcefully(stream)

    async def drain_stderr(self, report: Callable[[str], None] = ignore) -> None:
        """Read standard error until it is closed, and keep its end.

        Args:
            report: gets the lines by the engine of this project that announce a stand-in.
        """
        line = b""
        with contextlib.suppress(*LOST):
            while data := await self._stderr.receive_some(65536):
                self._said += data
                del self._said[:-KEPT_STDERR]
                *lines, line = (line + data).split(b"\n")
                for each in lines:
                    if STAND_INS.encode() in each:
                        report(printable(each, KEPT_STDERR))
                line = line[-KEPT_STDERR:]
        self._stderr_over.set()

    async def last_words(self) -> bytes:
        """Return the end of what the ended program wrote to its standard error."""
        with trio.move_on_after(LINGER):
            await self._stderr_over.wait()
        return bytes(self._said)


class EngineProcess(Program):
    """A program whose processes are found and killed, whatever they do. Made by :func:`start_process`."""

    def __init__(self, process: subprocess.Popen[bytes], mark: str, pipes: Sequence[int]) -> None:
        # Our ends: of the standard streams, and of the pipe on which the guard waits.
        super().__init__(*map(unix.open_stream, pipes[:3]))
        self._guard = pipes[3]
        self._process = process
        self._mark = mark
        # The system also counts the memory of the child before it became the program.
        self._inherited = unix.peak_memory()

    @property
    def pid(self) -> int:
        """The process number, which is also that of its group."""
        return self._process.pid

    async def wait(self) -> None:
        """Wait until the program ends, then end whatever it left behind."""
        # The process stays a zombie meanwhile, so that its number, and its group's, cannot be another's.
        # It is gone altogether if close() came first.
        async with trio.open_nursery() as nursery:
            nursery.start_soon(collect_zombies, _running)
            with contextlib.suppress(ChildProcessError):
                await self._wait_for_end()
            nursery.cancel_scope.cancel()
        self.kill()
        self._reap()
        # The output ends now, unless a process that hides from us holds it open.
        await trio.sleep(LINGER)
        await trio.aclose_forcefully(self.stdout)

    async def _wait_for_end(self) -> None:
        """Return when the program has ended.

        Raises:
            ChildProcessError: it was reaped already.
        """
        try:
            await trio.to_thread.run_sync(
                unix.wait_for_end, self.pid, abandon_on_cancel=True, limiter=trio.CapacityLimiter(1)
            )
        except RuntimeError as error:
            if lack_of(error) is None:
                raise
            # A machine without room for another thread may have room for this program.
            while not unix.has_ended(self.pid):  # noqa: ASYNC110 - the system tells nobody else
                await trio.sleep(POLL)

    def _reap(self) -> None:
        if self.ended.is_set():
            return
        code, memory, cpu = unix.reap(self.pid)
        _running.pop(self.pid, None)
        self._process.returncode = code
        self.status = ProcessEnd(code, memory if memory > self._inherited else 0.0, cpu)
        self.ended.set()

    def kill(self) -> None:
        """Kill the program and all processes that came from it."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                unix.kill_group(self.pid)
        # One that forks and ends while a pass goes on can be missed, and its child too.
        quiet, needed = 0, 2
        for _ in range(KILLING_PASSES):
            if self._kill_stragglers():
                quiet, needed = 0, QUIET_PASSES
            else:
                quiet += 1
            if quiet == needed:
                return

    def _kill_stragglers(self) -> int:
        """Kill what left the group, and return how many there were."""
        killed = 0
        for pid in itertools.chain(_marked(self._mark), _hidden()):
            if pid == self.pid:
                continue
            with contextlib.suppress(ProcessLookupError, PermissionError):
                unix.kill(pid)
                killed += 1
                # Where it was given to us, its own children are only after this.
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)
        return killed

    async def close(self) -> None:
        """Kill what is left and close the pipes. Nothing of the program runs after this."""
        with trio.CancelScope(shield=True):
            self.kill()
            if not self.ended.is_set():
                # Killed for certain, so this does not take long.
                self._reap()
            await self._close_streams()
            if self._guard >= 0:
                os.close(self._guard)
                self._guard = -1


def start_process(
    command: Sequence[str],
    limits: ProgramLimits,
    is_terminal: bool = False,
    *,
    is_unbuffered: bool = True,
    folder: str = "",
) -> EngineProcess:
    """Start ``command``; its ``wait`` and ``drain_stderr`` have to run then, and ``close`` at the end.

    Args:
        command: the program and its arguments.
        limits: what it may use.
        is_terminal: give it a terminal as standard output, which makes most programs flush every line.
        is_unbuffered: have Python flush all that it prints.
        folder: where it runs; empty for the current folder.

    Raises:
        OSError: the system cannot start a process, or the folder does not exist.
    """
    if not unix.can_limit_programs():
        raise OSError(errno.ENOSYS, unix.NO_PROGRAMS)
    mark = f"{os.getpid()}-{secrets.token_hex(8)}"
    environment = {
        name: value for name, value in os.environ.items() if name in INHERITED or name.startswith("LC_")
    }
    environment[MARK] = mark
    if is_unbuffered:
        # Python engines of the course print without flushing, too.
        environment["PYTHONUNBUFFERED"] = "1"
    ours: list[int] = []
    theirs: list[int] = []
    try:
        for read_is_ours in (False, True, True, False):
            is_output = len(ours) == 1
            read, write = unix.open_terminal() if is_output and is_terminal else os.pipe()
            ours.append(read if read_is_ours else write)
            theirs.append(write if read_is_ours else read)
        stdin, stdout, stderr, guard = theirs
        bounds = (_bound("RLIMIT_AS", limits.memory, 1 << 20, 1024), _bound("RLIMIT_CPU", limits.cpu))
        process = subprocess.Popen(
            ["/bin/sh", "-c", _LAUNCHER, "sh", *bounds, f"/dev/fd/{guard}", f"{MARK}={mark}", *command],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=[guard],
            env=environment,
            cwd=folder or None,
            start_new_session=True,
        )
    except BaseException:
        for descriptor in ours:
            os.close(descriptor)
        raise
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    _running[process.pid] = mark
    return EngineProcess(process, mark, ours)


def _bound(name: str, limit: int | None, unit: int = 1, shell_unit: int = 1) -> str:
    """Return a limit as the launcher takes it, no higher than that of this program, which none can exceed.

    Args:
        name: of the limit in :mod:`resource`.
        limit: what was asked for; None or 0 for none.
        unit: what one of it is for the system.
        shell_unit: what ``ulimit`` counts in.
    """
    if not limit:
        return "-"
    if sys.platform == "darwin" and name == "RLIMIT_AS":
        # macOS has no limit of address space that holds, and its shell refuses to set one.
        return "-"
    wanted = limit * unit
    highest = unix.hard_limit(name)
    if highest is not None:
        wanted = min(wanted, highest)
    return str(wanted // shell_unit)


def _marked(mark: str) -> Iterator[int]:
    """Yield the numbers of the living processes that carry ``mark``, where the system tells (Linux)."""
    # The youngest first: those have the least time to fork and end before they are looked at.
    for process in sorted(processes(), reverse=True):
        if _mark_of(process) == mark:
            yield process


def _hidden() -> Iterator[int]:
    """Yield the numbers of the orphans that carry no mark of a program that runs."""
    marks = set(_running.values())
    return (pid for pid in adopted(_running) if _mark_of(pid) not in marks)


def _mark_of(process: int) -> str | None:
    """Return the mark in the environment of a process; None if there is none to be seen."""
    try:
        # Every process of the machine is looked at, which pathlib would make twice as slow.
        with io.FileIO(f"/proc/{process}/environ") as file:
            environment = file.readall()
    except OSError:
        return None
    # A zombie's environment reads as empty.
    _, name, rest = (b"\0" + environment).partition(f"\0{MARK}=".encode())
    return rest.partition(b"\0")[0].decode("ascii", "replace") if name else None
