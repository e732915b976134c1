"""The ``quoridor`` command: finds its subcommands by name and imports only the one that runs."""

from __future__ import annotations

from importlib import import_module

import click

#: Subcommands: the object that implements each, and its line in the overview.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("quoridor_net.cli.demo:demo", "Watch move servers play a game on this machine."),
    "display": ("client.command:main", "Play, judge and show a game between move servers."),
    "perft": ("quoridor_net.cli.perft:perft", "Count move sequences, to check a move generator."),
    "qtp": ("quoridor_net.cli.qtp:qtp", "Play as an engine of the Athens text protocol."),
    "referee": ("quoridor_net.cli.referee:referee", "Let two engine programs play a match."),
    "replay": ("quoridor_net.cli.replay:replay", "Look at recorded games, check them, convert them."),
    "serve": ("server.command:main", "Offer a player to display clients."),
    "warmup": ("quoridor_net.cli.warmup:warmup", "Compile the engine ahead of time."),
}


class LazyGroup(click.Group):
    """A group that knows the names of its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return one command; None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview of the commands."""
        rows = [(name, COMMANDS[name][1]) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="quoridor COMMAND --help tells more about a command.",
)
@click.version_option(package_name="quoridor-net", prog_name="quoridor")
def main() -> None:
    """Quoridor over the network: move servers, a display client, and the rules behind them."""
