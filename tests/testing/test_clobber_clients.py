"""Faulty clients of the 2006 Clobber protocol, as a server sees them."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from quoridor_net.clobber import ClobberPosition
from quoridor_net.protocols.olympiad.messages import Played, Settings, encode, parse_message
from quoridor_net.testing.clobber_clients import lines_of, misbehaves, says


@pytest.mark.parametrize("ply", [0, 1, 2])
async def test_a_client_misbehaves_in_each_game_after_its_moves(ply: int) -> None:
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
