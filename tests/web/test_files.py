"""The files of the pages."""

from __future__ import annotations

import gzip

import pytest

from quoridor_net.web.application import LEAST_COMPRESSED, STATIC
from quoridor_net.web.live import LiveGame
from quoridor_net.web.sites import watch
from tests.support.browser import Browser, in_memory

NAMES = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()]


@pytest.fixture
def browser() -> Browser:
    return Browser(in_memory(watch(LiveGame())))


async def test_every_file_is_served_plain_and_compressed(browser: Browser) -> None:
    assert len(NAMES) > 40
    for name in NAMES:
        plain = await browser.get(f"/static/{name}")
        assert (plain.status, plain.body) == (200, (STATIC / name).read_bytes())
        assert "content-encoding" not in plain.headers
        packed = await browser.get(f"/static/{name}", accept_encoding="gzip, br")
        if len(plain.body) >= LEAST_COMPRESSED:
            assert packed.headers["content-encoding"] == "gzip"
            assert gzip.decompress(packed.body) == plain.body


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("main.js", "text/javascript; charset=utf-8"),
        ("base.css", "text/css; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
        ("texts/de.json", "application/json"),
    ],
)
async def test_media_types_are_the_same_on_every_system(browser: Browser, name: str, kind: str) -> None:
    assert (await browser.get(f"/static/{name}")).headers["content-type"] == kind


async def test_an_unchanged_file_is_not_sent_again(browser: Browser) -> None:
    first = await browser.get("/static/main.js")
    assert first.headers["cache-control"] == "no-cache"
    again = await browser.get("/static/main.js", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    other = await browser.get("/static/main.js", if_none_match='"other"')
    assert (other.status, other.body) == (200, first.body)


@pytest.mark.parametrize("name", ["", "none.js", "texts", "texts/", ".", "..", "/etc/passwd", "MAIN.JS"])
async def test_other_paths_are_not_found(browser: Browser, name: str) -> None:
    assert (await browser.get(f"/static/{name}")).status == 404
