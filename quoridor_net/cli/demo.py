"""``quoridor demo``: a complete game between processes over loopback TCP, without any settings."""

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

from quoridor_net.advice import format_command
from quoridor_net.cli import options
from quoridor_net.cli.applications import quoridor
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.net.signals import heed
from quoridor_net.players.spec import DEFAULT_PLAYER, PlayerSpec, Thinking

#: The line with which a server announces that it accepts connections.
READY = re.compile(r"is ready on port (\d+)")
#: Reports of a server on its engine: it is compiled, or it failed to compile.
READY_ENGINE = "engine: ready"
FAILED_ENGINE = "engine: not available"
#: Thinking time of the engine per move, in seconds; short, so that the game is soon over.
ENGINE_MOVE_TIME = 0.1
#: In about one game of a hundred the player who advances loses, so two engines step back and forth.
PLY_LIMIT = 300
#: Positions per move instead of a time in repeatable games, because the speed differs from run to run.
ENGINE_NODES = 5000


@command()
@click.option(
    "--players", type=click.Choice(["2", "4"]), default="2", show_default=True, help="Number of move servers."
)
@options.player("Player of every server, written as for quoridor serve.", DEFAULT_PLAYER)
@options.delay("0.3 in a terminal")
@options.LEVEL
@options.seed(help="Seed for a repeatable game. The engine then counts positions instead of time.")
def demo(players: str, player: str, delay: float | None, level: int | None, seed: int | None) -> None:
    """Start move servers and a display client on this machine, and watch them play a complete game."""
    spec = options.player_from(player, Thinking(level=level))
    if spec.endpoint is not None:
        raise click.UsageError(
            f"{spec.endpoint} is already a move server. Pass it to quoridor display instead."
        )
    # SIGTERM ends the game and all its processes, like Ctrl-C.
    heed(signal.SIGTERM, signal.default_int_handler)
    if delay is None:
        delay = 0.3 if sys.stdout.isatty() else 0.0
    try:
        sys.exit(_play(spec, int(players), delay, seed))
    except KeyboardInterrupt:
        sys.exit(ExitStatus.ABORTED)


def _play(player: PlayerSpec, players: int, delay: float, seed: int | None) -> int:
    """Play the game, end all processes, and return the client's exit status."""
    with ExitStack() as stack:
        # On a terminal, reports of the servers on their engines would overwrite the board.
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
            click.echo("Until the engine has compiled (once), it plays known openings and simple moves.")
        words = ("display", *addresses, "--delay", f"{delay:g}", "--ply-limit", str(PLY_LIMIT))
        client = stack.enter_context(_start(*words, news=news))
        stack.callback(client.terminate)
        status = client.wait()
        if news is not None and (lines := _lines(news)) and READY_ENGINE not in lines:
            failed = [line for line in lines if line.startswith(FAILED_ENGINE)]
            click.echo(failed[0] if failed else not_ready())
        return status


def not_ready() -> str:
    """Return the advice after a game during which the engine did not finish compiling."""
    return f"The engine has not finished compiling. To finish it now: {format_command('warmup')}"


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
    return _start("serve", *words, stdout=subprocess.PIPE, stderr=news)


def _start(
    *words: str, stdout: int | None = None, stderr: IO[str] | None = None, news: IO[str] | None = None
) -> subprocess.Popen[str]:
    click.echo(f"$ {format_command(*words)}")
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
        raise click.ClickException("a move server did not start. Its message is above.")
    return int(ready[1])
