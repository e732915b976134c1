"""``quoridor demo``: a whole game over loopback TCP between processes, without asking anything."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import click
from attrs import asdict, evolve

from quoridor_net.cli import options
from quoridor_net.cli.applications import quoridor
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.net.signals import heed
from quoridor_net.players.spec import DEFAULT_PLAYER, PlayerSpec, Thinking

#: The line with which a server says that it can be connected to.
READY = re.compile(r"is ready on port (\d+)")
#: The last thing that a server says of its engine.
READY_ENGINE = "engine: ready"
NOT_READY = (
    "The engine is not compiled yet: quoridor warmup completes it now, else the next game goes on with it."
)
#: What the engine gets for each move, in seconds, so that a game is soon over.
ENGINE_MOVE_TIME = 0.1
#: In one game of a hundred whoever goes ahead loses, and two engines step back and forth. Nobody watches that
#: for long.
PLY_LIMIT = 300
#: What it looks at instead when the game is to be repeatable: time differs from one game to the next.
ENGINE_NODES = 5000


@command()
@click.option(
    "--players", type=click.Choice(["2", "4"]), default="2", show_default=True, help="Number of move servers."
)
@options.player("Player, written as for quoridor serve.", DEFAULT_PLAYER)
@options.delay("0.3 in a terminal")
@options.LEVEL
@options.seed(help="Make the game repeatable: the engine then counts positions, not time.")
def demo(players: str, player: str, delay: float | None, level: int | None, seed: int | None) -> None:
    """Start move servers and a display client on this machine and watch them play a whole game."""
    spec = options.player_from(player, Thinking(level=level))
    if spec.endpoint is not None:
        raise click.UsageError(f"give {spec.endpoint} to quoridor display: it is a move server already.")
    # Ends the game and all its processes like Ctrl-C.
    heed(signal.SIGTERM, signal.default_int_handler)
    if delay is None:
        delay = 0.3 if sys.stdout.isatty() else 0.0
    try:
        sys.exit(_play(spec, int(players), delay, seed))
    except KeyboardInterrupt:
        sys.exit(ExitStatus.ABORTED)


def _play(player: PlayerSpec, players: int, delay: float, seed: int | None) -> int:
    """Play the game and return the client's exit status. All processes have ended then."""
    with ExitStack() as stack:
        # On a terminal the board would be written over by what servers say of their engines.
        news = None
        if sys.stdout.isatty():
            folder = stack.enter_context(TemporaryDirectory())
            news = stack.enter_context(Path(folder, "news").open("a", encoding="utf-8"))
        servers = []
        for number in range(1, players + 1):
            server = _server(player, number, None if seed is None else seed + number, news)
            servers.append(stack.enter_context(server))
            stack.callback(server.terminate)
        addresses = [f"localhost:{_port_of(server, news)}" for server in servers]
        if player.word == "engine" and news is not None:
            click.echo("Until the engine is compiled, once, known openings and the simple player move.")
        words = ("display", *addresses, "--delay", f"{delay:g}", "--ply-limit", str(PLY_LIMIT))
        client = stack.enter_context(_started(*words, news=news))
        stack.callback(client.terminate)
        status = client.wait()
        if news is not None and (lines := _lines(news)) and READY_ENGINE not in lines:
            failed = [line for line in lines if "cannot be had" in line]
            click.echo(failed[0] if failed else NOT_READY)
        return status


def _server(player: PlayerSpec, number: int, seed: int | None, news: IO[str] | None) -> subprocess.Popen[str]:
    words = ["--port", "0", "--host", "127.0.0.1", "--once", "--name", f"qnt:{player.word}-{number}"]
    if seed is not None:
        words += ["--seed", str(seed)]
    if player.word != "engine":
        words += ["--player", player.address]
    else:
        thinking = player.thinking
        if (thinking.think, thinking.nodes, thinking.depth) == (None, None, None):
            usual = {"think": ENGINE_MOVE_TIME} if seed is None else {"nodes": ENGINE_NODES}
            thinking = evolve(thinking, **usual)
        for option, value in asdict(thinking).items():
            words += [] if value is None else [f"--{option}", str(value)]
    return _started("serve", *words, stdout=subprocess.PIPE, stderr=news)


def _started(
    *words: str, stdout: int | None = None, stderr: IO[str] | None = None, news: IO[str] | None = None
) -> subprocess.Popen[str]:
    click.echo(f"$ quoridor {' '.join(words)}")
    command, environment = quoridor(*words)
    if news is not None:
        environment["QUORIDOR_NEWS"] = news.name
    return subprocess.Popen(command, env=environment, stdout=stdout, stderr=stderr, text=True)


def _lines(news: IO[str]) -> list[str]:
    return Path(news.name).read_text(encoding="utf-8", errors="replace").splitlines()


def _port_of(server: subprocess.Popen[str], news: IO[str] | None) -> int:
    assert server.stdout is not None
    ready = READY.search(server.stdout.readline())
    if ready is None:
        if news is not None:
            click.echo("\n".join(_lines(news)), err=True)
        raise click.ClickException("a move server did not start; its message is above.")
    return int(ready[1])
