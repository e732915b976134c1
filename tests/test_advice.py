"""Commands in messages work as they are printed, however the program was started."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from quoridor_net.advice import format_command, format_install

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths and quotes differ there")


def make_program(path: Path) -> Path:
    """Create an executable script that prints its arguments."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create the folder of the scripts in a virtual environment that is not activated."""
    folder = make_program(tmp_path / "my files" / ".venv" / "bin" / "python").parent
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.chdir(tmp_path / "my files")
    return folder


def run(command: str) -> list[str]:
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_command_has_its_path_without_activation(scripts: Path) -> None:
    make_program(scripts / "quoridor")
    assert format_command("warmup") == ".venv/bin/quoridor warmup"


def test_a_command_in_an_active_environment_has_no_path(
    scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(scripts / "quoridor")
    monkeypatch.setenv("PATH", f"{scripts}{os.pathsep}{os.environ['PATH']}")
    assert format_command("warmup") == "quoridor warmup"


def test_a_command_of_another_environment_on_the_path_is_not_meant(
    scripts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(scripts / "quoridor")
    other = make_program(tmp_path / "other" / "quoridor").parent
    monkeypatch.setenv("PATH", f"{other}{os.pathsep}{os.environ['PATH']}")
    assert format_command("warmup") == ".venv/bin/quoridor warmup"


def test_python_runs_the_module_if_there_is_no_script(scripts: Path) -> None:
    assert format_command("warmup") == ".venv/bin/python -m quoridor_net warmup"
    assert format_install(".") == ".venv/bin/python -m pip install ."


def test_spaces_and_brackets_are_quoted(
    scripts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(scripts / "pip")
    monkeypatch.chdir(tmp_path)
    command = format_install(".[learn]")
    assert shlex.split(command)[0] == "my files/.venv/bin/pip"
    assert run(command) == ["install", ".[learn]"]


@pytest.mark.parametrize(("platform", "quoted"), [("linux", "'my game.qtp'"), ("win32", '"my game.qtp"')])
def test_words_are_quoted_for_the_shell_of_the_system(
    platform: str, quoted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert format_command("replay", "show", "my game.qtp").endswith(f"replay show {quoted}")
