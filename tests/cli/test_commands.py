"""The ``quoridor`` command: every subcommand that it lists can be loaded."""

from __future__ import annotations

import click
import pytest

from quoridor_net.cli.clobber import clobber
from quoridor_net.cli.main import main


@pytest.mark.parametrize("group", [main, clobber], ids=["quoridor", "clobber"])
def test_every_listed_command_can_be_loaded(group: click.Group) -> None:
    context = click.Context(group)
    names = group.list_commands(context)
    assert names
    for name in names:
        command = group.get_command(context, name)
        assert command is not None
        assert command.help, name
