"""Shells complete commands and options, and need not import every command for it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from quoridor_net.cli.main import COMMANDS, main
from quoridor_net.cli.tournament import COMMANDS as TOURNAMENT
from tests.docs.pages import DOCS, ROOT, blocks
from tests.support.patience import PATIENCE

PAGE = DOCS / "reference" / "commands.md"
LINES = {
    found[1]: block.strip()
    for block in blocks(PAGE, "text")
    if (found := re.search(r"_QUORIDOR_COMPLETE=(\w+)_source", block))
}


def completions(*words: str) -> list[str]:
    """Return what the last of ``words`` is completed to."""
    *before, incomplete = words
    found = ShellComplete(main, {}, "quoridor", "_QUORIDOR_COMPLETE").get_completions(before, incomplete)
    return [item.value for item in found]


def test_commands_are_completed() -> None:
    assert completions("") == sorted(COMMANDS)
    assert completions("re") == ["referee", "replay"]
    assert completions("tournament", "") == sorted(TOURNAMENT)
    assert completions("tournament", "wi") == ["withdraw"]


def test_options_and_their_values_are_completed() -> None:
    assert "--allow" in completions("serve", "--")
    assert completions("serve", "--jumps", "c") == ["classroom"]
    assert completions("--ver") == ["--version"]


@pytest.mark.parametrize("words", [("sevre", ""), ("nonsense", "x"), ("sevre", "--")])
def test_a_mistake_before_is_not_complained_about(words: tuple[str, ...]) -> None:
    assert isinstance(completions(*words), list)


def test_commands_are_completed_without_being_imported() -> None:
    program = (
        "import json, sys; from click.shell_completion import ShellComplete;"
        "from quoridor_net.cli.main import main;"
        "found = ShellComplete(main, {}, 'quoridor', 'X').get_completions([], '');"
        "print(json.dumps([[item.help for item in found], sorted(sys.modules)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    summaries, modules = json.loads(done.stdout)
    assert summaries == [COMMANDS[name].summary for name in sorted(COMMANDS)]
    targets = {command.target.partition(":")[0].replace("/", ".") for command in COMMANDS.values()}
    assert targets & set(modules) == set()
    assert "trio" not in modules


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_documentation_has_a_line_for_each_shell(shell: str) -> None:
    assert shell in LINES


@pytest.mark.end_to_end
def test_bash_completes_with_the_documented_line(tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    words = "COMP_WORDS=(quoridor tournament wi); COMP_CWORD=2; _quoridor_completion quoridor"
    script = f'{LINES["bash"]}\n{words}\necho "${{COMPREPLY[@]}}"'
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "PATH": path},
        cwd=tmp_path,
        check=True,
    )
    assert done.stdout == "withdraw\n"
