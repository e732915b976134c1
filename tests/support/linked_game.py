"""Whole games in memory, with real move servers in the seats that are not scripted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quoridor_net.match import MatchSettings
from quoridor_net.output import ignore
from quoridor_net.players import Player
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Jumps, Move, Position
from quoridor_net.testing import Linked, Script
from quoridor_net.testing import play_linked as play_scripts
from server.listener import MoveServer
from server.session import ServerSettings


def simple_server(
    make_player: Callable[[], Player[Position, Move]] = lambda: SimplePlayer(seed=1),
    jumps: Jumps = Jumps.OFFICIAL,
) -> Script:
    """Return the script of a real move server."""
    settings = ServerSettings("qnt:test", make_player, jumps=jumps, report=ignore)
    return MoveServer(settings).serve_connection


async def play_linked(
    scripts: Mapping[int, Script], players: int = 2, settings: MatchSettings | None = None
) -> Linked:
    """Play a game between scripted players and real move servers in all other seats."""
    real = {number: simple_server() for number in range(1, players + 1)}
    return await play_scripts({**real, **scripts}, players, settings)
