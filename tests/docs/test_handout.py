"""The dialogue of the handout is what crosses the connection when the display client plays that game."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import trio

from tests.docs.pages import DOCS, ROOT, blocks
from tests.support.loopback import listening
from tests.support.patience import PATIENCE

PAGE = DOCS / "handout.md"
#: Lines of the dialogue, each with its mark.
DIALOGUE = [
    line for block in blocks(PAGE, "text") for line in block.splitlines() if line.startswith(("C: ", "S: "))
]


class Script:
    """A move server that says these lines: one after each HELLO and MYOUSHU."""

    def __init__(self, answers: Iterable[str]) -> None:
        self._answers = iter(answers)
        self.dialogue: list[str] = []

    async def serve(self, stream: trio.SocketStream) -> None:
        received = b""
        async for data in stream:
            received += data
            while b"\n" in received:
                line, _, received = received.partition(b"\n")
                self.dialogue.append(f"C: {line.decode()}")
                if line in {b"HELLO", b"MYOUSHU"}:
                    answer = next(self._answers)
                    self.dialogue.append(f"S: {answer}")
                    await stream.send_all(f"{answer}\n".encode())


@pytest.mark.end_to_end
async def test_the_dialogue_is_that_of_the_display_client() -> None:
    assert len(DIALOGUE) > 10
    ours = Script(line.removeprefix("S: ") for line in DIALOGUE if line.startswith("S: "))
    moves = re.findall(r"^C: ATARI 2 (.*)$", "\n".join(DIALOGUE), re.MULTILINE)
    theirs = Script(["IAM xyz:you", *(f"TESUJI {move}" for move in moves)])
    async with listening(ours.serve) as one, listening(theirs.serve) as other:
        command = [sys.executable, "-m", "client", str(one), str(other), "--gap", "0", "--quiet"]
        done = await trio.run_process(command, cwd=ROOT, capture_stdout=True)
    assert b"player 2" in done.stdout
    assert ours.dialogue == DIALOGUE


def browser() -> str:
    """Return a browser that prints pages; skip the test when there is none."""
    for name in ("chromium", "google-chrome", "chrome"):
        if found := shutil.which(name):
            return found
    pytest.skip("no Chromium is installed")


@pytest.mark.slow
def test_the_page_prints_on_one_sheet(tmp_path: Path) -> None:
    chromium = browser()
    built, paper = tmp_path / "html", tmp_path / "handout.pdf"
    builder = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", "-d", str(tmp_path / "trees")]
    subprocess.run([*builder, str(DOCS), str(built)], check=True, timeout=PATIENCE)
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    options += ["--no-pdf-header-footer", f"--print-to-pdf={paper}"]
    printer = [chromium, *options, str(built / "handout.html")]
    subprocess.run(printer, check=True, timeout=PATIENCE, capture_output=True)
    assert re.findall(rb"/Type /Pages[^>]*/Count (\d+)", paper.read_bytes(), re.DOTALL) == [b"1"]
