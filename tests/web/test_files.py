"""The files of the pages."""

from __future__ import annotations

import gzip
import re

import pytest

from quoridor_net.web.bundle import load_assets
from quoridor_net.web.live import LiveGame
from quoridor_net.web.sites import watch
from tests.support.browser import Browser, in_memory


@pytest.fixture
def browser() -> Browser:
    return Browser(in_memory(watch(LiveGame())))


async def test_a_page_takes_fewer_than_ten_requests_and_80_kilobytes(browser: Browser) -> None:
    page = await browser.get("/", accept_encoding="gzip")
    wanted = re.findall(r'(?:href|src)="([^"]+)"', page.body.decode())
    wanted += ["site.json", "texts/en.json"]
    answers = [await browser.get(f"/{path}", accept_encoding="gzip") for path in wanted]
    assert {answer.status for answer in answers} == {200}
    # The page itself and the connection to a game come on top.
    assert len(answers) + 2 < 10
    assert sum(len(answer.body) for answer in (page, *answers)) < 80_000


async def test_every_file_is_served_plain_and_compressed(browser: Browser) -> None:
    for name, asset in load_assets().items():
        plain = await browser.get(f"/static/{name}")
        assert (plain.status, plain.body) == (200, asset.body)
        assert "content-encoding" not in plain.headers
        packed = await browser.get(f"/static/{name}", accept_encoding="gzip, br")
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body


async def test_browsers_keep_files_and_ask_for_the_page_again(browser: Browser) -> None:
    for name in load_assets():
        assert "immutable" in (await browser.get(f"/static/{name}")).headers["cache-control"]
    assert (await browser.get("/")).headers["cache-control"] == "no-cache"


async def test_files_have_their_media_types(browser: Browser) -> None:
    kinds = {name: (await browser.get(f"/static/{name}")).headers["content-type"] for name in load_assets()}
    assert sorted(kinds.values()) == [
        "image/svg+xml",
        "text/css; charset=utf-8",
        "text/javascript; charset=utf-8",
    ]


@pytest.mark.parametrize("name", ["", "none.js", "main.js", "texts", ".", "..", "/etc/passwd"])
async def test_other_paths_are_not_found(browser: Browser, name: str) -> None:
    assert (await browser.get(f"/static/{name}")).status == 404
