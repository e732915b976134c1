"""The command line of the move server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import click

from quoridor_net.cli import options
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.new_file import LogFolder, overwrite_option
from quoridor_net.cli.web import listen_for_browsers
from quoridor_net.net import clock
from quoridor_net.net.endpoint import parse_endpoint
from quoridor_net.net.listening import cannot_listen, listen, ready
from quoridor_net.net.networks import Networks
from quoridor_net.net.signals import until_signal
from quoridor_net.output import Output, ignore
from quoridor_net.players.source import SourceSettings
from quoridor_net.players.spec import DEFAULT_PLAYER, PlayerSpec, Thinking
from quoridor_net.programs.orphans import adopt_orphans
from quoridor_net.programs.process import START_TIME
from quoridor_net.protocols.common.transcript import no_transcript
from quoridor_net.rules import Jumps
from quoridor_net.text import visible

from .listener import MoveServer
from .session import IDLE_TIME, ServerSettings
from .source import OWN, open_factory

if TYPE_CHECKING:
    from quoridor_net.web.address import WebAddress

#: Default number of games at the same time for players that answer at once.
DEFAULT_GAMES = 100

#: Minimum number of games of an engine server, so that one server can play all seats of a game.
MIN_ENGINE_GAMES = 4


@command()
@options.port(required=True)
@options.host()
@options.ALLOW
@options.name("qnt:PLAYER-PORT")
@options.player(
    "Player: engine[:level=5,think=0.1], simple, random, qtp:COMMAND, tcp:HOST:PORT of an Athens"
    " engine, web (a person at a browser) or human (a person at this terminal).",
    DEFAULT_PLAYER,
    OWN,
)
@click.option(
    "--command",
    "program",
    help='Command of the engine for --player qtp, e.g. "./engine args"; the same as --player qtp:COMMAND.',
)
@options.memory_limit()
@options.start_time(START_TIME, "the first answer of an engine program")
@options.thinking
@click.option(
    "--concurrency",
    type=options.Integer(1),
    help=(
        f"Maximum number of games at the same time. [default: {DEFAULT_GAMES}; human and web: 1; engine and"
        f" qtp: one per processor, at least {MIN_ENGINE_GAMES}]"
    ),
)
@click.option("--once", is_flag=True, help="Exit after one game.")
@click.option(
    "--idle-time",
    type=options.SECONDS,
    default=IDLE_TIME,
    show_default=True,
    help="Silence of a client before its game gives up its place to another client, in seconds.",
)
@options.JUMPS
@options.seed(help=options.ENGINE_SEED)
@options.LOG_FOLDER
@overwrite_option
@options.quiet("the ready line and errors")
@options.web("the boards of --player web")
def main(
    port: int,
    host: str | None,
    networks: Networks,
    name: str | None,
    player: str,
    program: str | None,
    memory_limit: int | None,
    start_time: float,
    thinking: Thinking,
    concurrency: int | None,
    once: bool,
    idle_time: float,
    jumps: Jumps,
    seed: int | None,
    log: LogFolder | None,
    quiet: bool,
    web: WebAddress | None,
) -> None:
    """Run a move server of the 2016 Quoridor protocol.

    Start one server per player, then the client: quoridor display HOST:PORT HOST:PORT
    """
    spec = options.player_from(player, thinking, OWN, program)
    if spec.endpoint is not None:
        raise click.UsageError(
            f"{spec.endpoint} is already a move server. Pass it to quoridor display instead."
        )
    # The port makes names of servers on one machine unique, unless it is picked later.
    if spec.word == "web":
        web = web or listen_for_browsers(parse_endpoint(options.WEB_ADDRESS), networks)
    elif web is not None:
        raise click.UsageError("--web needs --player web. To watch a game, use --web of quoridor display.")
    name = name or (f"qnt:{spec.word}-{port}" if port else f"qnt:{spec.word}")

    games = concurrency or default_games(spec)

    async def run() -> int:
        async with AsyncExitStack() as stack:
            programs = SourceSettings(
                patience=start_time,
                # A fresh process per game, because a game on the LAN cannot be repeated after a crash.
                is_kept=False,
                memory_limit=memory_limit,
                seed=seed,
            )
            source = await stack.enter_async_context(
                open_factory(spec, name, games, programs, is_quiet=quiet)
            )
            links: list[str] = []
            if web is not None and source.seats is not None:
                links = [web.seat(seat.token) for seat in source.seats.seats.values()]
                from quoridor_net.web.sites import seats

                await stack.enter_async_context(web.open(seats(source.seats), source.report))
            settings = ServerSettings(
                name=name,
                make_player=source.make_player,
                jumps=jumps,
                games=games,
                networks=networks,
                once=once,
                idle_time=idle_time,
                report=ignore if quiet else source.report,
                alarm=Output(sys.stderr).write_line,
                open_transcript=log.open if log else no_transcript,
            )
            return await _serve(settings, host, port, source.start, links)

    with adopt_orphans():
        status = clock.run(run)
    leave(status)


def default_games(player: PlayerSpec) -> int:
    """Return the default number of games at the same time for this player."""
    if player.word in OWN:
        return 1
    if player.kind.is_instant:
        return DEFAULT_GAMES
    # More searches than processors would only slow each other down.
    return max(os.cpu_count() or 1, MIN_ENGINE_GAMES)


async def _serve(
    settings: ServerSettings,
    host: str | None,
    port: int,
    start: Callable[[], None],
    links: Sequence[str],
) -> int:
    try:
        listeners = await listen(host, port)
    except OSError as error:
        click.echo(f"Error: {cannot_listen(host, port, error)}", err=True)
        return ExitStatus.CANNOT_BEGIN

    async def serve() -> None:
        output = Output(sys.stdout)
        output.write_line(f"{visible(settings.name)} {ready(listeners[0], host)}. Ctrl-C ends it.")
        for link in links:
            output.write_line(f"To play, open {link}")
        # Start the engine only now, so that clients need not wait for the compiler to connect.
        start()
        await MoveServer(settings).serve(listeners)

    await until_signal(serve)
    return ExitStatus.DONE
