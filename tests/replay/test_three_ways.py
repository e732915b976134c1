"""One game played over the LAN, over the Athens protocol and from file: the same position at every ply."""

from __future__ import annotations

import io
from functools import partial

import pytest

from quoridor_net.match import MatchSettings, MoveMade
from quoridor_net.match.recording import ReplayListener
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.protocols.athens import NEED_DATA, EngineRole, Reply
from quoridor_net.replay import RecordFormat, format_game, parse_game, parse_replay
from quoridor_net.rules import Jumps, Position
from tests.support.linked_game import play_linked, simple_server


def play_with_engine(commands: str, jumps: Jumps) -> list[Position]:
    """Return the positions of an engine that is sent the commands, after each move."""
    engine = EngineRole("test", jumps=jumps)
    positions = []
    for line in commands.splitlines():
        engine.receive_data(f"{line}\n".encode())
        reply = engine.next_event()
        assert isinstance(reply, Reply)
        assert reply.data == b"=\n\n"
        assert engine.next_event() is NEED_DATA
        if line.startswith("play"):
            positions.append(engine.game.position.copy())
    return positions


@pytest.mark.parametrize("jumps", list(Jumps))
@pytest.mark.parametrize("seed", range(5))
async def test_positions_are_the_same_at_every_ply(seed: int, jumps: Jumps) -> None:
    scripts = {
        number: simple_server(make_player=partial(SimplePlayer, seed * 7 + number), jumps=jumps)
        for number in (1, 2)
    }
    played = await play_linked(scripts, settings=MatchSettings(Position(jumps=jumps)))
    over_lan = [event.position for event in played.events if isinstance(event, MoveMade)]
    assert over_lan[-1].ending is not None

    file = io.StringIO()
    listener = ReplayListener(file)
    for event in played.events:
        listener(event)
    replay = parse_replay(file.getvalue(), jumps=jumps)
    from_file = list(replay.positions())[1:]
    over_athens = play_with_engine(format_game(replay, RecordFormat.ATHENS), jumps)
    from_wire_log = list(parse_game(played.log.file.getvalue(), jumps=jumps).positions())[1:]

    for others in (from_file, over_athens, from_wire_log):
        assert len(others) == len(over_lan)
        assert all(mine == other for mine, other in zip(over_lan, others, strict=True))
