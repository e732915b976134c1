"""The proxies of the test kit, around real move servers."""

from __future__ import annotations

from functools import partial

import pytest
import trio
import trio.testing
from trio.abc import Stream
from trio.testing import MockClock

from quoridor_net.check import Report, check_server
from quoridor_net.match import MatchSettings
from quoridor_net.outcome import Termination
from quoridor_net.rules import Position
from quoridor_net.testing import Cutting, Delaying, Dribbling, Lying, Reordering, Script, Vanishing, through
from tests.support.linked_game import play_linked, simple_server


async def check_in_memory(server: Script) -> Report:
    """Check a move server in memory."""
    async with trio.open_nursery() as nursery:

        async def connect() -> Stream:
            await trio.lowlevel.checkpoint()
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(server, theirs)
            return ours

        report = await check_server(connect)
        nursery.cancel_scope.cancel()
    return report


def list_codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


async def test_our_server_is_sound(autojump_clock: MockClock) -> None:
    assert list_codes(await check_in_memory(simple_server())) == []


async def test_a_game_works_a_byte_at_a_time(autojump_clock: MockClock) -> None:
    dribbling = through(simple_server(), Dribbling)
    played = await play_linked({1: dribbling, 2: dribbling})
    assert played.result.termination is Termination.GOAL


async def test_sending_in_small_pieces_is_accepted(autojump_clock: MockClock) -> None:
    assert list_codes(await check_in_memory(through(simple_server(), partial(Dribbling, pause=0.001)))) == []


async def test_late_messages_are_found(autojump_clock: MockClock) -> None:
    report = await check_in_memory(through(simple_server(), partial(Delaying, seconds=6)))
    assert list_codes(report) == ["LAN-191"]


async def test_too_late_has_lost(autojump_clock: MockClock) -> None:
    slow = through(simple_server(), partial(Delaying, seconds=6))
    played = await play_linked({2: slow}, settings=MatchSettings(Position(), move_time=5))
    assert played.result.winner == 1


@pytest.mark.parametrize(("after", "code"), [(3, "LAN-102"), (20, "LAN-122")])
async def test_a_cut_connection_is_found(after: int, code: str, autojump_clock: MockClock) -> None:
    server = simple_server()

    async def cut(stream: Stream) -> None:
        try:
            await server(Cutting(stream, after))
        except trio.BrokenResourceError:
            await trio.aclose_forcefully(stream)

    assert code in list_codes(await check_in_memory(cut))


async def test_a_lie_is_found(autojump_clock: MockClock) -> None:
    swapping = through(
        simple_server(), lambda stream: Lying(stream, lambda data: data.replace(b"4, 1", b"1, 4"))
    )
    assert "LAN-131" in list_codes(await check_in_memory(swapping))


async def test_two_messages_change_places(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        ours, theirs = trio.testing.memory_stream_pair()
        proxy = Reordering(ours, nursery)
        with trio.testing.assert_checkpoints():
            await proxy.send_all(b"first\n")
        await proxy.send_all(b"second\n")
        assert await theirs.receive_some() == b"second\nfirst\n"
        # When the wait for a second message is over, the first one is not sent again.
        await trio.sleep(1)
        await proxy.aclose()
        assert await theirs.receive_some() == b""


@pytest.mark.parametrize(("options", "seconds"), [({}, 0.5), ({"patience": 3}, 3)])
async def test_a_message_without_a_second_is_sent_later(
    options: dict[str, float], seconds: float, autojump_clock: MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        ours, theirs = trio.testing.memory_stream_pair()
        proxy = Reordering(ours, nursery, **options)
        await proxy.send_all(b"first\n")
        before = trio.current_time()
        assert await theirs.receive_some() == b"first\n"
        assert trio.current_time() == before + seconds


async def test_readers_and_writers_notice_a_lost_network_at_the_same_time(autojump_clock: MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    vanishing = Vanishing(ours, b"two", 5)
    await vanishing.send_all(b"one\n")
    for lost in (b"two\n", b"three\n"):
        with trio.testing.assert_checkpoints():
            await vanishing.send_all(lost)
    await theirs.send_all(b"lost, too\n")
    before = trio.current_time()
    with pytest.raises(trio.BrokenResourceError):
        await vanishing.receive_some()
    assert trio.current_time() == before + 5
    with pytest.raises(trio.BrokenResourceError):
        await vanishing.send_all(b"four\n")
    assert await theirs.receive_some() == b"one\n"
