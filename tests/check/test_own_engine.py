"""The engine of ``quoridor qtp`` passes every check."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from trio.abc import Stream
from trio.testing import MockClock, memory_stream_pair

from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.findings import CheckVerdict
from tests.server.athens.test_session import make_session


@asynccontextmanager
async def start() -> AsyncIterator[Stream]:
    """Start the engine in memory, because 40 processes would take ten seconds to start."""
    ours, theirs = memory_stream_pair()

    async def run() -> None:
        try:
            await make_session().run(theirs, theirs)
        finally:
            await trio.aclose_forcefully(theirs)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        yield ours
        nursery.cancel_scope.cancel()


async def test_the_engine_passes_every_check(autojump_clock: MockClock) -> None:
    report = await check_engine(start)
    assert report.findings == []
    assert {outcome.verdict for outcome in report.outcomes} == {CheckVerdict.PASSED}
    assert len(report.outcomes) > 30
