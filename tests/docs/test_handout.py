"""The dialogue of the handout is the one that the display client has in that game."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import trio

from tests.docs.pages import DOCS, blocks
from tests.support import preloaded
from tests.support.installed_chromium import CHROMIUM, MISSING
from tests.support.loopback import listen_on_loopback
from tests.support.patience import PATIENCE

PAGE = DOCS / "handout.md"
#: Lines of the dialogue by their mark.
DIALOGUE = [
    line for block in blocks(PAGE, "text") for line in block.splitlines() if line.startswith(("C: ", "S: "))
]


class Script:
    """A move server that sends these lines, one after each HELLO and MYOUSHU."""

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
async def test_the_dialogue_matches_the_display_client() -> None:
    assert len(DIALOGUE) > 10
    ours = Script(line.removeprefix("S: ") for line in DIALOGUE if line.startswith("S: "))
    moves = re.findall(r"^C: ATARI 2 (.*)$", "\n".join(DIALOGUE), re.MULTILINE)
    theirs = Script(["IAM xyz:you", *(f"TESUJI {move}" for move in moves)])
    async with listen_on_loopback(ours.serve) as one, listen_on_loopback(theirs.serve) as other:
        command = [sys.executable, "-m", "client", str(one), str(other), "--gap", "0", "--quiet"]
        done = await trio.to_thread.run_sync(preloaded.run, command)
    assert done.returncode == 0
    assert "player 2" in done.stdout
    assert ours.dialogue == DIALOGUE


@pytest.fixture(scope="module")
def handout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the page alone, in the folder of its style sheets; all pages would take half a minute."""
    pages, built = tmp_path_factory.mktemp("pages"), tmp_path_factory.mktemp("html")
    text = PAGE.read_text(encoding="utf-8")
    (pages / "handout.md").write_text(text, encoding="utf-8")
    for name in re.findall(r"\]\((\w+\.md)\)", text):
        (pages / name).write_text(f"# {name}\n", encoding="utf-8")
    shutil.copytree(DOCS / "pictures", pages / "pictures")
    builder = [sys.executable, "-m", "sphinx", "-q", "-c", str(DOCS), "-D", "master_doc=handout"]
    subprocess.run([*builder, str(pages), str(built)], check=True, timeout=PATIENCE, capture_output=True)
    return built / "handout.html"


#: Paper sizes in points: A4 (210 mm by 297 mm) and US letter (8.5 by 11 inches).
PAPER = {"A4": (595, 842), "letter": (612, 792)}


@pytest.mark.end_to_end
@pytest.mark.skipif(bool(MISSING), reason=MISSING)
@pytest.mark.parametrize("size", PAPER)
def test_the_page_prints_on_one_sheet(size: str, handout: Path, tmp_path: Path) -> None:
    page, paper = handout, tmp_path / "handout.pdf"
    html = page.read_text(encoding="utf-8")
    page = page.with_name(f"{size}.html")
    page.write_text(
        html.replace("</head>", f"<style>@page {{ size: {size} }}</style></head>"), encoding="utf-8"
    )
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    options += ["--no-pdf-header-footer", f"--print-to-pdf={paper}"]
    subprocess.run([str(CHROMIUM), *options, str(page)], check=True, timeout=PATIENCE, capture_output=True)
    pdf = paper.read_bytes()
    assert re.findall(rb"/Type /Pages[^>]*/Count (\d+)", pdf, re.DOTALL) == [b"1"]
    (sides,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert tuple(round(float(side)) for side in sides) == PAPER[size]
