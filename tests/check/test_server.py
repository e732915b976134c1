"""The checker of move servers: each planted bug is named, and nothing else is; correct servers pass."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.check.findings import Report, Severity
from quoridor_net.check.lan_server.run import check_server
from tests.support.server_bugs import BUGS, UNUSUAL
from tests.support.walker_server import Connecting, WalkerServer


async def checked(server: WalkerServer) -> Report:
    async with trio.open_nursery() as nursery:
        report = await check_server(Connecting(nursery, server))
        nursery.cancel_scope.cancel()
    return report


def musts(report: Report) -> list[str]:
    return [finding.code for finding in report.findings if finding.severity is Severity.MUST]


async def test_a_sound_server_passes(autojump_clock: MockClock) -> None:
    report = await checked(WalkerServer())
    assert report.findings == []
    assert all(outcome.verdict == "passed" for outcome in report.outcomes)


@pytest.mark.parametrize(("code", "server"), BUGS, ids=lambda value: getattr(value, "__name__", value))
async def test_a_bug_is_named(code: str, server: type[WalkerServer], autojump_clock: MockClock) -> None:
    report = await checked(server())
    assert code in [finding.code for finding in report.findings]
    assert musts(report) in ([], [code])


@pytest.mark.parametrize("server", UNUSUAL, ids=lambda server: server.__name__)
async def test_a_correct_server_passes(server: type[WalkerServer], autojump_clock: MockClock) -> None:
    report = await checked(server())
    assert musts(report) == []
