"""Games in Chromium that go on after a rematch, a reload, or a new start of the program."""

from __future__ import annotations

import re

import pytest
import trio

from quoridor_net.players.simple import SimplePlayer
from quoridor_net.web.application import Site
from quoridor_net.web.play import OwnGames
from quoridor_net.web.sites import play as site_of
from tests.support.site import ServedSite, serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Page, expect  # noqa: E402

from tests.support.board_page import point_of, step, surface  # noqa: E402
from tests.support.chromium import open_window  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

expect.set_options(timeout=10_000)

#: The numbers of the first games of a program, and of one that was started again.
FIRST, SECOND = 1000, 2000

GONE = "This game is gone: the program was started again, or the game made room for others."


def make_site(nursery: trio.Nursery) -> Site:
    return site_of(OwnGames(nursery, SimplePlayer, first=FIRST))


def make_later_site(nursery: trio.Nursery) -> Site:
    return site_of(OwnGames(nursery, SimplePlayer, first=SECOND))


def invite(site: ServedSite, host: Page, clock: str = "no clock") -> str:
    """Start a game with a friend on a board of 5, in which the host moves first; return the invitation."""
    host.goto(site.url)
    host.get_by_text("Board, players and rules").click()
    for choice in ("Play a friend", "first", clock, "5 × 5"):
        host.get_by_role("radio", name=choice, exact=True).check()
    host.get_by_role("button", name="Get the link for your friend").click()
    return host.get_by_label("Link for your friend").input_value()


def press(page: Page, column: int, row: int) -> None:
    """Step as soon as it is this reader's turn."""
    expect(surface(page)).to_have_class(re.compile("interactive"))
    page.mouse.click(*point_of(page, step(column, row)))


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def test_a_finished_game_keeps_its_address_after_a_rematch(browser: Browser, context: BrowserContext) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere, open_window(browser) as third:
        host, guest, late = context.new_page(), elsewhere.new_page(), third.new_page()
        guest.goto(invite(site, host))
        late.goto(f"{site.url}#/games/{FIRST}")
        press(host, 2, 1)
        press(guest, 2, 3)
        expect(late.locator(".moves .ply")).to_have_count(2)
        resign(guest)
        expect(host.locator(".verdict")).to_contain_text("You win")
        # After a reload, too, the page knows whose seat it is.
        host.reload()
        expect(host.locator(".verdict")).to_contain_text("You win")
        guest.reload()
        expect(guest.locator(".verdict")).to_contain_text("Host wins")
        expect(guest.locator(".players.bottom .player-name")).to_have_text("You")

        host.get_by_role("button", name="Rematch").click()
        guest.get_by_role("button", name="Accept").click()
        # Who watched the game is led to the next one.
        expect(late).to_have_url(f"{site.url}#/games/{FIRST + 1}")
        expect(late.locator(".notice")).to_have_text("A rematch has begun.")
        press(guest, 2, 1)
        for page in (late, host):
            expect(page.locator(".moves .ply")).to_have_count(1)
        # The seats stay, and the finished game has its own address.
        host.reload()
        press(host, 2, 3)
        late.goto(f"{site.url}#/games/{FIRST}/1")
        # Two moves and the resignation.
        expect(late.locator(".moves .ply")).to_have_count(3)
        expect(late.locator(".moves [aria-current=true]")).to_have_text(re.compile("c2"))
        late.get_by_role("link", name="Watch the next game").click()
        expect(late.locator(".moves .ply")).to_have_count(2)
        expect(late).to_have_url(f"{site.url}#/games/{FIRST + 1}")
        assert site.reports == []
