"""The configurations of proxies in docs/web.md, run with the proxies: pages, live events, sign-up, a seat."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, blocks
from tests.support import preloaded
from tests.support.loopback import HOST, reserve_port
from tests.support.patience import PATIENCE

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect  # noqa: E402

from tests.support.chromium import new_window  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(bool(MISSING), reason=MISSING),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not on PATH"),
]

COMMAND = (sys.executable, "-m", "quoridor_net")

NGINX = """\
daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen {host}:{port} ssl;
        server_name localhost;
        ssl_certificate {folder}/cert.pem;
        ssl_certificate_key {folder}/key.pem;
{example}
    }}
}}
"""
CADDY = """\
{{
    admin off
    auto_https disable_redirects
}}
{example}
"""


def find_example(proxy: str, port: int, web: int) -> str:
    """Return the configuration in the documentation, with the addresses of the test."""
    (found,) = [block for block in blocks(DOCS / "web.md", "text") if block.startswith(f"# {proxy}")]
    return found.replace("example.org", f"localhost:{port}").replace("localhost:8000", f"{HOST}:{web}")


@contextmanager
def run(*words: object, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a program until the block ends; its standard error goes to a file in ``folder``."""
    name = "".join(re.findall(r"\w", str(words[-1])))[-20:]
    with (folder / f"{name}.log").open("w") as log:
        process = preloaded.Popen(
            list(map(str, words)), cwd=folder, text=True, stdout=subprocess.DEVNULL, stderr=log
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)


def wait_for_port(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with socket.socket() as connection:
            if connection.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"no program listens on port {port}")


@contextmanager
def serve_publicly(proxy: str, folder: Path, *words: object) -> Iterator[str]:
    """Run a command with --web behind a proxy with HTTPS, and yield its public address."""
    program = shutil.which(proxy)
    if program is None:
        pytest.skip(f"{proxy} is not on PATH")
    key = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    files = ("-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem")
    subprocess.run(["openssl", *key.split(), *files], cwd=folder, check=True, capture_output=True)
    with ExitStack() as stack:
        port, web = stack.enter_context(reserve_port()), stack.enter_context(reserve_port())
        url = f"https://localhost:{port}/quoridor/"
        if proxy == "nginx":
            example = find_example("nginx", port, web)
            text = NGINX.format(folder=folder, host=HOST, port=port, example=example)
            start: tuple[object, ...] = (program, "-p", folder, "-c", folder / "nginx.conf")
        else:
            example = find_example("Caddyfile", port, web)
            # Otherwise Caddy would install a certificate authority of its own.
            tls = f"    tls {folder}/cert.pem {folder}/key.pem\n"
            head, _, rest = example.partition("{\n")
            text = CADDY.format(example=f"{head}{{\n{tls}{rest}")
            start = (program, "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile")
        (folder / ("nginx.conf" if proxy == "nginx" else "Caddyfile")).write_text(text)
        public = ("--web", f"{HOST}:{web}", "--web-url", url)
        stack.enter_context(run(*COMMAND, *words, *public, folder=folder))
        wait_for_port(web)
        stack.enter_context(run(*start, folder=folder))
        wait_for_port(port)
        yield url


@contextmanager
def open_page(browser: Browser, url: str) -> Iterator[Page]:
    context = new_window(browser, ignore_https_errors=True)
    page = context.new_page()
    page.goto(url)
    yield page
    context.close()


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_a_tournament_is_followed_behind_a_proxy(browser: Browser, tmp_path: Path, proxy: str) -> None:
    words = ("tournament", "run", "a.db", "ann=simple", "bob=random", "--size", 5, "--format", "league")
    with serve_publicly(proxy, tmp_path, *words, "--quiet") as url, open_page(browser, url[:-1]) as page:
        assert page.url.startswith(url)
        expect(page.locator(".live")).to_have_text("live")
        # Only live events bring the games that follow.
        expect(page.locator(".progress-facts")).to_contain_text(re.compile(r"[1-9]\d* games"))
        before = page.locator(".progress-facts").inner_text()
        expect(page.locator(".progress-facts")).not_to_have_text(before)


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_teams_sign_up_behind_a_proxy(browser: Browser, tmp_path: Path, proxy: str) -> None:
    words = ("tournament", "run", "a.db", "ann=simple", "bob=random", "--gather")
    with (
        serve_publicly(proxy, tmp_path, *words) as url,
        open_page(browser, f"{url}#/signup") as page,
        reserve_port() as port,
    ):
        page.get_by_label("Name of your team").fill("cid")
        # The browser is on another machine as far as the site knows, so it cannot name this one.
        page.get_by_label("Address of your move server").fill(f"{HOST}:{port}")
        page.get_by_role("button", name="Sign up", exact=True).click()
        expect(page.locator(".signup-answer.failure")).to_be_visible()


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_a_game_is_played_behind_a_proxy(browser: Browser, tmp_path: Path, proxy: str) -> None:
    with serve_publicly(proxy, tmp_path, "play") as url, open_page(browser, url) as page:
        page.get_by_role("button", name="Start the game").click()
        board = page.locator(".board-surface")
        expect(board).to_have_class(re.compile("interactive"))
        before = page.locator(".moves .ply").count()
        board.focus()
        for key in ("Enter", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        # The person's move, whichever side that is; the engine may still be compiling.
        expect(page.locator(".moves .ply").nth(before)).to_be_visible()
