"""The options of the Athens engine."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from quoridor_net.players.engine import SharedEngine
from server.athens.command import qtp


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--concurrency", "2"], "--concurrency needs --port."),
        (["--allow", "10.0.0.0/8"], "--allow needs --port or a move server."),
        (["--gap", "0.5"], "--gap needs a move server."),
    ],
)
def test_options_without_effect_are_refused(options: list[str], message: str) -> None:
    done = CliRunner().invoke(qtp, options)
    assert done.exit_code == 2
    assert done.stderr.endswith(f"Error: {message}\n")


@pytest.mark.parametrize("options", [["--allow", "10.0.0.0/8"], ["--gap", "0.5"]])
def test_a_bridge_can_be_limited_and_slowed_down(options: list[str]) -> None:
    done = CliRunner().invoke(qtp, ["--lan", "localhost:1", *options], input="name\nquit\n")
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(("player", "starts"), [("engine", 1), ("simple", 0)])
def test_the_engine_loads_before_the_first_move_if_it_plays(
    player: str, starts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[SharedEngine] = []

    def start(engine: SharedEngine) -> None:
        started.append(engine)

    monkeypatch.setattr(SharedEngine, "start", start)
    assert CliRunner().invoke(qtp, ["--player", player], input="name\nquit\n").exit_code == 0
    assert len(started) == starts
