"""The ``quoridor`` command: finds its subcommands by name and imports only the one that runs."""

from __future__ import annotations

import click

from quoridor_net.cli.lazy_group import Lazy, lazy_group

COMMANDS = {
    "analyze": Lazy("quoridor_net.cli.analyze:analyze", "Find the mistakes in a recorded game."),
    "check": Lazy("quoridor_net.cli.check:check", "Find out which rule another program breaks."),
    "clobber": Lazy("quoridor_net.cli.clobber:clobber", "Hold a Clobber tournament, or play in one."),
    "demo": Lazy("quoridor_net.cli.demo:demo", "Watch move servers play a game on this machine."),
    "display": Lazy("client/command:main", "Play, judge and show a game between move servers."),
    "doctor": Lazy("quoridor_net.cli.doctor:doctor", "See whether this machine is ready to play."),
    "perft": Lazy("quoridor_net.cli.perft:perft", "Count move sequences, to check a move generator."),
    "play": Lazy("quoridor_net.cli.play:play", "Play a game at this terminal, or watch one."),
    "qtp": Lazy("server/athens.command:qtp", "Play as an engine of the Athens text protocol."),
    "referee": Lazy("client/referee.command:referee", "Let two engine programs play a match."),
    "replay": Lazy("quoridor_net.cli.replay:replay", "Look at recorded games, check them, convert them."),
    "serve": Lazy("server/command:main", "Offer a player to display clients."),
    "tournament": Lazy("quoridor_net.cli.tournament:tournament", "Play a tournament and look at it."),
    "warmup": Lazy("quoridor_net.cli.warmup:warmup", "Compile the engine ahead of time."),
}


@lazy_group(COMMANDS)
@click.version_option(package_name="quoridor-net", prog_name="quoridor")
def main() -> None:
    """Quoridor over the network: move servers, a display client, and the rules behind them."""
