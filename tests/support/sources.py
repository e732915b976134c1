"""Sources of players, opened for as long as a test needs them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from quoridor_net.players.source import InstantSource, MakePlayer, SourceSettings, open_source
from quoridor_net.players.spec import parse_spec


@asynccontextmanager
async def opened(spec: str) -> AsyncIterator[MakePlayer]:
    """Offer players as a move server does: each game gets a new process."""
    async with trio.open_nursery() as nursery:
        source = await open_source(parse_spec(spec), nursery, SourceSettings(is_kept=False))
        assert isinstance(source, InstantSource)
        yield source.make
        await source.close()
