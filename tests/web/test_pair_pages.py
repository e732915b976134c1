"""Two people who play each other in two browsers, in Chromium."""

from __future__ import annotations

import re

import pytest
import trio

from quoridor_net.moves import Move, Orientation, Wall
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.web.application import Site
from quoridor_net.web.play import OwnGames
from quoridor_net.web.sites import play as site_of
from tests.support.site import ServedSite, serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect  # noqa: E402

from tests.support.board_page import point_of, step, surface  # noqa: E402
from tests.support.chromium import open_window  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

expect.set_options(timeout=10_000)


def make_site(nursery: trio.Nursery) -> Site:
    return site_of(OwnGames(nursery, SimplePlayer))


def start_game(site: ServedSite, page: Page, clock: str = "5 + 3") -> None:
    """Start a game with a friend on a board of 5, in which the host moves first."""
    page.goto(site.url)
    page.get_by_text("Board, players and rules").click()
    for choice in ("Play a friend", "first", clock, "5 × 5"):
        page.get_by_role("radio", name=choice, exact=True).check()
    page.get_by_role("button", name="Get the link for your friend").click()


def press(page: Page, move: Move) -> None:
    """Click on ``move`` as soon as it is this reader's turn."""
    expect(surface(page)).to_have_class(re.compile("interactive"))
    page.mouse.click(*point_of(page, move))


def dance(host: Page, guest: Page, made: int) -> None:
    """Step forth and back with both pawns, so that the position occurs again."""
    for count, (page, move) in enumerate(
        [(host, step(2, 1)), (guest, step(2, 3)), (host, step(2, 0)), (guest, step(2, 4))], made + 1
    ):
        press(page, move)
        for each in (host, guest):
            expect(each.locator(".moves .ply")).to_have_count(count)


def test_no_offer_is_made_while_a_move_is_on_its_way(browser: Browser, context: BrowserContext) -> None:
    held: list[str | bytes] | None = None

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: server.send(message) if held is None else held.append(message))

    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest = context.new_page(), elsewhere.new_page()
        host.route_web_socket(re.compile("/live$"), through)
        start_game(site, host)
        guest.goto(host.get_by_label("Link for your friend").input_value())
        take_back = host.get_by_role("button", name="Take back")
        press(host, step(2, 1))
        expect(take_back).to_be_enabled()
        press(guest, step(2, 3))
        expect(surface(host)).to_have_class(re.compile("interactive"))
        held = []
        press(host, step(2, 2))
        expect(host.locator(".pawn.pending")).to_be_visible()
        expect(take_back).to_be_disabled()


def test_two_people_play_each_other(browser: Browser, context: BrowserContext) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere, open_window(browser) as third:
        host, guest = context.new_page(), elsewhere.new_page()
        start_game(site, host)
        link = host.get_by_label("Link for your friend").input_value()
        guest.goto(link)
        expect(host.locator(".pair-link")).to_have_count(0)
        expect(host.locator(".player-clock").first).to_have_text(re.compile(r"5:00|4:5\d"))
        # Others become spectators by the used link; the guest keeps its seat.
        late = third.new_page()
        late.goto(link)
        expect(late.locator(".notice")).to_have_text("Somebody else has this seat. You can watch the game.")
        guest.goto(link)
        expect(guest).to_have_url(re.compile("#/seat/"))
        guest.reload()

        dance(host, guest, 0)
        expect(late.locator(".moves .ply")).to_have_count(4)
        host.get_by_role("button", name="Offer a draw").click()
        expect(host.locator(".offer")).to_contain_text("You offer a draw.")
        guest.get_by_role("button", name="Decline").click()
        expect(host.locator(".offer")).to_have_count(0)

        # A planned move is made as soon as it is legal, or dropped.
        guest.mouse.click(*point_of(guest, step(1, 4)))
        expect(guest.locator(".ghost.draft")).to_be_visible()
        guest.get_by_role("button", name="Cancel the planned move").click()
        expect(guest.locator(".ghost.draft")).to_have_count(0)
        guest.mouse.click(*point_of(guest, step(1, 4)))
        press(host, step(1, 0))
        expect(guest.locator(".moves .ply")).to_have_count(6)
        wall = Wall(1, 0, Orientation.HORIZONTAL)
        guest.mouse.click(*point_of(guest, wall))
        expect(guest.locator(".board-note")).to_contain_text("Planned: b1h.")
        press(host, wall)
        expect(guest.locator(".notice")).to_have_text("Your planned move b1h is not legal any more.")
        expect(guest.locator(".moves .ply")).to_have_count(7)

        # With the setting, a move waits for its confirmation.
        guest.get_by_role("button", name="Settings").click()
        guest.get_by_label("Confirm each move").check()
        guest.get_by_label("Sounds").check()
        guest.get_by_role("button", name="Done").click()
        press(guest, step(0, 4))
        press(guest, step(2, 4))
        expect(guest.locator(".board-note")).to_contain_text("Confirm c5")
        guest.keyboard.press("Enter")
        expect(host.locator(".moves .ply")).to_have_count(8)

        press(host, step(0, 0))
        host.get_by_role("button", name="Take back").click()
        guest.locator(".offer").wait_for()
        guest.get_by_role("button", name="Accept").click()
        expect(host.locator(".moves .ply")).to_have_count(8)

        # One person is away for a while.
        guest.goto("about:blank")
        expect(host.locator(".pair-away")).to_be_visible()
        guest.goto(link)
        expect(host.locator(".pair-away")).to_have_count(0)

        guest.get_by_role("button", name="Resign").click()
        guest.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(host.locator(".verdict")).to_contain_text("You win")
        guest.get_by_role("link", name="Analyse").click()
        expect(host.locator(".pair-away")).to_have_text("The other player is not at the board now.")
        guest.goto(link)
        expect(host.locator(".pair-away")).to_have_count(0)
        host.get_by_role("button", name="Rematch").click()
        guest.get_by_role("button", name="Accept").click()
        expect(guest.locator(".moves .ply")).to_have_count(0)
        guest.get_by_role("button", name="Settings").click()
        guest.get_by_label("Confirm each move").uncheck()
        guest.get_by_role("button", name="Done").click()
        dance(guest, host, 0)
        guest.get_by_role("button", name="Offer a draw").click()
        host.get_by_role("button", name="Accept").click()
        expect(late.locator(".verdict")).to_contain_text("Drawn by agreement: the position occurred 2 times.")
        assert site.reports == []


def test_an_invalid_invitation_is_not_tried_again(browser: Browser) -> None:
    # Without the check for errors, because Chromium reports the refusal as one.
    page = browser.new_page()
    with serve_site(make_site) as site:
        page.goto(f"{site.url}#/join/1-unknown")
        expect(page.locator(".failure")).to_have_text(
            "This invitation is not valid any more. Ask for another one."
        )
        expect(page.get_by_role("button", name="Try again")).to_have_count(0)
        page.get_by_role("link", name="New game").click()
        expect(page.locator(".new-game")).to_be_visible()
        page.goto(f"{site.url}#/join/1-unknown")
        page.route("**/join", lambda route: route.abort())
        page.reload()
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.close()
