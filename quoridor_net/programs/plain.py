"""Programs on systems that cannot limit them, sufficient to check clients."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Sequence
from functools import partial

import trio

from quoridor_net.programs.process import LINGER, ProcessEnd, Program

#: Time limit for killing a program and all its children, in seconds.
_KILLING_TIME = 10.0


class PlainProcess(Program):
    """A running program without limits. Created by :func:`start_plain_process`."""

    def __init__(self, process: trio.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        super().__init__(process.stdin, process.stdout, process.stderr)
        self._process = process

    async def wait(self) -> None:
        """Wait until the program exits, then briefly for its children that still write output."""
        code = await self._process.wait()
        self.status = ProcessEnd(code, 0.0, 0.0)
        self.ended.set()
        await trio.sleep(LINGER)
        await trio.aclose_forcefully(self.stdout)

    async def close(self) -> None:
        """Kill the program if it is still running, and close the pipes."""
        with trio.CancelScope(shield=True):
            if self._process.poll() is None:
                await trio.to_thread.run_sync(_kill_tree, self._process.pid)
                self._process.kill()
                await self._process.wait()
            await self._close_streams()


async def start_plain_process(command: Sequence[str]) -> PlainProcess:
    """Start ``command``. The caller must run ``wait`` and ``drain_stderr``, and call ``close`` at the end.

    Raises:
        OSError: the system cannot start it.
    """
    open_process = partial(trio.lowlevel.open_process, list(command))
    process = await open_process(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return PlainProcess(process)


def _kill_tree(pid: int) -> None:
    """Kill a program and all its children, on Windows."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                ["taskkill", "/T", "/F", "/PID", str(pid)],  # noqa: S607 - found by the system
                capture_output=True,
                timeout=_KILLING_TIME,
                check=False,
            )
