"""Engine programs as processes that are limited, watched and reliably killed.

Each runs in its own session and process group, under limits enforced by the operating system. When it exits
or is stopped, this module kills its whole group, every process with its mark in the environment, and every
unmarked process that :mod:`~quoridor_net.programs.orphans` finds. If this program itself is killed, a guard
in the group does the first two.
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

from quoridor_net.net import deadlines
from quoridor_net.net.errors import LOST
from quoridor_net.output import ignore
from quoridor_net.phrases import Translatable
from quoridor_net.programs import unix
from quoridor_net.programs.orphans import collect_zombies, find_adopted, list_processes
from quoridor_net.shortage import lack_of
from quoridor_net.text import printable
from quoridor_net.verdicts import STAND_INS, VerdictPhrase

#: Default limit on the address space of each process, in MiB, as in the course's referee.
MEMORY_LIMIT = 950

#: Default limit on the CPU time of a process, in seconds: a week. A backstop for programs that hang.
CPU_LIMIT = 7 * 24 * 3600

#: Default time limit for the first answer of a program, in seconds.
START_TIME = 30.0

#: Maximum number of bytes kept of a program's latest standard error. The first line of a stack trace matters
#: most, and Java prints a thousand lines after an endless recursion.
KEPT_STDERR = 1 << 17

#: Maximum length of a line of standard error that is reported, in bytes.
_MOST_OF_A_LINE = 4096

#: Time limit for the output to end after its program has exited, in seconds.
LINGER = 1.0

#: Interval between checks whether a program has exited, if no thread can wait for it, in seconds.
POLL = 0.05

#: Maximum number of passes that list and kill processes while new ones keep appearing.
KILLING_PASSES = 100

#: Number of passes in a row that must find nothing, once a process was found outside the group.
QUIET_PASSES = 5

#: The environment variable that marks the processes of an engine.
MARK = "QUORIDOR_ENGINE"

#: The environment variables that engines inherit, besides LC_*. A foreign program needs no others, and others
#: may be secret.
INHERITED = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "XDG_CACHE_HOME",
    "JAVA_HOME", "LD_LIBRARY_PATH", "NUMBA_CACHE_DIR", "PYTHONPATH", "VIRTUAL_ENV",
)  # fmt: skip

#: Exit status of the shell when it cannot find or run a program.
CANNOT_RUN = (126, 127)

#: The marks of the running programs, by process ID.
_running: dict[int, str] = {}

# The limits apply to the engine and all its children. The guard waits for the end of a pipe whose other end
# only this program holds. It then kills all processes with the mark, and the group including itself; for that
# it becomes a program without the mark. A process can fork between being listed and being killed, so passes
# repeat until five in a row find none. /dev/fd is needed because a plain shell redirects only descriptors
# below 10.
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
    """Resource limits of an engine; the defaults apply to all commands that start engines.

    Attributes:
        memory: maximum address space of each process, in MiB; None for no limit.
        cpu: maximum CPU time of each process, in seconds; None for no limit.
    """

    memory: int | None = MEMORY_LIMIT
    cpu: int | None = CPU_LIMIT


#: The limits of clients, which are checked but not refereed.
UNLIMITED = ProgramLimits(None, None)


@frozen
class ProcessEnd:
    """The end of a process.

    Attributes:
        code: exit status, or the negative number of the signal that killed it.
        memory: peak memory, in MiB; 0 if it was no higher than this program's and is therefore unknown,
            because each process begins as a copy of this one.
        cpu: CPU time, in seconds.
    """

    code: int
    memory: float
    cpu: float

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> Translatable:
        """A clause that describes the end, without a subject."""
        if self.code >= 0:
            return VerdictPhrase.EXIT_STATUS(status=self.code)
        try:
            name = signal.Signals(-self.code).name
        except ValueError:
            name = f"signal {-self.code}"
        return VerdictPhrase.KILLED(signal=name)


class Program(abc.ABC):
    """A running program; ``status`` is available once ``ended`` is set."""

    def __init__(self, stdin: SendStream, stdout: ReceiveStream, stderr: ReceiveStream) -> None:
        self.stdin, self.stdout, self._stderr = stdin, stdout, stderr
        self.status: ProcessEnd | None = None
        self.ended = trio.Event()
        self._said = bytearray()
        self._stderr_over = trio.Event()

    @property
    def said(self) -> bytes:
        """The latest part of its standard error so far."""
        return bytes(self._said)

    @abc.abstractmethod
    async def wait(self) -> None:
        """Wait until the program exits, and set ``ended``."""

    @abc.abstractmethod
    async def close(self) -> None:
        """Kill the program and close the pipes."""

    async def _close_streams(self) -> None:
        for stream in (self.stdin, self.stdout, self._stderr):
            await trio.aclose_forcefully(stream)

    async def drain_stderr(self, report: Callable[[str], None] = ignore) -> None:
        """Read standard error until it is closed, and keep the latest part.

        Args:
            report: gets the lines of this project's engine that announce a stand-in.
        """
        line = b""
        with contextlib.suppress(*LOST):
            while data := await self._stderr.receive_some(65536):
                self._said += data
                del self._said[:-KEPT_STDERR]
                *lines, line = (line + data).split(b"\n")
                for each in lines:
                    if STAND_INS.encode() in each:
                        report(printable(each, _MOST_OF_A_LINE))
                line = line[-_MOST_OF_A_LINE:]
        self._stderr_over.set()

    async def last_words(self) -> bytes:
        """Return the latest part of the exited program's standard error."""
        with deadlines.move_on_after(LINGER):
            await self._stderr_over.wait()
        return bytes(self._said)


class EngineProcess(Program):
    """A program whose processes are all found and killed. Created by :func:`start_process`."""

    def __init__(self, process: subprocess.Popen[bytes], mark: str, pipes: Sequence[int]) -> None:
        # This program's ends of the standard streams and of the guard's pipe.
        super().__init__(*map(unix.open_stream, pipes[:3]))
        self._guard = pipes[3]
        self._process = process
        self._mark = mark
        # The system also counts the memory of the child before it became the program.
        self._inherited = unix.peak_memory()

    @property
    def pid(self) -> int:
        """The process ID, which is also the ID of its group."""
        return self._process.pid

    async def wait(self) -> None:
        """Wait until the program exits, then kill all processes that it left behind."""
        # The process stays a zombie meanwhile, so that its ID and its group's are not reused. If close() came
        # first, it is already reaped.
        async with trio.open_nursery() as nursery:
            nursery.start_soon(collect_zombies, _running)
            with contextlib.suppress(ChildProcessError):
                await self._wait_for_end()
            nursery.cancel_scope.cancel()
        self.kill()
        self._reap()
        # The output ends now, unless a hidden process holds it open.
        await trio.sleep(LINGER)
        await trio.aclose_forcefully(self.stdout)

    async def _wait_for_end(self) -> None:
        """Wait until the program has exited.

        Raises:
            ChildProcessError: it was already reaped.
        """
        try:
            await trio.to_thread.run_sync(
                unix.wait_for_end, self.pid, abandon_on_cancel=True, limiter=trio.CapacityLimiter(1)
            )
        except RuntimeError as error:
            if lack_of(error) is None:
                raise
            # No thread can be started, but the program can still run: poll.
            while not unix.has_ended(self.pid):  # noqa: ASYNC110 - no event announces this
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
        """Kill the program and all its descendants."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError, ChildProcessError):
                unix.kill_group(self.pid)
                # Until it is dead, it stays the parent of its hidden children, so that no pass finds them.
                # This does not block for long.
                unix.wait_for_end(self.pid)
        # A pass can miss a process that forks and exits during it, and its child too.
        quiet, needed = 0, 2
        for _ in range(KILLING_PASSES):
            groups = self._kill_stragglers()
            quiet = 0 if groups else quiet + 1
            # A member of the group, such as the guard, is merely still dying and cannot fork any more.
            if groups - {self.pid}:
                needed = QUIET_PASSES
            if quiet == needed:
                return

    def _kill_stragglers(self) -> set[int]:
        """Kill the processes that are still alive; return the IDs of the groups that they were in."""
        groups: set[int] = set()
        for pid in itertools.chain(_find_marked(self._mark), _find_hidden()):
            if pid == self.pid:
                continue
            with contextlib.suppress(ProcessLookupError, PermissionError):
                group = unix.group_of(pid)
                if group == self.pid:
                    # With all children that it forked if it has returned to the group only now.
                    unix.kill_group(group)
                else:
                    unix.kill(pid)
                groups.add(group)
                # Reap it if it was adopted: only then are its own children adopted.
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)
        return groups

    async def close(self) -> None:
        """Kill all remaining processes and close the pipes. Nothing of the program runs after this."""
        with trio.CancelScope(shield=True):
            self.kill()
            if not self.ended.is_set():
                # This does not block for long, because the process has been killed.
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
    """Start ``command``. The caller must run ``wait`` and ``drain_stderr``, and call ``close`` at the end.

    Args:
        command: the program and its arguments.
        limits: its resource limits.
        is_terminal: whether its standard output is a terminal, which makes most programs flush every line.
        is_unbuffered: whether Python programs run unbuffered.
        folder: its working folder; empty for the current folder.

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
        # Python engines of the course often print without flushing.
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
    """Return a limit as the launcher's argument, capped at this program's hard limit.

    Args:
        name: name of the limit in :mod:`resource`.
        limit: the requested limit; None or 0 for none.
        unit: unit of ``limit`` in units of the system.
        shell_unit: unit of ``ulimit`` in units of the system.
    """
    if not limit:
        return "-"
    if sys.platform == "darwin" and name == "RLIMIT_AS":
        # macOS does not enforce a limit on address space, and its shell refuses to set one.
        return "-"
    wanted = limit * unit
    highest = unix.hard_limit(name)
    if highest is not None:
        wanted = min(wanted, highest)
    return str(wanted // shell_unit)


def _find_marked(mark: str) -> Iterator[int]:
    """Yield the IDs of the living processes with ``mark``, on Linux."""
    # The youngest first, so that they have the least time to fork and exit before they are checked.
    for process in sorted(list_processes(), reverse=True):
        if _mark_of(process) == mark:
            yield process


def _find_hidden() -> Iterator[int]:
    """Return the IDs of the adopted orphans without the mark of a running program."""
    marks = set(_running.values())
    return (pid for pid in find_adopted(_running) if _mark_of(pid) not in marks)


def _mark_of(process: int) -> str | None:
    """Return the mark in the environment of a process; None if there is none or it cannot be read."""
    try:
        # FileIO, because pathlib is twice as slow and this runs for every process of the machine.
        with io.FileIO(f"/proc/{process}/environ") as file:
            environment = file.readall()
    except OSError:
        return None
    # A zombie's environment reads as empty.
    _, name, rest = (b"\0" + environment).partition(f"\0{MARK}=".encode())
    return rest.partition(b"\0")[0].decode("ascii", "replace") if name else None
