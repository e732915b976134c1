"""Analyses of finished games, which the engine makes while browsers follow them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from weakref import WeakKeyDictionary, WeakValueDictionary

import trio
from starlette.routing import BaseRoute

from quoridor_net.engine import Limits
from quoridor_net.players.analyst import analyse_plies
from quoridor_net.web.engine_lines import EngineLines
from quoridor_net.web.game_analysis import GameAnalysis, analysis_route
from quoridor_net.web.games import Games
from quoridor_net.web.live import LiveGame, Send
from quoridor_net.web.messages import refuse
from quoridor_net.web.refusals import RefusalPhrase, RefusedError

#: Time of each search, in seconds. A ply needs one or, for a mistake, two.
SEARCH_TIME = 0.3

#: Maximum number of plies of a turn, so that no long game keeps others waiting.
PLIES_OF_TURN = 8


class Analyses:
    """The analyses of the finished games of a site.

    An analysis advances only while a browser follows it. All browsers that follow it share it, and it is kept
    as long as its game. Each address has one analysis in progress at a time.

    Args:
        games: the games.
        lines: its engines search.
        limits: limits of each search; they include a time.
    """

    def __init__(self, games: Games, lines: EngineLines, limits: Limits | None = None) -> None:
        self._games = games
        self._lines = lines
        self._limits = limits or Limits(time=SEARCH_TIME)
        self._analyses: WeakKeyDictionary[LiveGame, GameAnalysis] = WeakKeyDictionary()
        # Held by the task that advances an analysis, and by the one task of an address that may advance one.
        self._advancing: WeakKeyDictionary[GameAnalysis, trio.Lock] = WeakKeyDictionary()
        self._asking: WeakValueDictionary[str, trio.Lock] = WeakValueDictionary()

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """The route of the analyses."""
        return (analysis_route(self._find, self._advance),)

    def _find(self, number: int) -> GameAnalysis | None:
        """Return the analysis of a finished game, made or begun; None without such a game."""
        live = self._games.find(number)
        replay = None if live is None or not live.is_over else live.replay()
        if live is None or replay is None:
            return None
        known = self._analyses.get(live)
        if known is None:
            known = self._analyses[live] = GameAnalysis(replay)
            self._advancing[known] = trio.Lock()
        return known

    async def _advance(self, analysis: GameAnalysis, send: Send, address: str) -> None:
        """Analyse the rest of a game, unless another task does; ``send`` tells the browser why it waits."""
        async with self._asking.setdefault(address, trio.Lock()), self._advancing[analysis]:
            if not await self._lines.settle(analysis.replay.setting.players, send):
                return
            try:
                await self._analyse(analysis, address)
            except MemoryError:
                await send(refuse(RefusedError("not_possible", RefusalPhrase.NO_MEMORY())))

    async def _analyse(self, analysis: GameAnalysis, address: str) -> None:
        replay, time = analysis.replay, self._limits.time or SEARCH_TIME
        while (done := len(analysis)) < len(replay.plies):
            last = min(done + PLIES_OF_TURN, len(replay.plies))
            async with (
                self._lines.take_turn(address, (last - done) * time) as place,
                aclosing(
                    analyse_plies(
                        replay, place.engine, self._limits, first=done + 1, last=last, limiter=place.limiter
                    )
                ) as found,
            ):
                async for ply in found:
                    analysis.add(ply)
        analysis.finish()
