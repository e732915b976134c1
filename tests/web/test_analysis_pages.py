"""*Analyse* after a game that people started in the browser, in Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import trio

from quoridor_net.engine import Limits
from quoridor_net.players.engine import SharedEngine
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.web.application import Site
from quoridor_net.web.engine_lines import EngineLines
from quoridor_net.web.play import OwnGames
from quoridor_net.web.sites import play as site_of
from tests.support.site import serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import BrowserContext, expect  # noqa: E402

from tests.support.board_page import press, step, surface  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(bool(MISSING), reason=MISSING),
    pytest.mark.compiled("engine"),
]


def wait_until_ready(_progress: Callable[[str], None], /, *_players: int) -> None:
    """Do nothing, because the kernels are compiled before these tests."""


def make_site(nursery: trio.Nursery) -> Site:
    lines = EngineLines(SharedEngine(prepare=wait_until_ready))
    return site_of(OwnGames(nursery, SimplePlayer), lines, Limits(nodes=300))


def test_a_game_is_analysed_after_its_end(context: BrowserContext) -> None:
    with serve_site(make_site) as site:
        page = context.new_page()
        page.goto(site.url)
        page.get_by_text("Board, players and rules").click()
        for choice in ("first", "5 × 5"):
            page.get_by_role("radio", name=choice, exact=True).check()
        page.get_by_role("button", name="Start the game").click()
        # Forth and back until the opponent has won.
        for moves, row in enumerate((1, 0, 1), 1):
            expect(surface(page)).to_have_class(re.compile("interactive"))
            press(page, step(2, row), 2 * moves)
        expect(page.locator(".verdict.ended")).to_be_visible()
        page.get_by_role("link", name="Analyse").click()

        expect(page.locator(".accuracy-of")).to_have_text([re.compile("Player.*%"), re.compile("Engine.*%")])
        expect(page.locator(".graph-line")).to_be_visible()
        # It opens where the reader was.
        expect(page.locator(".moves .ply").last).to_have_attribute("aria-current", "true")
        page.keyboard.press("Home")
        expect(page.locator(".engine-lines-list li").first).to_be_visible()
        assert page.locator(".graph-mark").count() > 0
        for height in (720, 800):
            page.set_viewport_size({"width": 1280, "height": height})
            expect(page.get_by_role("button", name="One move back")).to_be_in_viewport(ratio=1)
        # The first mistake, by its key.
        page.keyboard.press("m")
        chosen = page.locator(".moves .ply[aria-current]")
        expect(chosen).to_have_class(re.compile("marked"))
        expect(page.locator(".comment")).to_contain_text("of winning chance lost")
        mistake = chosen.get_attribute("data-count")
        page.get_by_role("button", name=re.compile(r"^Learn \(")).first.click()
        page.get_by_role("button", name="Show the answer").click()
        expect(page.locator(".lesson")).to_contain_text("was better")
        assert site.reports == []

        # The address leads to the same analysis again.
        page.reload()
        expect(page.locator(".accuracy-of", has_text="%")).to_have_count(2)
        assert mistake is not None
        page.goto(f"{site.url}#/games/1/{mistake}")
        expect(surface(page)).to_be_visible()
