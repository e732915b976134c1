"""The reference of the ``quoridor`` commands, from their own help."""

from __future__ import annotations

from collections.abc import Iterator

import click

from docs.parts.markdown import escape
from quoridor_net.cli.main import main


def write_commands() -> str:
    """Return one section for every command: its usage, its purpose and its options."""
    return "\n\n".join(
        _write_sections(main, click.Context(main, info_name="quoridor", **main.context_settings))
    )


def _write_sections(group: click.Group, context: click.Context, level: int = 2) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, parent=context, info_name=name, **command.context_settings)
        yield "\n\n".join(_write_parts(command, inner, level))
        if isinstance(command, click.Group):
            yield from _write_sections(command, inner, level + 1)


def _write_parts(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    yield f"{'#' * level} {context.command_path}"
    usage = " ".join(command.get_usage(context).removeprefix("Usage: ").split())
    yield f"```text\n{usage}\n```"
    for paragraph in (command.help or "").split("\n\n"):
        if paragraph.strip():
            yield escape(paragraph.strip())
    # The page describes --help once for all commands.
    options = [option for option in command.params if isinstance(option, click.Option)]
    records = filter(None, (option.get_help_record(context) for option in options))
    # Not a table: on the manual page that would be narrower than its words.
    yield "\n".join(f"- `{written}`: {escape(meaning.strip())}" for written, meaning in records)
