"""The engine of ``quoridor qtp`` passes every check."""

from __future__ import annotations

from trio.testing import MockClock

from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.findings import CheckVerdict
from tests.server.athens.test_session import make_session
from tests.support.small_engine import run_in_memory


async def test_the_engine_passes_every_check(autojump_clock: MockClock) -> None:
    report = await check_engine(lambda: run_in_memory(lambda stream: make_session().run(stream, stream)))
    assert report.findings == []
    assert {outcome.verdict for outcome in report.outcomes} == {CheckVerdict.PASSED}
    assert len(report.outcomes) > 30
