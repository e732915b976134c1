"""The README of the examples lists every program, and its commands work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import Command, commands
from tests.docs.test_pages import check_spelling
from tests.examples.programs import BUILDS, EXAMPLES, build

README = EXAMPLES / "README.md"
RUNS = [shown.text for shown in commands(README) if re.match(r"java |node |\./", shown.text)]


def test_every_file_is_listed() -> None:
    listed = re.findall(r"^\| \[([\w.]+)\]\(\1\)", README.read_text(encoding="ascii"), re.MULTILINE)
    files = [path.name for path in EXAMPLES.iterdir() if path.suffix in {".py", ".java", ".c", ".ts"}]
    assert sorted(listed) == sorted(files)


@pytest.mark.parametrize("source", [shown.text.split()[-1] for shown in BUILDS])
def test_every_built_program_is_run(source: str, folder_of_run: Path) -> None:
    build(source, folder_of_run)
    name = Path(source).stem
    assert any(re.match(rf"(java |node |\./){name}\b", text) for text in RUNS)


@pytest.mark.parametrize("shown", list(commands(README)), ids=lambda shown: shown.text)
def test_commands_and_options_of_this_project_exist(shown: Command) -> None:
    check_spelling(shown)


def test_link_targets_exist() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README.read_text(encoding="ascii")):
        assert (EXAMPLES / target).exists(), target
