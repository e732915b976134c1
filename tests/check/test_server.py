"""The checker of move servers: each planted bug is named, and nothing else is."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from quoridor_net.check.findings import Report
from quoridor_net.check.lan_server.run import check_server
from tests.support.walker_server import Connecting, WalkerServer


async def checked(server: WalkerServer) -> Report:
    async with trio.open_nursery() as nursery:
        report = await check_server(Connecting(nursery, server))
        nursery.cancel_scope.cancel()
    return report


async def test_a_sound_server_passes(autojump_clock: MockClock) -> None:
    report = await checked(WalkerServer())
    assert report.findings == []
    assert all(outcome.verdict == "passed" for outcome in report.outcomes)
