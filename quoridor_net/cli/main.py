"""The ``quoridor`` command, which imports only the subcommand that runs."""

from __future__ import annotations

import click

from quoridor_net.cli.lazy_group import Lazy, lazy_group

COMMANDS = {
    "analyze": Lazy("quoridor_net.cli.analyze:analyze", "Find the mistakes in a recorded game."),
    "check": Lazy("quoridor_net.cli.check:check", "Find out which rules another program breaks."),
    "clobber": Lazy("quoridor_net.cli.clobber:clobber", "Run a Clobber tournament, or play in one."),
    "demo": Lazy("quoridor_net.cli.demo:demo", "Watch move servers play a game on this machine."),
    "display": Lazy("client/command:main", "Referee and show a game between move servers."),
    "doctor": Lazy("quoridor_net.cli.doctor:doctor", "Check whether this machine is ready to play."),
    "grade": Lazy("quoridor_net.cli.grade:grade", "Grade a program by conformance and strength."),
    "perft": Lazy("quoridor_net.cli.perft:perft", "Count move sequences to test a move generator."),
    "play": Lazy("quoridor_net.cli.play:play", "Play a game at this terminal, or watch one."),
    "qtp": Lazy("server/athens.command:qtp", "Run an engine of the Athens text protocol."),
    "referee": Lazy("client/referee.command:referee", "Run a match between two engine programs."),
    "replay": Lazy("quoridor_net.cli.replay:replay", "Show, check and convert recorded games."),
    "serve": Lazy("server/command:main", "Run a move server with a player."),
    "tournament": Lazy("quoridor_net.cli.tournament:tournament", "Run tournaments and show their results."),
    "warmup": Lazy("quoridor_net.cli.warmup:warmup", "Compile the engine ahead of time."),
}


@lazy_group(COMMANDS)
@click.version_option(package_name="quoridor-net", prog_name="quoridor")
def main() -> None:
    """Play Quoridor over the network: move servers, a display client, engines and tournaments."""
