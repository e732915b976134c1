"""Our commands in forks of an interpreter that has imported their modules already.

A fork has the usual arguments, environment, folder, files and process group, and is a child of this process.
Only the seed of its hashes and its command line in lists of processes are the interpreter's. Tests of these
and of start-up itself use ``subprocess``, and so does this module on systems that cannot adopt processes.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from quoridor_net.programs.orphans import adopt_orphans
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]

#: What commands import at their start and later.
MODULES = (
    "client.command",
    "numba",
    "quoridor_net.cli.check",
    "quoridor_net.cli.play",
    "quoridor_net.cli.tournament.run",
    "quoridor_net.engine",
    "server.command",
)

#: Beginnings of the variables that only the start of an interpreter or an import reads.
READ_AT_START = ("LANG", "LC_", "NUMBA_", "OPENBLAS_", "PYTHON")

#: Their defaults in the interpreter. Our engine sets the second before it imports numpy, which changes the
#: environment of the tests' own process, too.
_DEFAULTS = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}

_LONGEST_COMMAND = 1 << 18


class Interpreter:
    """An interpreter that forks for each command. It ends when this process does."""

    def __init__(self) -> None:
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {**_DEFAULTS, **os.environ}
        self._read_at_start = _find_read_at_start(environment)
        # The environment of the tests may name other folders only.
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), environment["PYTHONPATH"]])
        with theirs:
            number = theirs.fileno()
            words = [sys.executable, "-P", "-m", __name__, str(number)]
            options: dict[str, Any] = {"cwd": ROOT, "env": environment, "pass_fds": [number]}
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, **options)
        # Otherwise Python reports both at its end.
        atexit.register(self._end)

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._connection.close()

    def can_start(self, words: Sequence[str], environment: Mapping[str, str]) -> bool:
        """Return whether the words run a command of ours that differs from its start by nothing but time."""
        match list(words):
            case [sys.executable, "-m", str(module), *_] | [sys.executable, "-P", "-m", str(module), *_]:
                is_ours = module.partition(".")[0] in {"client", "quoridor_net", "server"}
                return is_ours and self._read_at_start == _find_read_at_start(environment)
        return False

    def start(self, command: list[object], files: Iterable[int]) -> int:
        """Start a command, which :func:`_wait_for_command` returns, with these files as its standard ones."""
        with adopt_orphans():
            socket.send_fds(self._connection, [json.dumps(command).encode()], files)
            return int(self._connection.recv(16))


def _find_read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    known = {**_DEFAULTS, **environment}
    return {name: value for name, value in known.items() if name.startswith(READ_AT_START)}


#: Starts the interpreter for the first command.
_interpreter = functools.cache(Interpreter)


class Popen(subprocess.Popen[Any]):
    """A process as of ``subprocess``, forked if that makes no difference."""

    def _execute_child(self, words: Sequence[str], *rest: Any) -> None:
        _, preexec, _, more_files, folder, environment, _, _, _, *pipes = rest[:15]
        environment = dict(os.environ if environment is None else environment)
        is_usual = sys.platform == "linux" and not (preexec or more_files)
        if not is_usual or not _interpreter().can_start(words, environment):
            super()._execute_child(words, *rest)  # type: ignore[misc]
            return
        has_own_session = rest[-2]
        command = [list(words), str(folder or Path.cwd()), environment, has_own_session]
        given = (pipes[0], pipes[3], pipes[5])
        files = [own if file == -1 else file for own, file in enumerate(given)]
        self.pid = _interpreter().start(command, files)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]


def run(
    words: Sequence[str], *, sent: str | bytes | None = None, timeout: float = PATIENCE, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Run a command to its end; its input and output are text unless the options differ."""
    pipe = subprocess.PIPE
    with Popen(words, **{"stdin": pipe, "stdout": pipe, "stderr": pipe, "text": True} | options) as process:
        try:
            output, errors = process.communicate(sent, timeout)
        finally:
            process.kill()
    return subprocess.CompletedProcess(list(words), process.returncode, output, errors)


def _wait_for_command(requests: socket.socket) -> list[str]:
    """Return the words of a command, in the process that is to run it."""
    while True:
        request, files, _, _ = socket.recv_fds(requests, _LONGEST_COMMAND, 3)
        if not request:
            os._exit(0)
        read, write = os.pipe()
        # A grandchild, because its parent ends at once, so that the tests' process adopts it.
        if (child := os.fork()) == 0:
            if os.fork():
                os._exit(0)
            break
        os.waitpid(child, 0)
        requests.send(os.read(read, 16))
        for file in (read, write, *files):
            os.close(file)
    words, folder, environment, has_own_session = json.loads(request)
    if has_own_session:
        os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, (name, file) in enumerate(zip(("stdin", "stdout", "stderr"), files, strict=True)):
        os.dup2(file, number)
        old = getattr(sys, name)
        buffering = 1 if name == "stderr" or os.isatty(number) else -1
        new = open(number, old.mode, buffering, old.encoding, old.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.write(write, b"%d" % os.getpid())
    os.closerange(3, write + len(files) + 1)
    return list(words)


def main() -> None:
    """Import the modules, and run a command in each fork."""
    # Ctrl-C in a terminal is meant for the tests.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = socket.socket(fileno=int(sys.argv[1]))
    for module in MODULES:
        importlib.import_module(module)
    # Otherwise each fork would copy everything when it collects garbage.
    gc.collect()
    gc.freeze()
    words = _wait_for_command(requests)
    requests.detach()
    sys.argv = words[words.index("-m") + 1 :]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
