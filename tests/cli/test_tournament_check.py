"""``quoridor tournament run --check`` makes the quick checks of all entrants first."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest
import trio

from quoridor_net.check.findings import Report
from quoridor_net.check.lan_server.server import Patience
from quoridor_net.check.launching import LaunchError
from quoridor_net.check.pace import Pace
from quoridor_net.cli.tournament import checking
from quoridor_net.cli.tournament.checking import USUAL_TIME, check_entrants
from quoridor_net.net.networks import EVERYBODY
from quoridor_net.output import ignore
from quoridor_net.players.spec import parse_spec
from quoridor_net.testing import move_servers as scripts
from quoridor_net.tournament.quoridor.terms import GameTerms
from tests.cli.test_tournament_entrants import tournament
from tests.support.engine_programs import sloppy_command
from tests.support.linked_game import simple_server
from tests.support.loopback import listen_on_loopback, reserve_port

pytestmark = pytest.mark.end_to_end


async def test_a_line_for_each_server_names_what_it_breaks() -> None:
    lines: list[str] = []
    async with (
        listen_on_loopback(simple_server()) as good,
        listen_on_loopback(scripts.answers(b"TESUJI (4, 4)\n")) as bad,
    ):
        field = [parse_spec(f"ann={good}"), parse_spec("simple"), parse_spec(f"bob={bad}")]
        terms = GameTerms(move_time=2.0, no_show_time=1.0)
        is_sound = await check_entrants(field, terms, EVERYBODY, lines.append)
        assert not is_sound
        first, second = lines
        assert first.startswith("ann: ")
        assert first.endswith(" quick checks, nothing found.")
        assert second.startswith("bob: ")
        assert "(must)" in second
        assert second.endswith(f" check server {bad}")
        lines.clear()
        assert await check_entrants(field[:2], terms, EVERYBODY, lines.append)
        assert len(lines) == 1


@pytest.mark.parametrize(("move_time", "seconds"), [(3.0, 3.0), (None, USUAL_TIME)])
async def test_entrants_are_checked_with_the_time_of_their_games(
    move_time: float | None, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    async def check(_dial: object, _address: str, patience: Patience, pace: Pace, **_: object) -> Report:
        await trio.lowlevel.checkpoint()
        given.append(patience.move_time)
        # Also a slow entrant gets all of them.
        assert pace.first_pass == math.inf
        raise LaunchError("enough")

    monkeypatch.setattr(checking, "check_server", check)
    terms = GameTerms(move_time=move_time)
    assert not await check_entrants([parse_spec("ann=host:1")], terms, EVERYBODY, ignore)
    assert given == [seconds]


async def test_a_server_that_is_not_there_is_not_sound() -> None:
    lines: list[str] = []
    with reserve_port() as port:
        field = [parse_spec(f"ann=127.0.0.1:{port}"), parse_spec("simple"), parse_spec(f"ann=[::1]:{port}")]
        assert not await check_entrants(field, GameTerms(no_show_time=0.1), EVERYBODY, lines.append)
    # Equal names have the numbers that they play with.
    assert [line.partition(":")[0] for line in lines] == ["ann", "ann#2"]
    assert lines[0].startswith("ann: no check could be made: ")


@pytest.mark.skipif(sys.platform == "win32", reason="engine programs do not run on Windows")
@pytest.mark.parametrize(("habit", "status"), [("sane", 0), ("garbage", 3)])
def test_a_faulty_engine_keeps_a_tournament_from_starting(habit: str, status: int, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    entrants = (f"ann=qtp:{sloppy_command(habit)}", "simple")
    result = tournament("run", path, *entrants, "--size", 5, "--check", "--games", 1, "--seed", 1)
    assert result.exit_code == status, result.output
    assert "ann: 8 quick checks" in result.output
    if status:
        assert "Error: not all entrants passed, so no game was played." in result.stderr
        assert not path.exists()
