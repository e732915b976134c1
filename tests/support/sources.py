"""Sources of players for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from quoridor_net.players.source import InstantSource, MakePlayer, SourceSettings, open_source
from quoridor_net.players.spec import parse_spec


@asynccontextmanager
async def open_players(spec: str) -> AsyncIterator[MakePlayer]:
    """Create players like a move server, with a new process for each game."""
    async with trio.open_nursery() as nursery:
        source = await open_source(parse_spec(spec), nursery, SourceSettings(is_kept=False))
        assert isinstance(source, InstantSource)
        yield source.make
        await source.close()
