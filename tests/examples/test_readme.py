"""The README of the examples lists every program, and its commands work."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import Command, commands
from tests.docs.test_pages import check_spelling
from tests.examples.programs import EXAMPLES, NODE_MODULES, find_typescript, tool
from tests.support.patience import PATIENCE

README = EXAMPLES / "README.md"
BUILDS = [shown for shown in commands(README) if re.match(r"javac|cc |npx tsc ", shown.text)]
RUNS = [shown.text for shown in commands(README) if re.match(r"java |node |\./", shown.text)]


def test_every_file_is_listed() -> None:
    listed = re.findall(r"^\| \[([\w.]+)\]\(\1\)", README.read_text(encoding="ascii"), re.MULTILINE)
    files = [path.name for path in EXAMPLES.iterdir() if path.suffix in {".py", ".java", ".c", ".ts"}]
    assert sorted(listed) == sorted(files)


@pytest.mark.parametrize("shown", BUILDS, ids=lambda shown: shown.text.split()[-1])
def test_every_built_program_is_run(shown: Command, tmp_path: Path) -> None:
    compiler, *words = shown.text.split()
    source = words[-1]
    shutil.copy(EXAMPLES / source, tmp_path)
    if compiler == "npx":
        find_typescript()
        # The command before this one installs them.
        (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    done = subprocess.run(
        [tool(compiler), *words], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    built = {path.name for path in tmp_path.iterdir()} - {source, "node_modules"}
    name = Path(source).stem
    assert built & {name, f"{name}.class", f"{name}.js"}
    assert any(re.match(rf"(java |node |\./){name}\b", text) for text in RUNS)


@pytest.mark.parametrize("shown", list(commands(README)), ids=lambda shown: shown.text)
def test_commands_and_options_of_this_project_exist(shown: Command) -> None:
    check_spelling(shown)


def test_link_targets_exist() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README.read_text(encoding="ascii")):
        assert (EXAMPLES / target).exists(), target
