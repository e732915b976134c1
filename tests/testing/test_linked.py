"""Games that the test kit links in memory, without the move server of this project."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from trio.abc import Stream
from trio.testing import MockClock

from quoridor_net.check import check_server
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.rules import Move, Position
from quoridor_net.testing import play_linked, plays
from quoridor_net.testing.move_servers import Script, answers, chatters, floods, never_answers


@pytest.mark.parametrize("players", [2, 4])
async def test_sound_servers_play_to_the_end(players: int, autojump_clock: MockClock) -> None:
    played = await play_linked({}, players)
    assert played.result.termination is Termination.GOAL
    assert [played.log.sent(number)[-1] for number in range(1, players + 1)] == [
        f"KIKASHI {played.result.winner}\n"
    ] * players


async def test_a_linked_server_plays_the_moves_of_its_function(autojump_clock: MockClock) -> None:
    asked: list[int] = []

    def choose(position: Position) -> Move:
        assert position.turn is not None
        asked.append(position.turn)
        return position.legal_walls[0] if position.ply == 0 else position.legal_steps[0]

    played = await play_linked({1: plays(choose, "ann:wall")})
    assert set(asked) == {1}
    assert "GAME 2 ann:wall kit:walker\n" in played.log.sent(2)
    assert "ATARI 1 [(0, 0), h]\n" in played.log.sent(2)


async def test_a_script_is_eliminated_and_the_others_continue(autojump_clock: MockClock) -> None:
    played = await play_linked({4: answers(b"TESUJI (0, 0)\n")}, players=4)
    assert played.result.termination is Termination.GOAL
    assert played.log.sent(4)[-1] == "GOTE 4\n"
    assert all("GOTE 4\n" in played.log.sent(number) for number in (1, 2, 3))


async def test_the_sound_server_passes_the_checker(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:

        async def connect() -> Stream:
            await trio.lowlevel.checkpoint()
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(plays(), theirs)
            return ours

        report = await check_server(connect)
        nursery.cancel_scope.cancel()
    assert report.findings == []
    assert report.is_checked


async def test_a_server_without_a_name_is_out(autojump_clock: MockClock) -> None:
    async def nameless(stream: Stream) -> None:
        await stream.receive_some(100)
        await stream.send_all(b"TESUJI (4, 1)\n")
        await trio.sleep_forever()

    with pytest.raises(ForfeitError) as caught:
        await play_linked({2: nameless})
    assert caught.value.line == "TESUJI (4, 1)"


@pytest.mark.parametrize("script", [answers(b"TESUJI\n"), chatters, floods, never_answers])
async def test_faulty_servers_read_until_the_client_closes(script: Script, autojump_clock: MockClock) -> None:
    ended = trio.Event()

    async def run(stream: Stream) -> None:
        await script(stream)
        ended.set()

    async with trio.open_nursery() as nursery:
        ours, theirs = trio.testing.memory_stream_pair()
        nursery.start_soon(run, theirs)
        await ours.send_all(b"HELLO\nGAME 1 a b\nMYOUSHU\n")
        await trio.testing.wait_all_tasks_blocked()
        assert not ended.is_set()
        await ours.aclose()
        await ended.wait()
