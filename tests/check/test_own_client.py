"""The display client passes every check."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from quoridor_net.check.findings import CheckVerdict
from quoridor_net.check.lan_client.run import check_client
from quoridor_net.match import MatchSettings, play_match
from quoridor_net.players.lan import LanPlayer
from quoridor_net.rules import Position
from tests.support.small_client import SmallClient, Starting


class DisplayClient(SmallClient):
    """The display client from its connections on."""

    async def run(self) -> None:
        players = [LanPlayer(stream, number) for number, stream in self.streams.items()]
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.greet)
        await play_match(players, MatchSettings(Position(players=len(players))), [])


async def test_the_display_client_passes_every_check(autojump_clock: MockClock) -> None:
    report = await check_client(Starting(DisplayClient))
    assert report.findings == []
    assert {outcome.verdict for outcome in report.outcomes} == {CheckVerdict.PASSED}
    assert len(report.outcomes) > 10
