"""The ``quoridor`` command: its subcommands load, and their options agree."""

from __future__ import annotations

import os

import click
import pytest
from click.testing import CliRunner

from quoridor_net.cli import options
from quoridor_net.cli.clobber import clobber
from quoridor_net.cli.main import main
from quoridor_net.engine import Limits
from quoridor_net.engine.limits import MOST_THREADS
from quoridor_net.players.spec import Thinking


@pytest.mark.parametrize("group", [main, clobber], ids=["quoridor", "clobber"])
def test_every_listed_command_can_be_loaded(group: click.Group) -> None:
    context = click.Context(group)
    names = group.list_commands(context)
    assert names
    for name in names:
        command = group.get_command(context, name)
        assert command is not None
        assert command.help, name


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("server", "serve"),
        ("sevre", "serve"),
        ("reply", "replay"),
        ("displays", "display"),
        ("client", "display"),
    ],
)
def test_an_unknown_command_suggests_the_near_one(typed: str, meant: str) -> None:
    result = CliRunner().invoke(main, [typed])
    assert result.exit_code == 2
    assert f"Error: No such command '{typed}'. Did you mean '{meant}'?" in result.output


def test_a_command_unlike_any_other_gets_no_suggestion() -> None:
    result = CliRunner().invoke(main, ["xyz"])
    assert (result.exit_code, "No such command 'xyz'" in result.output) == (2, True)


def options_of(group: click.Group) -> dict[str, list[click.Option]]:
    """Return the options of all commands below ``group`` by their names."""
    found: dict[str, list[click.Option]] = {}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            for option, uses in options_of(command).items():
                found.setdefault(option, []).extend(uses)
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                found.setdefault(parameter.opts[-1], []).append(parameter)
    return found


SHARED = (
    "--port --jumps --level --think --nodes --depth --move-time --connect-time --size --walls --ply-limit"
    " --seed --delay --threads"
)
#: The level of play, which can also be "auto".
WIDER = {"<_Level 1<=x<=10>"}


@pytest.mark.parametrize("name", SHARED.split())
def test_an_option_has_one_type_in_all_commands(name: str) -> None:
    uses = options_of(main)[name]
    assert len(uses) > 1
    assert len({repr(option.type) for option in uses} - WIDER) == 1


def test_help_shows_the_default_of_each_option() -> None:
    hidden = {
        name
        for name, uses in options_of(main).items()
        for option in uses
        if isinstance(option.default, int | float | str)
        if not option.is_flag and not option.show_default and str(option.default) not in (option.help or "")
    }
    # By default, the referee lists no moves.
    assert hidden == {"--verbose"}


def test_an_address_without_a_port_is_explained() -> None:
    result = CliRunner().invoke(main, ["display", "7001", "localhost:7002"])
    assert result.exit_code == 2
    assert "'7001' is a port without a host: write HOST:PORT, as in localhost:7001." in result.output


def test_searches_for_users_use_all_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert Thinking().limits_for_people() == Limits(threads=6)
    assert Thinking(think=2.0, threads=3).limits_for_people() == Limits(time=2.0, threads=3)
    # Repeatable searches use one thread unless more are requested.
    assert Thinking(nodes=9).limits_for_people() == Limits(nodes=9)
    assert Thinking(depth=9).limits_for_people() == Limits(depth=9)
    assert Thinking(nodes=9, threads=2).limits_for_people() == Limits(nodes=9, threads=2)


def test_matches_use_one_thread_by_default() -> None:
    assert Thinking().limits() == Limits()
    assert Thinking(threads=2).limits() == Limits(threads=2)


def test_the_maximum_of_threads_is_that_of_the_engine() -> None:
    assert options.MOST_THREADS == MOST_THREADS
    result = CliRunner().invoke(main, ["play", "--threads", "257"])
    assert result.exit_code == 2
    assert "257 is not in the range 1<=x<=256" in result.output
