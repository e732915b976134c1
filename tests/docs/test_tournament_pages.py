"""The commands that control a running tournament work as the pages on tournaments say.

They are in text blocks, because a tournament has to run meanwhile. The test runs one.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from quoridor_net.tournament.columns import COLUMNS
from quoridor_net.tournament.journal import read_journal
from quoridor_net.tournament.quoridor.archive import verify
from tests.docs.pages import DOCS, blocks, name_of
from tests.docs.test_commands import environment
from tests.support.patience import PATIENCE
from tests.support.tournament_program import has_result, start_tournament, wait_until

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(sys.platform == "win32", reason="runs commands as POSIX shells do"),
]

PAGES = [DOCS / "tournament.md", DOCS / "howto-tournament.md"]
FIELD = ("ann=simple", "bob=random", "cid=random", "dan=random")


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


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(),
        text=True,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_tournament_is_controlled_as_documented(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    commands = list(dict.fromkeys(command for page in PAGES for command in control_commands(page)))
    resume = "quoridor tournament resume event.db"
    stop = "quoridor tournament stop event.db"
    assert {resume, stop} <= set(commands)
    meanwhile = [command for command in commands if re.search(" (set|withdraw|add) ", command)]
    assert meanwhile
    # On a larger board, fewer games are over by then.
    with start_tournament("run", path, *FIELD, "--games", 60, "--size", 17) as process:
        wait_until(path, process, has_result)
        for command in [*meanwhile, stop]:
            done = run(command, tmp_path)
            assert done.returncode == 0, (command, done.stderr)
        assert process.wait(PATIENCE) == 4
    played = len(read_journal(path).decided)
    with start_tournament(*resume.split()[2:3], path) as process:
        wait_until(path, process, lambda state: len(state.decided) > played)
        assert run(stop, tmp_path).returncode == 0
        assert process.wait(PATIENCE) == 4
    state = read_journal(path)
    assert "eve" in state.entrants
    assert any(map(state.is_withdrawn, (1, 2)))
    for number, command in enumerate(commands):
        if command not in {*meanwhile, stop, resume}:
            done = run(re.sub(r"--save (\w+)", rf"--save \g<1>-{number}", command), tmp_path)
            assert done.returncode == 0, (command, done.stderr)
    assert verify(path) == []


def test_the_page_names_every_column_of_the_results() -> None:
    page = (DOCS / "tournament.md").read_text(encoding="utf-8")
    assert [column.name for column in COLUMNS if f"`{column.name}`" not in page] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_files_of_a_page_are_valid(page: Path, tmp_path: Path) -> None:
    (config,) = blocks(page, "toml")
    (tmp_path / "event.toml").write_text(config, encoding="utf-8")
    done = run("quoridor tournament run event.db --config event.toml --dry-run", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "entrants" in done.stdout
