"""Default names: real programs of the 2016 class die on names that are not ``xyz:name``."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from quoridor_net.cli import demo
from quoridor_net.players.engine import EnginePlayer
from quoridor_net.players.source import list_built_in
from quoridor_net.players.spec import PlayerSpec, parse_spec
from server import command
from server.athens import bridge

#: Three characters and a colon.
FORM = re.compile(r"qnt:[!-~]+")


@pytest.mark.parametrize("kind", sorted(list_built_in()))
def test_built_in_players_have_names_of_the_2016_form(kind: str) -> None:
    assert list_built_in()[kind](1).name == f"qnt:{kind}"


def test_the_engine_has_a_name_of_the_2016_form() -> None:
    assert EnginePlayer(1).name == "qnt:engine"


def test_the_bridge_names_its_controller_in_the_2016_form() -> None:
    assert FORM.fullmatch(bridge._CONTROLLER)


@pytest.mark.parametrize("kind", ["engine", "human", "random"])
@pytest.mark.parametrize(("port", "suffix"), [("0", ""), ("5858", "-5858")])
def test_a_server_without_a_name_gets_a_default_name(
    kind: str, port: str, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    def note(_player: PlayerSpec, name: str, *_others: object, is_quiet: bool) -> None:
        names.append(name)
        raise SystemExit

    monkeypatch.setattr(command, "open_factory", note)
    CliRunner().invoke(command.main, ["--port", port, "--player", kind])
    assert names == [f"qnt:{kind}{suffix}"]


def test_the_servers_of_the_demonstration_have_names_of_the_2016_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda arguments, **_options: started.append(arguments))
    demo._server(parse_spec("simple"), 2, None, None)
    assert FORM.fullmatch(started[0][started[0].index("--name") + 1])
