"""The command line of the move server."""

from __future__ import annotations

import errno
import os
import socket
import sys
import time

import click
import trio

from quoridor_net.cli.command_line import PreparedCommand
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.new_file import NEW_FILE, NewFile, overwrite_option
from quoridor_net.cli.seconds import SECONDS
from quoridor_net.net.signals import until_signal
from quoridor_net.output import Output
from quoridor_net.players.registry import DEFAULT_PLAYER, FACTORIES
from quoridor_net.protocols.common.names import MAX_NAME, clean_name
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.rules import Jumps

from .listener import MoveServer
from .session import IDLE_TIME, ServerSettings
from .source import SPECIAL, Thinking, open_source

#: Most games at once for players that answer at once.
DEFAULT_GAMES = 100

#: Places that a server of engines has on the smallest machine: one server can play all seats of a game.
LEAST_ENGINE_GAMES = 4


def check_name(_context: click.Context, _option: click.Parameter, name: str | None) -> str | None:
    """Return a name that IAM can carry.

    Raises:
        click.BadParameter: it can not.
    """
    if name is not None and (not name or clean_name(name) != name or len(name) > MAX_NAME):
        raise click.BadParameter(f"must be 1 to {MAX_NAME} visible ASCII characters without blanks.")
    return name


def read_host(_context: click.Context, _option: click.Parameter, host: str | None) -> str | None:
    """Return the host without the brackets that an IPv6 address has in HOST:PORT.

    Raises:
        click.BadParameter: it is empty.
    """
    if host is None:
        return None
    if not host.strip():
        raise click.BadParameter("must be an address of this machine.")
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


@click.command(cls=PreparedCommand, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--port", type=click.IntRange(0, 65535), required=True, help="Port to listen on; 0 picks a free one."
)
@click.option("--host", callback=read_host, help="Address to listen on. [default: all of this machine's]")
@click.option("--name", callback=check_name, help="Display name, without blanks. [default: qnt:PLAYER]")
@click.option(
    "--player",
    type=click.Choice(sorted({*SPECIAL, *FACTORIES})),
    default=DEFAULT_PLAYER,
    show_default=True,
    help="Who makes the moves.",
)
@click.option(
    "--command", help='For --player qtp: how to start an engine, as in "./engine args", or tcp:HOST:PORT.'
)
@click.option(
    "--level", type=click.IntRange(1, 10), help="For --player engine: 1, a beginner, to 10. [default: 10]"
)
@click.option(
    "--move-time",
    type=SECONDS,
    help="For --player engine: seconds it thinks about each move. [default: 1]",
)
@click.option(
    "--nodes", type=click.IntRange(1), help="For --player engine: positions it looks at for each move."
)
@click.option("--depth", type=click.IntRange(1), help="For --player engine: plies it looks ahead.")
@click.option(
    "--games",
    type=click.IntRange(1),
    help=(
        f"Most games at the same time. [default: {DEFAULT_GAMES}; human: 1; engine and qtp: the number of"
        f" processors, at least {LEAST_ENGINE_GAMES}]"
    ),
)
@click.option("--once", is_flag=True, help="End after one game that was played.")
@click.option(
    "--idle-time",
    type=SECONDS,
    default=IDLE_TIME,
    show_default=True,
    help="Seconds after which the game of a silent client ends, unless it waits for an answer.",
)
@click.option(
    "--jumps",
    type=click.Choice([str(rule) for rule in Jumps]),
    default=str(Jumps.OFFICIAL),
    show_default=True,
    help="Jump rule.",
)
@click.option(
    "--seed",
    type=int,
    help="Make the player's choices repeatable; the engine's only with --nodes or --depth.",
)
@click.option(
    "--log",
    type=NEW_FILE,
    help="Write all lines sent and received to this file.",
)
@overwrite_option
@click.option("--quiet", is_flag=True, help="Print nothing but the ready line and errors.")
def main(
    port: int,
    host: str | None,
    name: str | None,
    player: str,
    command: str | None,
    level: int | None,
    move_time: float | None,
    nodes: int | None,
    depth: int | None,
    games: int | None,
    once: bool,
    idle_time: float,
    jumps: str,
    seed: int | None,
    log: NewFile | None,
    quiet: bool,
) -> None:
    """Offer a player to the display clients of the 2016 Quoridor protocol.

    Start one server for each player, then the client: python -m client HOST:PORT HOST:PORT
    """
    name = name or f"qnt:{player}"
    thinking = Thinking(level, move_time, nodes, depth)
    transcript = None if log is None else Transcript(log, time.monotonic)

    async def run() -> int:
        async with open_source(player, name, seed, command, thinking) as source:
            settings = ServerSettings(
                name=name,
                make_player=source.make_player,
                jumps=Jumps(jumps),
                games=games or default_games(player),
                once=once,
                idle_time=idle_time,
                report=_ignore if quiet else source.report,
                alarm=Output(sys.stderr).write_line,
                transcript=transcript,
            )
            return await _serve(settings, host, port, Output(sys.stdout))

    sys.exit(trio.run(run))


def default_games(player: str) -> int:
    """Return how many games at once a server with players of this kind offers unless told otherwise."""
    if player == "human":
        return 1
    if player in {"engine", "qtp"}:
        # More searches than processors would only take time from each other.
        return max(os.cpu_count() or 1, LEAST_ENGINE_GAMES)
    return DEFAULT_GAMES


async def _serve(settings: ServerSettings, host: str | None, port: int, output: Output) -> int:
    try:
        listeners = await listen(host, port)
    except OSError as error:
        click.echo(f"Error: {cannot_listen(host, port, error)}", err=True)
        return ExitStatus.CANNOT_BEGIN
    address = listeners[0].socket.getsockname()
    shown = host or "all addresses"

    async def serve() -> None:
        output.write_line(f"{settings.name} is ready on port {address[1]} ({shown}). Ctrl-C ends it.")
        await MoveServer(settings).serve(listeners)

    await until_signal(serve)
    return 0


async def listen(host: str | None, port: int) -> list[trio.SocketListener]:
    """Return listeners on ``port``; 0 picks a free one.

    Raises:
        OSError: the port is taken, or the host is none of this machine's.
    """
    if port == 0 and host is None:
        # Every address family would get a free port of its own, and only one number can be announced.
        host = "0.0.0.0"  # noqa: S104 - a move server is there to be reached from the LAN
    return await trio.open_tcp_listeners(port, host=host)


def cannot_listen(host: str | None, port: int, error: OSError) -> str:
    """Return a sentence that says why a server cannot listen, and what to do."""
    where = f"port {port}" if host is None else f"{host}, port {port}"
    advice = "Try another --port, or 0."
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        advice = "Give an address of this machine as --host, or leave it out."
    return f"cannot listen on {where}: {error.strerror or error}. {advice}"


def _ignore(_sentence: str) -> None:
    """Report nothing."""
