"""Programs that are interrupted end in order, however often Ctrl-C is pressed."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.support.patience import PATIENCE

PROGRAM = """
import sys
import trio
from quoridor_net.net.signals import until_signal

async def work():
    print("working", flush=True)
    try:
        await trio.sleep_forever()
    finally:
        print("leaving", flush=True)
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(sys.stdin.readline)

print(trio.run(until_signal, work), flush=True)
sys.stdin.readline()
sys.exit(4)
"""


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_further_signals_do_not_disturb_the_end(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for expected in ("working", "leaving"):
            assert program.stdout.readline() == f"{expected}\n"
            program.send_signal(number)
        program.stdin.write("\n")
        program.stdin.flush()
        assert program.stdout.readline() == "None\n"
        program.send_signal(number)
        output, complaints = program.communicate("\n", timeout=PATIENCE)
    assert (program.returncode, output, complaints) == (4, "", "")
