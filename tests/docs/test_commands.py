"""Every command in the README, the how-tos and the reference runs, in the order of its page.

Servers stay up until the end of their page. The tests use free ports, replace other machines by this one and
cut games short; otherwise they run each command as shown.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from quoridor_net.cli.main import main
from tests.docs.pages import ROOT, Command, blocks, commands, name_of, pages
from tests.examples.programs import tool
from tests.support import preloaded
from tests.support.loopback import reserve_port
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.end_to_end, pytest.mark.compiled("engine")]

SCRIPTS = Path(sys.executable).parent
#: Pages about programs other than move servers and the display client have their own tests.
OWN = re.compile(r"README\.md|docs/check\.md|docs/howto-.*|docs/hardening\.md|docs/reference/.*")
PAGES = [page for page in pages() if OWN.fullmatch(name_of(page)) and any(commands(page))]

#: What only a shell understands.
ONLY_SHELL = re.compile(r"[|<>;&$*]")
#: Commands that need a process of their own: a person types into its standard input, and the checker leaves
#: connections for its end to close.
NEEDS_PROCESS = re.compile(rf"{ONLY_SHELL.pattern}|quoridor (check|play)")
#: Ply limit of games in these tests.
PLIES = "16"
#: Input of a person.
TYPED = "?\nmoves\ne2\ne6\nresign\n"
#: First words of blocks that show the screen of a person at a server.
SEEN = ("Game 1:", "You cannot play", "You are ▼1")


class Shell:
    """Runs the commands of one page.

    Args:
        stack: ends the processes.
        folder: current folder of the commands.
    """

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._ports: dict[str, int] = {}
        # Output of the servers that have ended.
        self.printed = ""

    def run(self, command: Command) -> None:
        text = command.text
        if text.startswith("source "):
            return
        if text.startswith("make "):
            self._make(text)
        elif re.search(r"-m server|quoridor serve", text) and "check server" not in text:
            self._serve(command)
        elif re.match(r"python \w+\.py \d+$", text):
            self._serve_script(text)
        else:
            self._run(command)

    def _make(self, text: str) -> None:
        """Run the program as a make target does, without the installation and the tests."""
        recipe = self._done(["make", "-C", str(ROOT), "-n", *text.split()[1:]])
        lines = [line for line in recipe.splitlines() if "/bin/quoridor" in line]
        assert lines or "-m pytest" in recipe, recipe
        for line in lines:
            # Running the targets themselves covers the engine.
            simple = re.sub(r"quoridor demo", "quoridor demo --player simple", line)
            self._run(Command(re.sub(r"\S*/bin/quoridor", "quoridor", simple), ()))

    def _run(self, command: Command) -> None:
        text = command.text
        text = re.sub(r"^quoridor display", "python -m client", text)
        if "-m client" in text or "check server" in text:
            text = re.sub(r"\S+:(\d+)", lambda found: f"127.0.0.1:{self._ports[found[1]]}", text)
            text = re.sub(r"--delay \S+", "", text)
            text = re.sub(r"--gap \S+", "--gap 0", text)
            text = text.replace("-m client", f"-m client --gap 0 --ply-limit {PLIES}")
        elif text.startswith("quoridor"):
            text = re.sub(r"localhost:(\d+)", lambda found: self._address(found[1]), text)
        # The program starts again for every check, which takes long for all of them. The engine and the
        # display client pass all in tests/check/test_own_engine.py and test_own_client.py.
        text = text.replace("check server -- ", "check server --only LAN-101 -- ")
        text = text.replace("check client -- ", "check client --only LAN-262 -- ")
        text = text.replace("check qtp -- quoridor", "check qtp --only QTP-191 -- quoridor")
        if re.search(r"check server .* --j(son|unit)", text):
            # The page also shows the command without these options, which runs all checks.
            text += " --only LAN-101"
        if text.startswith("quoridor grade"):
            text = re.sub(r"--games \d+", "--games 2", text)
        # Another program may listen on the usual port of this machine.
        text = text.replace("quoridor doctor", "quoridor doctor --port 0")
        if text.startswith("python -m benchmarks."):
            # Shorten runs of minutes to seconds.
            text = re.sub(r"--inputs \d+", "--inputs 100 --processes 1", text)
            text = re.sub(r"--minutes \d+", "--minutes 0.01", text)
        # A person plays there, unless the command has its own input.
        plays = text.startswith("quoridor play")
        words = shlex.split(text)
        module = " ".join(words[:3])
        if NEEDS_PROCESS.search(text) or not (words[0] == "quoridor" or module == "python -m client"):
            output = self._done(start_of(text), TYPED if plays else "")
        else:
            arguments = words[1:] if words[0] == "quoridor" else ["display", *words[3:]]
            output = self._invoke(arguments)
        if plays:
            self.printed += output
        for line in command.output:
            assert line in output.splitlines(), f"{command.text} printed\n{output}"

    def _address(self, documented: str) -> str:
        port = self._ports.get(documented)
        return f"localhost:{documented}" if port is None else f"127.0.0.1:{port}"

    def _serve(self, command: Command) -> None:
        text = re.sub(r"--port (\d+)", "--host 127.0.0.1 --port 0", command.text)
        if "--level" in text:
            # Play the same game in a fiftieth of the time.
            text += " --think 0.02"
        elif "--player" not in text:
            # Loading the engine takes more time than the game. Servers with a level cover it.
            text += " --player simple"
        server = self._stack.enter_context(self._start_shell(text))
        if "human" in text and "|" not in text:
            assert server.stdin is not None
            server.stdin.write(TYPED.encode())
            server.stdin.flush()
        assert server.stdout is not None
        ready = server.stdout.readline().decode()
        found = re.search(r"is ready on port (\d+)", ready)
        assert found is not None, f"{command.text} printed {ready!r}"
        documented = re.findall(r"--port (\d+)", command.text)[0]
        self._ports[documented] = int(found[1])
        for line in command.output:
            assert line == ready.strip().replace(found[1], documented).replace("127.0.0.1", "all addresses")

    def _serve_script(self, text: str) -> None:
        documented = text.rsplit(maxsplit=1)[-1]
        self._ports[documented] = self._stack.enter_context(reserve_port())
        # The client retries its connection until the script listens.
        self._stack.enter_context(self._start_shell(text.replace(documented, str(self._ports[documented]))))

    @contextmanager
    def _start_shell(self, text: str) -> Iterator[subprocess.Popen[bytes]]:
        process = preloaded.Popen(
            start_of(text),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=self._folder,
            env=environment(),
            start_new_session=True,
        )
        with process:
            try:
                yield process
            finally:
                os.killpg(process.pid, signal.SIGTERM)
                output, _ = process.communicate(timeout=PATIENCE)
                self.printed += output.decode()

    def _invoke(self, arguments: list[str]) -> str:
        """Run a command of the project in this process, which spares it the start."""
        with contextlib.chdir(self._folder):
            done = CliRunner().invoke(main, arguments, env=environment())
        assert done.exit_code == 0, f"{arguments} returned {done.exit_code}: {done.output}{done.exception}"
        return done.stdout

    def _done(self, words: list[str], typed: str = "") -> str:
        done = preloaded.run(words, sent=typed, cwd=self._folder, env=environment())
        assert done.returncode == 0, f"{words} returned {done.returncode}: {done.stdout}{done.stderr}"
        return str(done.stdout)


def environment() -> dict[str, str]:
    """Return an environment with the project's commands on the PATH, as after activating it."""
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}


def start_of(text: str) -> list[str]:
    """Return the words that start a process for a command."""
    match shlex.split(text):
        case ["quoridor", *words] if not ONLY_SHELL.search(text):
            return [sys.executable, "-m", "quoridor_net", *words]
        case ["python", "-m", *words] if not ONLY_SHELL.search(text):
            return [sys.executable, "-m", *words]
    return ["bash", "-c", f"set -o pipefail; {text}"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_commands_of_a_page_work(page: Path, tmp_path: Path) -> None:
    for block in blocks(page, "python"):
        # A block with a complete program begins with its file name.
        named = re.match(r"# (\w+\.py)\n", block)
        if named is not None:
            (tmp_path / named[1]).write_text(block, encoding="utf-8")
    if any(shown.text.startswith("cc ") for shown in commands(page)):
        tool("cc")
        (tmp_path / "examples").symlink_to(ROOT / "examples")
    with ExitStack() as stack:
        shell = Shell(stack, tmp_path)
        for command in commands(page):
            shell.run(command)
    for block in blocks(page, "text"):
        if block.startswith(SEEN):
            assert block.rstrip() in shell.printed


def test_the_pages_have_commands() -> None:
    names = {name_of(page) for page in PAGES}
    assert names >= {"README.md", "docs/howto-lan.md", "docs/howto-play.md", "docs/howto-move-server.md"}
