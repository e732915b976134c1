"""The commands that control a running tournament work as the pages on tournaments say.

They are in text blocks, because a tournament has to run meanwhile. The test runs one.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from quoridor_net.tournament.columns import COLUMNS
from quoridor_net.tournament.journal import read_journal
from quoridor_net.tournament.quoridor.archive import verify
from tests.docs.pages import DOCS, blocks, name_of
from tests.support.engine_programs import sloppy_command
from tests.support.patience import PATIENCE
from tests.support.tournament_program import has_result, run_tournament, start_tournament, wait_until

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(sys.platform == "win32", reason="starts engine processes"),
]

PAGES = [DOCS / "tournament.md", DOCS / "howto-tournament.md"]
#: Players that wait in every move, so that the tournament lasts but needs little processor time.
FIELD = tuple(f"{name}=qtp:{sloppy_command('thinks')}" for name in ("ann", "bob", "cid", "dan"))


def control_commands(page: Path) -> Iterator[str]:
    """Yield the commands of a page about ``event.db``, except those that start it."""
    text = page.read_text(encoding="utf-8")
    shown = [line[2:] for block in blocks(page, "text") for line in block.splitlines() if line[:2] == "$ "]
    inline: list[str] = re.findall(r"`(quoridor tournament \w+ event\.db[^`]*)`", text)
    for line in dict.fromkeys([*inline, *shown]):
        command = line.partition("  #")[0].strip()
        if "event.db" in command and " run " not in command and "sqlite3" not in command:
            # Replace other machines by this one, and placeholders by values.
            command = re.sub(r"\S+=\S+:\S+", "eve=simple", command)
            yield command.replace("NAME", "bob").replace("DIR", "replays")


def run(command: str) -> Result:
    """Run a command as typed at a shell, except that its output is not redirected."""
    program, group, *words = shlex.split(command)
    assert (program, group) == ("quoridor", "tournament")
    if ">" in words:
        assert words[-2] == ">"
        words = words[:-2]
    return run_tournament(*words)


def test_a_tournament_is_controlled_as_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "event.db"
    commands = list(dict.fromkeys(command for page in PAGES for command in control_commands(page)))
    resume = "quoridor tournament resume event.db"
    stop = "quoridor tournament stop event.db"
    assert {resume, stop} <= set(commands)
    meanwhile = [command for command in commands if re.search(" (set|withdraw|add) ", command)]
    assert meanwhile
    with start_tournament("run", path, *FIELD, "--games", 60) as process:
        wait_until(path, process, has_result)
        for command in [*meanwhile, stop]:
            done = run(command)
            assert done.exit_code == 0, (command, done.output)
        assert process.wait(PATIENCE) == 4
    played = len(read_journal(path).decided)
    with start_tournament(*resume.split()[2:3], path) as process:
        wait_until(path, process, lambda state: len(state.decided) > played)
        assert run(stop).exit_code == 0
        assert process.wait(PATIENCE) == 4
    state = read_journal(path)
    assert "eve" in state.entrants
    assert any(map(state.is_withdrawn, (1, 2)))
    for number, command in enumerate(commands):
        if command not in {*meanwhile, stop, resume}:
            done = run(re.sub(r"--save (\w+)", rf"--save \g<1>-{number}", command))
            assert done.exit_code == 0, (command, done.output)
    assert verify(path) == []


def test_the_page_names_every_column_of_the_results() -> None:
    page = (DOCS / "tournament.md").read_text(encoding="utf-8")
    assert [column.name for column in COLUMNS if f"`{column.name}`" not in page] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_files_of_a_page_are_valid(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (config,) = blocks(page, "toml")
    (tmp_path / "event.toml").write_text(config, encoding="utf-8")
    done = run("quoridor tournament run event.db --config event.toml --dry-run")
    assert done.exit_code == 0, done.output
    assert "entrants" in done.stdout
