"""``quoridor demo``: a whole game over loopback TCP between processes, without asking anything."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from contextlib import ExitStack

import click

from quoridor_net.cli import options
from quoridor_net.cli.applications import quoridor
from quoridor_net.cli.command import command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.players.registry import DEFAULT_PLAYER, FACTORIES

#: The line with which a server says that it can be connected to.
READY = re.compile(r"is ready on port (\d+)")
#: What the engine gets for each move, in seconds, so that a game is soon over.
ENGINE_MOVE_TIME = 0.1
#: What it looks at instead when the game is to be repeatable: time differs from one game to the next.
ENGINE_NODES = 5000


@command()
@click.option(
    "--players", type=click.Choice(["2", "4"]), default="2", show_default=True, help="Number of move servers."
)
@click.option(
    "--player",
    type=click.Choice(sorted(FACTORIES)),
    default=DEFAULT_PLAYER,
    show_default=True,
    help="Who makes the moves.",
)
@options.delay("0.3 in a terminal")
@options.seed(help="Make the game repeatable: the engine then counts positions, not time.")
def demo(players: str, player: str, delay: float | None, seed: int | None) -> None:
    """Start move servers and a display client on this machine and watch them play a whole game."""
    # Ends the game and all its processes like Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if delay is None:
        delay = 0.3 if sys.stdout.isatty() else 0.0
    try:
        sys.exit(_play(player, int(players), delay, seed))
    except KeyboardInterrupt:
        sys.exit(ExitStatus.ABORTED)


def _play(player: str, players: int, delay: float, seed: int | None) -> int:
    """Play the game and return the client's exit status. All processes have ended then."""
    with ExitStack() as stack:
        endpoints = []
        for number in range(1, players + 1):
            server = stack.enter_context(_server(player, number, None if seed is None else seed + number))
            stack.callback(server.terminate)
            endpoints.append(f"localhost:{_port_of(server)}")
        client = stack.enter_context(_started("display", *endpoints, "--delay", f"{delay:g}"))
        stack.callback(client.terminate)
        return client.wait()


def _server(player: str, number: int, seed: int | None) -> subprocess.Popen[str]:
    options = ["--port", "0", "--host", "127.0.0.1", "--once", "--quiet"]
    options += ["--player", player, "--name", f"qnt:{player}-{number}"]
    if seed is not None:
        options += ["--seed", str(seed)]
    if player == "engine":
        timed = ["--think", str(ENGINE_MOVE_TIME)]
        options += timed if seed is None else ["--nodes", str(ENGINE_NODES)]
    return _started("serve", *options, stdout=subprocess.PIPE)


def _started(*words: str, stdout: int | None = None) -> subprocess.Popen[str]:
    click.echo(f"$ quoridor {' '.join(words)}")
    command, environment = quoridor(*words)
    return subprocess.Popen(command, env=environment, stdout=stdout, text=True)


def _port_of(server: subprocess.Popen[str]) -> int:
    assert server.stdout is not None
    ready = READY.search(server.stdout.readline())
    if ready is None:
        raise click.ClickException("a move server did not start; its message is above.")
    return int(ready[1])
