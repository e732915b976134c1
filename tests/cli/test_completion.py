"""Shells complete commands and options without importing every command."""

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
    """Return the completions of the last of ``words``."""
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
def test_completion_ignores_earlier_mistakes(words: tuple[str, ...]) -> None:
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


#: Lines that each shell completes, and the expected last word.
QUESTIONS = [("quoridor tournament wi", "withdraw"), ("quoridor serve --jumps c", "classroom")]

BASH = """
{line}
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_quoridor_completion quoridor
echo "${{COMPREPLY[@]}}"
"""

#: A zsh at a terminal, into which the outer zsh types. The documented line is in its .zshrc.
ZSH = """
zmodload zsh/zpty
zpty inner env TERM=dumb zsh -i
zpty -r -m inner answer '*ready> '
zpty -w -n inner '{words}'$'\\t'
zpty -r -m inner answer '*{completed} *'
print -r -- {completed}
"""

#: The documented line is in fish's settings folder.
FISH = 'complete -C "{words}"'


def answer_of(folder: Path, *command: str) -> list[str]:
    """Run a shell whose settings are in ``folder``; return the words that it prints."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={
            **os.environ,
            "PATH": path,
            "HOME": str(folder),
            "ZDOTDIR": str(folder),
            "XDG_CONFIG_HOME": str(folder),
        },
        cwd=folder,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.end_to_end
@pytest.mark.parametrize(("words", "expected"), QUESTIONS)
def test_bash_completes_with_the_documented_line(words: str, expected: str, tmp_path: Path) -> None:
    script = BASH.format(line=LINES["bash"], words=words)
    assert answer_of(tmp_path, "bash", "--norc", "-c", script) == [expected]


@pytest.mark.end_to_end
@pytest.mark.parametrize(("words", "expected"), QUESTIONS)
def test_zsh_completes_with_the_documented_lines(words: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / ".zshrc").write_text(f"{LINES['zsh']}\nPROMPT='ready> '\n", encoding="utf-8")
    completed = f"{words.rpartition(' ')[0]} {expected}"
    script = ZSH.format(words=words, completed=completed)
    assert answer_of(tmp_path, "zsh", "-f", "-c", script) == completed.split()


@pytest.mark.end_to_end
@pytest.mark.parametrize(("words", "expected"), QUESTIONS)
def test_fish_completes_with_the_documented_line(words: str, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "fish" / "completions" / "quoridor.fish"
    file.parent.mkdir(parents=True)
    file.write_text(LINES["fish"], encoding="utf-8")
    assert answer_of(tmp_path, "fish", "-c", FISH.format(words=words))[:1] == [expected]
