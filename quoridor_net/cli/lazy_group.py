"""A group of commands that imports only the one that runs, so that every command starts quickly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches

import click
from attrs import frozen
from click.shell_completion import CompletionItem

from quoridor_net.cli.applications import application
from quoridor_net.cli.command import SETTINGS, PreparedCommand
from quoridor_net.cli.loading import load

#: Names of the applications in a clone, which people try as commands.
_MEANT = {"client": "display", "server": "serve"}


@frozen
class Lazy:
    """A command of a group.

    Attributes:
        target: the object that implements it: ``module:attribute`` or ``application/module:attribute``.
        summary: its line in the help of the group.
    """

    target: str
    summary: str


def lazy_group(commands: Mapping[str, Lazy]) -> Callable[[Callable[[], None]], click.Group]:
    """Return a decorator that turns a function into a group of ``commands``; its docstring is the help."""

    class LazyGroup(PreparedCommand, click.Group):
        def resolve_command(
            self, ctx: click.Context, args: list[str]
        ) -> tuple[str | None, click.Command | None, list[str]]:
            if ctx.resilient_parsing:
                # Shell completion must not print anything.
                return super().resolve_command(ctx, args)
            meant = [_MEANT.get(args[0], ""), *get_close_matches(args[0], commands, n=1, cutoff=0.5)]
            near = next((name for name in meant if name in commands), None)
            if args[0] not in commands and near:
                raise click.UsageError(f"No such command {args[0]!r}. Did you mean {near!r}?", ctx)
            return super().resolve_command(ctx, args)

        def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
            # Click would import every command to get the first line of its help.
            names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
            found = [CompletionItem(name, help=commands[name].summary) for name in names]
            return found + click.Command.shell_complete(self, ctx, incomplete)

        def list_commands(self, ctx: click.Context) -> list[str]:
            return sorted(commands)

        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            if cmd_name not in commands:
                return None
            module, _, attribute = commands[cmd_name].target.partition(":")
            if "/" in module:
                name, _, module = module.partition("/")
                module = f"{application(name)}.{module}"
            command = getattr(load(module), attribute)
            assert isinstance(command, click.Command)
            return command

        def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            rows = [(name, commands[name].summary) for name in self.list_commands(ctx)]
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    return click.group(
        cls=LazyGroup,
        context_settings=SETTINGS,
        epilog="Run COMMAND --help for the help of a command.",
    )
