"""The commands of the page on leagues work as shown, while a league is played."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from quoridor_net.tournament.journal import read_journal
from quoridor_net.tournament.lobby import FIRST_PAUSE, LONGEST_PAUSE
from quoridor_net.tournament.quoridor.leaderboard import Leaderboard
from quoridor_net.tournament.quoridor.plan import LeagueTerms
from tests.docs.pages import DOCS, blocks, section
from tests.support.engine_programs import sloppy_command
from tests.support.patience import PATIENCE
from tests.support.tournament_program import has_result, run_tournament, start_tournament, wait_until

PAGE = DOCS / "league.md"


def commands() -> list[list[str]]:
    """Return the words of the commands of ``quoridor tournament`` on the page, on this machine."""
    lines = [line[2:] for block in blocks(PAGE, "text") for line in block.splitlines() if line[:2] == "$ "]
    found = []
    for line in lines:
        program, *words = shlex.split(line.partition("  #")[0].partition(" > ")[0])
        if program == "quoridor":
            assert words[0] == "tournament"
            # A program in place of other machines, because built-in players are references.
            engine = f"ann=qtp:{sloppy_command('sane')}"
            found.append([engine if word.startswith("ann=") else word for word in words[1:]])
    return found


@pytest.mark.end_to_end
def test_a_league_is_controlled_as_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "league.db"
    begin, *others = commands()
    assert begin[0] == "run"
    # Without the engine, which would have to compile.
    words = [word for word in begin[2:] if not word.startswith("engine")]
    words = words[: words.index("--web")]
    with start_tournament("run", path, "random", *words) as process:
        wait_until(path, process, has_result)
        for command in others:
            done = run_tournament(*command)
            assert done.exit_code == 0, (command, done.output)
        assert run_tournament("stop", path).exit_code == 0
        assert process.wait(PATIENCE) == 0
    state = read_journal(path)
    assert "ann" in state.entrants
    assert (tmp_path / "backup.db").exists()


def test_the_figures_of_the_page_are_those_of_the_program() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert f"after {FIRST_PAUSE:g} seconds" in text
    assert LONGEST_PAUSE == 600
    assert "double up to ten minutes" in text
    assert f"of either entrant ({LeagueTerms().window})" in text


def test_the_fields_of_the_page_are_those_of_the_document(tmp_path: Path) -> None:
    named = set(
        re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (`.*)$", section(PAGE, "Marks"), re.MULTILINE)))
    )
    path = tmp_path / "league.db"
    with start_tournament("run", path, "random", "simple", "--format", "league") as process:
        wait_until(path, process, has_result)
    with Leaderboard.open(path) as board:
        (row, *_) = board.read()
    fields = row.document()
    inner = {name for value in fields.values() if isinstance(value, dict) for name in value}
    assert named >= fields.keys()
    assert named <= fields.keys() | inner | {"here", "away", "left"}
