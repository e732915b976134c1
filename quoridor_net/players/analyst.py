"""Engine analyses of recorded games in worker threads, which can be cancelled."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator

import trio

from quoridor_net.analysis import PlyAnalysis, analyse_game
from quoridor_net.engine import Engine, Limits
from quoridor_net.players.engine import think
from quoridor_net.replay import Replay


async def analyse_plies(
    replay: Replay,
    engine: Engine,
    limits: Limits | None = None,
    *,
    lines: int = 1,
    first: int = 1,
    last: int | None = None,
    limiter: trio.CapacityLimiter | None = None,
) -> AsyncGenerator[PlyAnalysis, None]:
    """Yield the analysis of each ply as soon as it is ready; cancelling stops the search at once.

    Args:
        replay: the game.
        engine: the engine that searches.
        limits: when each search ends.
        lines: number of best lines to find before each ply.
        first: number of the first ply to analyse, from 1.
        last: number of the last ply; the last of the game by default.
        limiter: limits the number of simultaneous searches; by default to that of processors.
    """
    abandoned = threading.Event()

    def stop() -> None:
        abandoned.set()
        engine.stop()

    found = analyse_game(replay, engine, limits, lines=lines, first=first, last=last, abandoned=abandoned)
    while (ply := await think(lambda _: next(found, None), stop, limiter)) is not None:
        yield ply
