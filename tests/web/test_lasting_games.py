"""Games in Chromium that last beyond a rematch, a reload, or a new start of the program."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import trio

from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Position
from quoridor_net.web.application import Site
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from quoridor_net.web.play import OwnGames
from quoridor_net.web.sites import play as site_of
from tests.support.site import events_of, serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Page, expect  # noqa: E402

from tests.support.board_page import invite_friend, point_of, press_in_turn, step  # noqa: E402
from tests.support.chromium import new_window, open_window  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

#: The numbers of the first games of a program, and of one that was started again.
FIRST, SECOND = 1000, 2000

GONE = "This game is gone."


def make_site(nursery: trio.Nursery) -> Site:
    return site_of(OwnGames(nursery, SimplePlayer, first=FIRST))


def make_later_site(nursery: trio.Nursery) -> Site:
    return site_of(OwnGames(nursery, SimplePlayer, first=SECOND))


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def test_a_finished_game_keeps_its_address_after_a_rematch(browser: Browser, context: BrowserContext) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere, open_window(browser) as third:
        host, guest, late = context.new_page(), elsewhere.new_page(), third.new_page()
        guest.goto(invite_friend(site, host))
        late.goto(f"{site.url}#/games/{FIRST}")
        press_in_turn(host, step(2, 1))
        press_in_turn(guest, step(2, 3))
        expect(late.locator(".moves .ply")).to_have_count(2)
        resign(guest)
        expect(host.locator(".verdict")).to_contain_text("You win")
        # After a reload, too, the page knows whose seat it is.
        host.reload()
        expect(host.locator(".verdict")).to_contain_text("You win")
        expect(guest.locator(".verdict")).to_contain_text("You resigned: Host wins")
        guest.reload()
        expect(guest.locator(".verdict")).to_contain_text("You resigned: Host wins")
        expect(guest.get_by_role("link", name="Open the game before")).to_have_count(0)
        expect(guest.locator(".players.bottom .player-name")).to_have_text("You")

        host.get_by_role("button", name="Rematch").click()
        guest.get_by_role("button", name="Accept").click()
        # A spectator of the game is led to the next one.
        expect(late).to_have_url(f"{site.url}#/games/{FIRST + 1}")
        expect(late.locator(".notice")).to_have_text("The next game has begun.")
        press_in_turn(guest, step(2, 1))
        for page in (late, host):
            expect(page.locator(".moves .ply")).to_have_count(1)
        # A player gets back to the finished game, and returns to the seat.
        guest.get_by_role("button", name="Link to this game").click()
        expect(guest.get_by_role("textbox", name="Link for spectators")).to_have_value(
            re.compile(rf"#/games/{FIRST + 1}$")
        )
        guest.keyboard.press("Escape")
        guest.reload()
        guest.get_by_role("link", name="Open the game before").click()
        expect(guest).to_have_url(re.compile(rf"#/games/{FIRST}\b"))
        expect(guest.locator(".verdict")).to_contain_text("Host wins")
        guest.go_back()
        expect(guest.locator(".moves .ply")).to_have_count(1)
        # The seats stay, and the finished game has its own address.
        host.reload()
        press_in_turn(host, step(2, 3))
        late.goto(f"{site.url}#/games/{FIRST}/1")
        # Two moves and the resignation.
        expect(late.locator(".moves .ply")).to_have_count(3)
        expect(late.locator(".moves [aria-current=true]")).to_have_text(re.compile("c2"))
        late.get_by_role("link", name="Watch the next game").click()
        expect(late.locator(".moves .ply")).to_have_count(2)
        expect(late).to_have_url(f"{site.url}#/games/{FIRST + 1}")
        assert site.reports == []


def test_pages_say_that_the_program_was_started_again(browser: Browser) -> None:
    # Without the check for errors, because Chromium reports a server that is away as one.
    with new_window(browser) as one, new_window(browser) as other:
        host, guest, spectator, waiting = one.new_page(), other.new_page(), one.new_page(), other.new_page()
        with serve_site(make_site) as site:
            invite_friend(site, waiting)
            guest.goto(invite_friend(site, host, "5 + 3"))
            spectator.goto(f"{site.url}#/games/{FIRST + 1}")
            press_in_turn(host, step(2, 1))
            for page in (guest, spectator):
                expect(page.locator(".moves .ply")).to_have_count(1)
            expect(guest).to_have_title(re.compile("Your turn"))
        with serve_site(make_later_site, site.port):
            for page in (host, guest, spectator, waiting):
                expect(page.locator(".verdict")).to_contain_text(GONE)
                expect(page.locator(".verdict").get_by_role("link", name="To the start page")).to_be_visible()
                expect(page.locator(".live")).to_have_text("")
            for page in (host, guest, waiting):
                expect(page).not_to_have_title(re.compile("Your turn"))
                expect(page.get_by_role("button", name="Resign")).to_have_count(0)
                expect(page.get_by_role("link", name="New game")).to_be_visible()
            for page in (host, guest, spectator):
                # The last position stays, without a running clock.
                expect(page.locator(".moves .ply")).to_have_count(1)
                expect(page.locator(".player.to-move")).to_have_count(0)
            for page in (host, spectator):
                page.get_by_role("button", name="Save").click()
                expect(page.get_by_role("button", name="Picture (SVG)")).to_be_visible()
                expect(page.get_by_role("dialog").get_by_role("link")).to_have_count(0)
                page.keyboard.press("Escape")
            for page in (host, waiting):
                expect(page.locator(".pair")).to_be_hidden()
            guest.reload()
            expect(guest.locator(".verdict")).to_contain_text(GONE)
            guest.get_by_role("link", name="New game").click()
            expect(guest.locator(".new-game")).to_be_visible()


def test_a_seat_shows_no_game_of_others_with_its_number(browser: Browser) -> None:
    with new_window(browser) as one, new_window(browser) as other:
        host, guest, late = one.new_page(), other.new_page(), one.new_page()
        with serve_site(make_site) as site:
            guest.goto(invite_friend(site, host))
            press_in_turn(host, step(2, 1))
            expect(guest.locator(".moves .ply")).to_have_count(1)
            address = host.url
            host.goto("about:blank")
            guest.goto("about:blank")
        with serve_site(make_site, site.port) as again:
            guest.goto(invite_friend(again, late))
            press_in_turn(late, step(1, 0))
            expect(guest.locator(".moves .ply")).to_have_count(1)
            host.goto(address)
            expect(host.locator(".verdict")).to_contain_text(GONE)
            expect(host.locator(".moves .ply")).to_have_count(0)
            expect(host.get_by_text("You", exact=True)).to_have_count(0)


def test_a_spectator_learns_that_the_number_has_another_game(browser: Browser) -> None:
    def make(*names: str) -> Callable[[trio.Nursery], Site]:
        def make_site(_nursery: trio.Nursery) -> Site:
            live = LiveGame()
            for event in events_of([step(4, 1)], Position(), names):
                live(event)
            return Site("tournament", "Cup", LiveGames({3: live}))

        return make_site

    with new_window(browser) as window:
        page = window.new_page()
        with serve_site(make("ann", "bob")) as site:
            page.goto(f"{site.url}#/games/3")
            expect(page.locator(".player-name").last).to_have_text("ann")
        with serve_site(make("cid", "dan"), site.port):
            expect(page.locator(".notice")).to_contain_text("It shows another game with this number.")
            expect(page.locator(".player-name").last).to_have_text("cid")
        with serve_site(lambda _nursery: Site("tournament", "Cup", LiveGames({})), site.port):
            expect(page.locator(".verdict")).to_contain_text(GONE)


def test_a_planned_move_survives_a_reload(browser: Browser, context: BrowserContext) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest = context.new_page(), elsewhere.new_page()
        guest.goto(invite_friend(site, host))
        expect(host.locator(".pair-link")).to_have_count(0)
        expect(guest.get_by_role("button", name="Resign")).to_be_visible()
        guest.mouse.click(*point_of(guest, step(2, 3)))
        expect(guest.locator(".ghost.draft")).to_be_visible()
        guest.reload()
        expect(guest.locator(".board-note")).to_contain_text("Planned: c4.")
        press_in_turn(host, step(2, 1))
        expect(host.locator(".moves .ply")).to_have_count(2)
        # A dropped plan does not come back.
        guest.mouse.click(*point_of(guest, step(2, 2)))
        guest.get_by_role("button", name="Cancel the planned move").click()
        guest.reload()
        expect(guest.get_by_role("button", name="Resign")).to_be_visible()
        expect(guest.locator(".ghost.draft")).to_have_count(0)
        press_in_turn(host, step(1, 1))
        expect(guest.locator(".moves .ply")).to_have_count(3)
        expect(host.locator(".moves .ply")).to_have_count(3)
        # A plan whose move is made while the page is away.
        press_in_turn(guest, step(1, 3))
        expect(host.locator(".moves .ply")).to_have_count(4)
        guest.mouse.click(*point_of(guest, step(1, 2)))
        expect(guest.locator(".ghost.draft")).to_be_visible()
        seat = guest.url
        guest.goto("about:blank")
        press_in_turn(host, step(0, 1))
        expect(host.locator(".moves .ply")).to_have_count(5)
        guest.goto(seat)
        expect(host.locator(".moves .ply")).to_have_count(6)


@pytest.mark.parametrize("clock", ["5 + 3", "no clock"])
def test_the_clock_does_not_go_back_at_the_end(browser: Browser, context: BrowserContext, clock: str) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest = context.new_page(), elsewhere.new_page()
        guest.goto(invite_friend(site, host, clock))
        own = host.locator(".players.bottom .player-clock")
        spent = re.compile("4:5[0-8]" if clock != "no clock" else "0:(0[2-9]|10)")
        expect(own).to_have_text(spent)
        # The host is to move.
        resign(guest)
        expect(host.locator(".verdict")).to_contain_text("You win")
        expect(own).to_have_text(spent)
        host.reload()
        expect(host.locator(".verdict")).to_contain_text("You win")
        expect(own).to_have_text(spent)
        late = context.new_page()
        late.goto(f"{site.url}#/games/{FIRST}")
        expect(late.locator(".players.bottom .player-clock")).to_have_text(spent)
