"""A test that hangs fails by itself, and says where."""

from __future__ import annotations

import math
import traceback

import pytest
import trio
import trio.testing

from tests.conftest import VIRTUAL_PATIENCE, limit_time


async def waits_for_ever() -> None:
    await trio.sleep_forever()


async def test_a_hanging_test_fails_at_its_limit_of_virtual_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    started = trio.current_time()
    with pytest.raises(trio.TooSlowError) as caught:
        await limit_time(waits_for_ever, VIRTUAL_PATIENCE / 2)()
    assert trio.current_time() - started == VIRTUAL_PATIENCE / 2
    cancelled = caught.value.__context__
    assert cancelled is not None
    assert "waits_for_ever" in {frame.name for frame in traceback.extract_tb(cancelled.__traceback__)}


async def test_asynchronous_tests_have_a_time_limit() -> None:
    assert trio.current_effective_deadline() < math.inf
