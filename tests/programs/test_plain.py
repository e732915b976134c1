"""Programs without limits, as on Windows."""

from __future__ import annotations

import sys

import pytest
import trio

from quoridor_net.programs.plain import start_plain_process

pytestmark = pytest.mark.end_to_end


async def test_closing_kills_a_running_program() -> None:
    program = await start_plain_process([sys.executable, "-c", "import time; time.sleep(600)"])
    await program.close()
    with trio.fail_after(60):
        await program.wait()
    assert program.ended.is_set()
    assert program.status is not None
    assert program.status.code != 0


async def test_closing_keeps_the_status_of_a_program_that_ended() -> None:
    program = await start_plain_process([sys.executable, "-c", "raise SystemExit(3)"])
    await program.wait()
    await program.close()
    assert program.status is not None
    assert program.status.code == 3
