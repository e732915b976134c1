"""Faulty clients of the 2006 Clobber protocol, as a server sees them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing
from trio.abc import Stream
from trio.testing import MockClock

from quoridor_net.clobber import ClobberPosition
from quoridor_net.protocols.olympiad.messages import Played, Settings, encode, parse_message
from quoridor_net.testing.clobber_clients import hangs_up, hangs_up_in_a_line, lines_of, misbehaves, says

#: The answer of a client to its turn.
Act = Callable[[Stream, ClobberPosition], Awaitable[None]]


@pytest.mark.parametrize("ply", [0, 1, 2])
async def test_a_client_misbehaves_in_each_game_after_its_moves(ply: int, autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        ours, theirs = trio.testing.memory_stream_pair()
        nursery.start_soon(misbehaves("bad", says(b"junk\n"), ply), theirs)
        lines = lines_of(ours)
        assert await anext(lines) == b"play clobber bad"
        for begins in (True, False):
            position = ClobberPosition.start(4, 4)
            await ours.send_all(encode(Settings(4, 4, begins)))
            is_ours, own_moves = not begins, []
            while is_ours or (line := await anext(lines)) != b"junk":
                if is_ours:
                    move = position.legal_moves[0]
                    await ours.send_all(encode(Played(move)))
                else:
                    message = parse_message(line)
                    assert isinstance(message, Played)
                    move = message.move
                    own_moves.append(move)
                position.push(move)
                is_ours = not is_ours
            assert len(own_moves) == ply
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(("act", "last"), [(hangs_up, b""), (hangs_up_in_a_line, b"a 1 b")])
async def test_a_client_that_hangs_up_closes_its_connection(
    act: Act, last: bytes, autojump_clock: MockClock
) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    with pytest.raises(trio.ClosedResourceError):
        await act(theirs, ClobberPosition.start())
    assert b"".join([data async for data in ours]) == last
