"""The report of a tournament: a self-contained file in which no foreign script runs."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from quoridor_net.cli.main import main
from quoridor_net.web.bundle import STATIC, join_script

HOSTILE = "</script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished tournament of three entrants, one with markup in its name."""
    path = tmp_path_factory.mktemp("report") / "class.db"
    entrants = ["Ann=simple", "Bob=random", f"{HOSTILE}=simple"]
    played = _run("run", str(path), *entrants, "--games", "2", "--seed", "1", "--size", "5", "--quiet")
    assert played.exit_code == 0, played.output
    return path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tournament", *arguments])


@pytest.fixture(scope="module")
def report(journal: Path) -> str:
    """Return the report of the tournament."""
    shown = _run("show", str(journal), "--format", "html")
    assert shown.exit_code == 0, shown.output
    return shown.output


def _scripts(report: str) -> list[str]:
    return re.findall(r"<script[^>]*>(.*?)</script>", report, re.DOTALL)


def _read_embedded(report: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_scripts(report)[0])
    return data


def _games(report: str) -> Iterator[list[dict[str, Any]]]:
    for packed in _read_embedded(report)["games"].values():
        yield json.loads(zlib.decompress(base64.b64decode(packed), -zlib.MAX_WBITS))


def test_every_game_can_be_replayed(report: str, journal: Path) -> None:
    document = json.loads(_run("show", str(journal), "--format", "json").output)
    games = list(_games(report))
    assert len(games) == len(document["games"]) == 6
    for events, game in zip(games, document["games"], strict=True):
        assert events[0]["event"] == "game_started"
        assert events[0]["names"] == game["seats"]
        assert sum(event["event"] == "move_made" for event in events) == game["plies"]
        assert events[-1]["termination"] == game["termination"]


def test_the_report_has_the_tables_and_the_ratings(report: str, journal: Path) -> None:
    document = json.loads(_run("show", str(journal), "--format", "json").output)
    tournament = _read_embedded(report)["tournament"]
    assert tournament["title"] == "class"
    assert tournament["finished"]
    for row, entrant in zip(tournament["standings"], document["entrants"], strict=True):
        assert {name: entrant[name] for name in ("name", "rank", "points", "played")}.items() <= row.items()
    rated = {each["name"]: each["elo"] for each in tournament["ratings"]}
    assert rated == {each["name"]: each["elo"] for each in document["entrants"]}
    assert len(tournament["games"]) == 6


def test_the_report_needs_no_other_file(report: str) -> None:
    # The only addresses in scripts and styles are those of the SVG namespace.
    addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"']*", report))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:link|script|img)[^>]*(?:src|href)=\"(?!data:)", report)


def test_markup_in_a_name_is_shown_as_text(report: str) -> None:
    assert HOSTILE not in report
    assert len(_scripts(report)) == 2
    assert HOSTILE in {row["name"] for row in _read_embedded(report)["tournament"]["standings"]}


def test_only_the_script_of_the_report_runs(report: str) -> None:
    policy = re.search(r"Content-Security-Policy\" content=\"([^\"]*)\"", report)
    assert policy is not None
    assert "script-src 'sha256-" in policy[1]
    assert "default-src 'none'" in policy[1]


def test_each_module_follows_its_imports_in_the_script() -> None:
    script = join_script()
    assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)
    starts = [script.index(f"class {name} ") for name in ("Board", "GameView", "Projector")]
    assert starts == sorted(starts)
    declaration = re.compile(r"^(?:export )?((?:async )?(?:function|class|const) \w+)", re.MULTILINE)
    for module in STATIC.glob("*.js"):
        names = declaration.findall(module.read_text(encoding="utf-8"))
        assert names, module.name
        assert all(name in script for name in names), module.name


def test_the_script_has_code_but_no_comments_on_lines_of_their_own() -> None:
    lines = [line.strip() for line in join_script().splitlines()]
    assert [line for line in lines if line.startswith(("//", "* ", "*/"))] == []


def test_a_damaged_journal_is_reported_in_one_line(journal: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(journal.read_bytes()[:5000])
    shown = _run("show", str(damaged), "--format", "html")
    assert shown.exit_code != 0
    assert shown.stderr.splitlines()[-1].startswith(f"Error: {damaged}")
