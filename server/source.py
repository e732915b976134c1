"""The source of a move server's players: people, whom it seats itself, and all other players."""

from __future__ import annotations

import itertools
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import trio
from attrs import evolve, frozen

from quoridor_net.cli.engines import Engines
from quoridor_net.output import Output, ignore
from quoridor_net.players import Player
from quoridor_net.players.source import InstantSource, MakePlayer, SourceSettings, open_source
from quoridor_net.players.spec import PlayerSpec
from quoridor_net.rules import Move, Position
from quoridor_net.rules.picture import BoardPicture

if TYPE_CHECKING:
    from quoridor_net.web.remote import RemoteSeats

#: The kinds of players that a move server creates itself: people.
OWN = ("human", "web")


@frozen
class PlayerFactory:
    """Creates the players of a server.

    Attributes:
        make_player: creates the player of each game.
        report: prints a line for the person at the server, without disturbing an open prompt.
        start: called once the server listens.
        seats: the seats of people in the browser; None for other players.
    """

    make_player: Callable[[], Player[Position, Move]]
    report: Callable[[str], None]
    start: Callable[[], None]
    seats: RemoteSeats | None


@asynccontextmanager
async def open_factory(
    spec: PlayerSpec, name: str, games: int, settings: SourceSettings, *, is_quiet: bool = False
) -> AsyncIterator[PlayerFactory]:
    """Open the source of the players in the command line, until the context ends.

    Args:
        spec: the player.
        name: name of a person.
        games: maximum number of games at the same time.
        settings: settings for programs, and the seed of the first game.
        is_quiet: whether to suppress reports on engines.
    """
    report: Callable[[str], None] = Output(sys.stdout).write_line
    seats: RemoteSeats | None = None
    own: dict[str, MakePlayer] = {}
    # Imported here because only some servers need it, and it takes longer than the rest of the start.
    if spec.word == "human":
        from quoridor_net.ui.console import Console
        from quoridor_net.ui.human_quoridor import HumanQuoridorPlayer

        console = Console()
        report = console.write
        own["human"] = lambda _seed: HumanQuoridorPlayer(console, name, BoardPicture.LAN)
    elif spec.word == "web":
        from quoridor_net.web.games import draw_first_number
        from quoridor_net.web.remote import RemoteSeats

        seats = web = RemoteSeats(name, games, draw_first_number())
        own["web"] = lambda _seed: web.make_player()
    engines = Engines(is_silent=is_quiet)
    settings = evolve(
        settings,
        engine=lambda limits: engines.engine(limits).player,
        own=own,
        report=ignore if is_quiet else report,
    )
    async with trio.open_nursery() as nursery:
        source = await open_source(spec, nursery, settings)
        assert isinstance(source, InstantSource), "the command line refuses move servers"
        yield PlayerFactory(_add_seeds(source.make, settings.seed), report, engines.start, seats)
        await source.close()


def _add_seeds(make: MakePlayer, seed: int | None) -> Callable[[], Player[Position, Move]]:
    games = itertools.count()
    return lambda: make(None if seed is None else seed + next(games))
