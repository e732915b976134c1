"""The commands of the page about browsers run as shown, and their sites answer."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.docs.pages import DOCS, Command, commands
from tests.docs.test_commands import environment
from tests.end_to_end.conftest import open_server
from tests.support.loopback import reserve_port
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.end_to_end, pytest.mark.compiled("engine")]

PAGE = DOCS / "web.md"
COMMANDS = list(commands(PAGE))

#: Machines on the page, each with a move server.
SERVERS = re.compile(r"\b(?:localhost|marcy|peppermint):(?:5858|9685)\b")

#: The mode of the site of each command.
MODES = {
    "client": "watch",
    "server": "play",
    "quoridor play": "play",
    "quoridor replay": "replay",
    "quoridor analyze": "analysis",
    "quoridor tournament": "tournament",
}


@contextmanager
def start(text: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        ["bash", "-c", f"exec {text}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment(),
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def endpoints() -> Iterator[tuple[str, str]]:
    """Return the endpoints of two move servers, which stand for those on the page."""
    with open_server() as one, open_server() as other:
        yield one.endpoint, other.endpoint


def with_free_ports(text: str, stack: ExitStack, endpoints: tuple[str, str]) -> str:
    """Return a command with a free port for the site, and with running move servers."""
    addresses = list(dict.fromkeys(SERVERS.findall(text)))
    assert len(addresses) <= len(endpoints)
    for address, endpoint in zip(addresses, endpoints, strict=False):
        text = text.replace(address, endpoint)
    port = stack.enter_context(reserve_port())
    text = re.sub(r"--web( [\d.]+:8000)?", f"--web 127.0.0.1:{port}", text)
    text = text.replace(
        "--port 5858 --player web", f"--host 127.0.0.1 --port 0 --player web --web 127.0.0.1:{port}"
    )
    return re.sub(r"^python ", f"{sys.executable} ", text)


def normalize(line: str) -> str:
    """Return a line without the parts that differ from run to run."""
    line = re.sub(r"[\w-]{22}$", "TOKEN", line.strip())
    line = re.sub(r"http://[\w.]+:\d+/", "URL", line)
    return re.sub(r"on port \d+ \(.*\)", "on port PORT", line).replace("qnt:web-5858", "qnt:web")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.text)
def test_a_command_of_the_page_opens_its_site(
    command: Command, endpoints: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / "game.qtp").write_bytes((DOCS / "pictures" / "game.qtp").read_bytes())
    with ExitStack() as stack:
        text = with_free_ports(command.text, stack, endpoints)
        process = stack.enter_context(start(text, tmp_path))
        assert process.stdout is not None
        wanted = [normalize(line) for line in command.output]
        said: list[str] = []
        url = ""
        while not url or not set(wanted) <= {*map(normalize, said)}:
            line = process.stdout.readline()
            assert line, f"{text} said {said}"
            said.append(line)
            found = re.search(r"http://[\w.]+:\d+/", line)
            url = found[0] if found else url
        with urlopen(f"{url}site.json", timeout=PATIENCE) as answer:
            site = json.load(answer)
        (mode,) = [mode for name, mode in MODES.items() if name in command.text.replace("-m ", "")]
        assert site["mode"] == mode
        with urlopen(url, timeout=PATIENCE) as answer:
            assert "<!doctype html>" in answer.read().decode().lower()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        # The status is 4 after an aborted game, and 130 after an aborted analysis.
        assert process.returncode in {0, 3, 4, 130}, said


def test_every_kind_of_site_is_on_the_page() -> None:
    assert all(any(name.split()[-1] in each.text for each in COMMANDS) for name in MODES)
