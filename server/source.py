"""Where a move server's players come from: what ``--player`` and the options that go with it mean."""

from __future__ import annotations

import itertools
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import click
from attrs import frozen

from quoridor_net.cli import options
from quoridor_net.cli.options import Thinking
from quoridor_net.output import Output, ignore
from quoridor_net.players import Player
from quoridor_net.players.registry import FACTORIES
from quoridor_net.programs.process import Limits
from quoridor_net.programs.source import START_TIME
from quoridor_net.rules import Move, Position

if TYPE_CHECKING:
    from quoridor_net.players.engine import SharedEngine
    from quoridor_net.web.remote import RemoteSeats

#: Players that are not in the registry, as they need more than a seed.
SPECIAL = ("human", "qtp", "web")


@frozen
class Source:
    """Where players come from.

    Attributes:
        make_player: makes the player for each game.
        report: tells people at the server something, without disturbing an open prompt.
        engine: to be started once the server listens; None for other players.
        seats: where people play in the browser; None for other players.
    """

    make_player: Callable[[], Player[Position, Move]]
    report: Callable[[str], None]
    engine: SharedEngine | None = None
    seats: RemoteSeats | None = None


@asynccontextmanager
async def open_source(
    player: str,
    name: str,
    seed: int | None,
    command: str | None,
    thinking: Thinking,
    games: int,
    limits: Limits | None = None,
    start_time: float = START_TIME,
    *,
    is_quiet: bool = False,
) -> AsyncIterator[Source]:
    """Give the source of the players that the command line names, until the context ends.

    ``games`` are played at once. Programs start under ``limits``, and have ``start_time`` seconds for their
    first answer.

    Raises:
        click.UsageError: an option does not go with the player, or a needed one is missing.
    """
    thinking.check(player)
    if (player == "qtp") != (command is not None):
        raise click.UsageError("--player qtp needs --command, and --command is for --player qtp.")
    # What only some servers need is imported when it is needed: it takes longer than the rest of the start.
    report = Output(sys.stdout).write_line
    if player == "human":
        yield _person(name)
    elif player == "web":
        yield _browsers(name, games, report)
    elif player == "engine":
        yield _engine(thinking, seed, report, is_quiet=is_quiet)
    elif command is not None:
        from quoridor_net.players.athens import open_athens_players
        from quoridor_net.programs.address import parse_address

        try:
            options.program_at("--command", parse_address(command))
        except ValueError as error:
            raise click.UsageError(f"--command: {error}.") from None

        def remark(sentence: str) -> None:
            if not is_quiet:
                report(f"note: {sentence}")

        async with open_athens_players(command, limits, seed, start_time, remark) as factory:
            yield Source(_seeded(factory, seed), report)
    else:
        yield Source(_seeded(FACTORIES[player], seed), report)


def _seeded(
    factory: Callable[[int | None], Player[Position, Move]], seed: int | None
) -> Callable[[], Player[Position, Move]]:
    games = itertools.count()
    return lambda: factory(None if seed is None else seed + next(games))


def _person(name: str) -> Source:
    from quoridor_net.ui.console import Console
    from quoridor_net.ui.human_quoridor import HumanQuoridorPlayer

    console = Console()
    return Source(lambda: HumanQuoridorPlayer(console, name), console.write)


def _browsers(name: str, games: int, report: Callable[[str], None]) -> Source:
    from quoridor_net.web.remote import RemoteSeats

    seats = RemoteSeats(name, games)
    return Source(seats.make_player, report, seats=seats)


def _engine(thinking: Thinking, seed: int | None, report: Callable[[str], None], *, is_quiet: bool) -> Source:
    from quoridor_net.players.engine import SharedEngine

    engine = SharedEngine(thinking.limits(), players=(2, 4), report=ignore if is_quiet else None)
    return Source(_seeded(engine.player, seed), report, engine)
