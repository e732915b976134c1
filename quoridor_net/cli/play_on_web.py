"""``quoridor play --web``: games against the engine or a friend that are set up in the browser."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, NoReturn

import trio

from quoridor_net.cli import options
from quoridor_net.cli.auto_level import AUTO
from quoridor_net.cli.engines import Engines
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.web import tell, until_seen
from quoridor_net.engine import Limits
from quoridor_net.match import MatchSettings
from quoridor_net.net import clock
from quoridor_net.players.spec import LEVEL_FOR_PEOPLE
from quoridor_net.web.address import WebAddress
from quoridor_net.web.engine_lines import EngineLines
from quoridor_net.web.games import draw_first_number
from quoridor_net.web.play import OwnGames
from quoridor_net.web.sites import play as site_of
from quoridor_net.web.wishes import Wish

#: Megabytes of the transposition table of each engine. A game has up to four engines that think for seconds.
TABLE_MB = 64


def offer_games(
    web: WebAddress, level: int | str | None, threads: int, side: str, terms: Mapping[str, Any]
) -> NoReturn:
    """Offer games in the browser until Ctrl-C, and end the program.

    Args:
        web: the address of the page.
        level: default level of the engine; None for that of people, ``auto`` to follow the results.
        threads: search threads of each engine.
        side: default side of the person.
        terms: the other options of ``quoridor play``, as defaults.
    """
    usual = Wish(
        level if isinstance(level, int) else LEVEL_FOR_PEOPLE,
        side,
        terms["size"] or 9,
        terms["walls"],
        2,
        terms["jumps"],
        clock=None if terms["clock"] is None else str(terms["clock"]),
        auto_level=level == AUTO,
    )
    limits = ("move_time", "ply_limit", "first_move_time", "repetition")
    settings = MatchSettings(**{name: terms[name] for name in limits})
    engines = Engines(is_silent=sys.stdout.isatty(), table_mb=TABLE_MB)
    status = clock.run(_offer, web, usual, settings, engines, threads, terms["seed"])
    leave(status)


async def _offer(
    web: WebAddress, usual: Wish, settings: MatchSettings, engines: Engines, threads: int, seed: int | None
) -> int:
    # Created on demand, because most people keep one level.
    engine = cache(lambda level: engines.engine(Limits(level=level, threads=threads)))
    engine(options.STRONGEST)
    engines.start()
    async with trio.open_nursery() as nursery:
        first = draw_first_number()
        games = OwnGames(nursery, lambda level: engine(level).player(seed), usual, settings, tell, first)
        lines = EngineLines(engine(options.STRONGEST), threads)
        await until_seen(web, site_of(games, lines), trio.sleep_forever)
        nursery.cancel_scope.cancel()
    return ExitStatus.DONE
