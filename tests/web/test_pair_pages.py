"""Two people who play each other in two browsers, in Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import trio

from quoridor_net.moves import Orientation, Wall
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.web.application import Site
from quoridor_net.web.play import OwnGames
from quoridor_net.web.sites import play as site_of
from tests.support.site import serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect  # noqa: E402

from tests.support.board_page import invite_friend, point_of, press_in_turn, step, surface  # noqa: E402
from tests.support.chromium import new_window, note_shifts, open_window, stop_clock  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

CLOCK = "5 + 3"


def make_site(nursery: trio.Nursery) -> Site:
    return site_of(OwnGames(nursery, SimplePlayer))


def dance(host: Page, guest: Page, made: int) -> None:
    """Step forth and back with both pawns, so that the position occurs again."""
    for count, (page, move) in enumerate(
        [(host, step(2, 1)), (guest, step(2, 3)), (host, step(2, 0)), (guest, step(2, 4))], made + 1
    ):
        press_in_turn(page, move)
        for each in (host, guest):
            expect(each.locator(".moves .ply")).to_have_count(count)


def test_both_people_hear_the_same_name(browser: Browser, context: BrowserContext) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest = context.new_page(), elsewhere.new_page()
        guest.goto(invite_friend(site, host, CLOCK))
        for page, name, row in ((host, "Host", 1), (guest, "Guest", 3)):
            press_in_turn(page, step(2, row))
            for each in (host, guest):
                expect(each.locator(".board [aria-live]")).to_have_text(f"{name} steps to c{row + 1}.")


def test_no_offer_is_made_while_a_move_is_on_its_way(browser: Browser, context: BrowserContext) -> None:
    held: list[str | bytes] | None = None

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: server.send(message) if held is None else held.append(message))

    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest = context.new_page(), elsewhere.new_page()
        host.route_web_socket(re.compile("/live$"), through)
        guest.goto(invite_friend(site, host, CLOCK))
        take_back = host.get_by_role("button", name="Take back")
        press_in_turn(host, step(2, 1))
        expect(take_back).to_be_enabled()
        press_in_turn(guest, step(2, 3))
        expect(surface(host)).to_have_class(re.compile("interactive"))
        held = []
        press_in_turn(host, step(2, 2))
        expect(host.locator(".pawn.pending")).to_be_visible()
        expect(take_back).to_be_disabled()


def test_the_host_does_not_take_the_seat_of_the_friend(browser: Browser, context: BrowserContext) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest, tab = context.new_page(), elsewhere.new_page(), context.new_page()
        link = invite_friend(site, host, CLOCK)
        tab.goto(link)
        expect(tab.get_by_role("status")).to_have_text(
            "You made this invitation: send its link to your friend."
        )
        tab.get_by_role("link", name="Back to your seat").click()
        expect(tab).to_have_url(host.url)
        guest.goto(link)
        expect(guest).to_have_url(re.compile("#/seat/"))

        # Those who want it play both sides, and can open the link again.
        link = invite_friend(site, host, CLOCK)
        tab.goto(link)
        tab.get_by_role("button", name="Play both sides").click()
        expect(tab).to_have_url(re.compile("#/seat/"))
        seat = tab.url
        assert seat != host.url
        tab.goto(link)
        expect(tab).to_have_url(seat)


def test_all_tabs_of_a_seat_share_the_plan(browser: Browser, context: BrowserContext) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest, tab = context.new_page(), elsewhere.new_page(), elsewhere.new_page()
        guest.goto(invite_friend(site, host, CLOCK))
        expect(guest).to_have_url(re.compile("#/seat/"))
        tab.goto(guest.url)
        expect(surface(tab)).to_have_class(re.compile("planning"))
        for page, other, column in ((guest, tab, 1), (tab, guest, 3)):
            page.mouse.click(*point_of(page, step(column, 4)))
            for each in (page, other):
                expect(each.locator(".board-note")).to_contain_text("Planned: ")
        expect(guest.locator(".board-note")).to_contain_text("Planned: d5.")
        guest.get_by_role("button", name="Cancel the planned move").click()
        expect(tab.locator(".ghost.draft")).to_have_count(0)
        guest.mouse.click(*point_of(guest, step(2, 3)))
        expect(tab.locator(".ghost.draft")).to_have_count(1)
        press_in_turn(host, step(2, 1))
        for each in (guest, tab):
            expect(each.locator(".moves .ply")).to_have_count(2)
            expect(each.locator(".moves")).to_contain_text("c4")
            expect(each.locator(".ghost.draft")).to_have_count(0)
            expect(each.locator(".notice")).to_have_count(0)


def test_two_people_play_each_other(browser: Browser, context: BrowserContext) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere, open_window(browser) as third:
        host, guest = context.new_page(), elsewhere.new_page()
        link = invite_friend(site, host, CLOCK)
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
        press_in_turn(host, step(1, 0))
        expect(guest.locator(".moves .ply")).to_have_count(6)
        wall = Wall(1, 0, Orientation.HORIZONTAL)
        guest.mouse.click(*point_of(guest, wall))
        expect(guest.locator(".board-note")).to_contain_text("Planned: b1h.")
        press_in_turn(host, wall)
        expect(guest.locator(".notice")).to_have_text("Your planned move b1h is not legal any more.")
        expect(guest.locator(".moves .ply")).to_have_count(7)

        # With the setting, a move waits for its confirmation.
        guest.get_by_role("button", name="Settings").click()
        guest.get_by_label("Confirm each move").check()
        guest.get_by_label("Sounds").check()
        guest.get_by_role("button", name="Done").click()
        press_in_turn(guest, step(0, 4))
        press_in_turn(guest, step(2, 4))
        expect(guest.locator(".board-note")).to_contain_text("Confirm c5")
        guest.keyboard.press("Enter")
        expect(host.locator(".moves .ply")).to_have_count(8)

        press_in_turn(host, step(0, 0))
        host.get_by_role("button", name="Take back").click()
        guest.locator(".offer").wait_for()
        guest.get_by_role("button", name="Accept").click()
        expect(host.locator(".moves .ply")).to_have_count(8)

        # One person is away for a while.
        away = host.locator(".pair-status")
        guest.goto("about:blank")
        expect(away).to_have_text("The other player is not connected.")
        guest.goto(link)
        expect(away).to_have_text("The other player is here.")

        guest.get_by_role("button", name="Resign").click()
        guest.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(host.locator(".verdict")).to_contain_text("You win")
        expect(guest.get_by_role("link", name="New game")).to_be_visible()
        # This site has no engine.
        expect(guest.get_by_role("link", name="Analyse")).to_have_count(0)
        guest.get_by_role("link", name="New game").click()
        expect(away).to_have_text("The other player is not at the board now.")
        guest.goto(link)
        expect(away).to_have_text("The other player is here.")
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


#: Screens, and the reader's language; German texts are longer.
SCREENS = {
    "phone": (390, 844, "de-DE"),
    "turned phone": (844, 390, "de-DE"),
    "small phone": (360, 640, "de-DE"),
    "zoomed laptop": (640, 400, "de-DE"),
    "laptop": (1280, 800, "en-GB"),
}

#: Notes in ``pressed`` of the window each new button or link that takes clicks in the place of an old one in
#: its first 0.45 s. It may after half a second, which passes in a block on a busy machine. Entries of the
#: list of moves are left out, because a move scrolls the list.
_WATCH_BUTTONS = """() => {
    const all = [...document.querySelectorAll("button:not(.ply), a")].filter(node => node.checkVisibility());
    const middles = all.map(node => node.getBoundingClientRect())
        .map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
    const isSeen = node => node.checkVisibility({ visibilityProperty: true });
    // When each button appeared that was not there at first.
    const since = new Map(all.filter(isSeen).map(node => [node, -Infinity]));
    window.pressed = [];
    window.watcher = new MutationObserver(() => {
        const now = performance.now();
        for (const node of document.querySelectorAll("button, a")) {
            if (!since.has(node) && isSeen(node)) since.set(node, now);
        }
        for (const [x, y] of middles) {
            const found = document.elementFromPoint(x, y)?.closest("button:not(:disabled), a");
            if (found && now - since.get(found) < 450) window.pressed.push(found.outerHTML);
        }
    });
    window.watcher.observe(document.body, {
        subtree: true, childList: true, attributeFilter: ["class", "hidden", "disabled"]
    });
    window.scrollTo(0, 0);
}"""

#: The places of all visible buttons and links on the page, by their names.
_PLACES = """() => Object.fromEntries(
    [...document.querySelectorAll("button:not(.ply), a")]
        .filter(node => node.checkVisibility({ visibilityProperty: true }))
        .map(node => [node.getAttribute("aria-label") ?? node.textContent, node.getBoundingClientRect()])
        .map(([name, box]) => [name, box.toJSON()])
)"""


@contextmanager
def stillness(page: Page) -> Iterator[None]:
    """Check that nothing on ``page`` moves, and nothing new can be pressed in an old place, in the block."""
    # Until new buttons take clicks.
    expect(page.locator("[inert]")).to_have_count(0)
    page.wait_for_timeout(50)
    page.evaluate(_WATCH_BUTTONS)
    note_shifts(page)
    before: dict[str, Any] = page.evaluate(_PLACES)
    yield
    page.wait_for_timeout(100)
    after: dict[str, Any] = page.evaluate(_PLACES)
    assert page.evaluate("window.shifts") == []
    assert {name: box for name, box in after.items() if name in before} == {
        # A part of a pixel is not seen.
        name: pytest.approx(box, abs=1)
        for name, box in before.items()
        if name in after
    }
    # Watching takes processor time, which the moves between the blocks can do without.
    page.evaluate("window.watcher.disconnect()")
    assert page.evaluate("window.pressed") == []


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_moves_under_the_pointer(browser: Browser, screen: str) -> None:
    width, height, locale = SCREENS[screen]
    with (
        serve_site(make_site) as site,
        open_window(browser) as context,
        open_window(browser, viewport={"width": width, "height": height}, locale=locale) as elsewhere,
    ):
        friend, page = context.new_page(), elsewhere.new_page()
        link = invite_friend(site, friend, CLOCK)
        page.goto(link)
        asked, status = page.locator(".offer.is-question"), page.locator(".pair-status")
        undo = page.locator(".phases button").first
        moves = page.locator(".moves .ply")

        def press_friend(name: str) -> None:
            friend.get_by_role("button", name=name).click()

        def offer_and_withdraw(name: str) -> None:
            with stillness(page):
                press_friend(name)
                expect(asked).to_be_visible()
            assert page.locator(".offers").evaluate("node => node.scrollHeight - node.clientHeight") <= 0
            for answer in asked.locator("button").all():
                expect(answer).to_be_in_viewport(ratio=1)
            with stillness(page):
                press_friend("Withdraw")
                expect(asked).to_have_count(0)

        # Offers that come and go.
        press_in_turn(friend, step(2, 1))
        expect(moves).to_have_count(1)
        offer_and_withdraw("Take back")
        press_in_turn(page, step(2, 3))
        undo.click()
        expect(page.locator(".offer")).to_be_visible()
        with stillness(page):
            press_friend("Decline")
            expect(page.locator(".offer")).to_have_count(0)
        assert status.evaluate("node => node.scrollWidth - node.clientWidth") <= 0
        # The friend leaves and comes back.
        seat = friend.url
        with stillness(page):
            friend.goto("about:blank")
            expect(status).to_have_attribute("data-key", "pair.away")
        with stillness(page):
            friend.goto(seat)
            expect(status).not_to_have_attribute("data-key", "pair.away")
        # A draw becomes possible, and a planned move is made.
        press_in_turn(friend, step(2, 0))
        press_in_turn(page, step(2, 4))
        draw = page.locator(".phases button").nth(1)
        press_in_turn(friend, step(2, 1))
        expect(moves).to_have_count(5)
        press_in_turn(page, step(2, 3))
        expect(moves).to_have_count(6)
        page.mouse.click(*point_of(page, step(2, 4)))
        expect(page.locator(".ghost.draft")).to_be_visible()
        with stillness(page):
            press_in_turn(friend, step(2, 0))
            expect(moves).to_have_count(8)
        expect(draw).to_be_enabled()
        with stillness(page):
            press_friend("Offer a draw")
            expect(asked).to_be_visible()
        # A second one leaves the buttons of the first in their places.
        before = asked.bounding_box()
        press_friend("Take back")
        expect(asked).to_have_count(2)
        assert asked.first.bounding_box() == before
        # The game ends, and another one begins.
        with stillness(page):
            press_friend("Resign")
            friend.get_by_role("dialog").get_by_role("button", name="Resign").click()
            expect(page.locator(".verdict.ended")).to_be_attached()
        # The moves stay in sight, two rows of them even on a turned phone.
        expect(page.locator(".moves")).to_be_visible()
        least = 1 if screen == "laptop" else 2
        assert page.locator(".moves").evaluate("node => node.clientHeight") >= least * 1.9 * 16
        offer_and_withdraw("Rematch")
        page.get_by_role("button", name=re.compile("Rematch|Revanche")).click()
        with stillness(page):
            press_friend("Accept")
            expect(moves).to_have_count(0)


def test_an_offer_ends_with_its_game_before_the_server_says_so(
    browser: Browser, context: BrowserContext
) -> None:
    is_silent = False

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda message: None if is_silent and '"pair"' in str(message) else socket.send(message)
        )

    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest = context.new_page(), elsewhere.new_page()
        host.route_web_socket(re.compile("/live$"), through)
        guest.goto(invite_friend(site, host, CLOCK))
        press_in_turn(host, step(2, 1))
        press_in_turn(guest, step(2, 3))
        guest.get_by_role("button", name="Take back").click()
        expect(host.locator(".offer")).to_be_visible()
        is_silent = True
        guest.get_by_role("button", name="Resign").click()
        guest.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(host.locator(".verdict.ended")).to_be_visible()
        expect(host.locator(".offer")).to_have_count(0)


def test_questions_end_with_their_game(browser: Browser, context: BrowserContext) -> None:
    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest = context.new_page(), elsewhere.new_page()
        guest.goto(invite_friend(site, host, CLOCK))
        expect(surface(host)).to_have_class(re.compile("interactive"))
        host.get_by_role("button", name="Resign").click()
        expect(host.get_by_role("dialog")).to_be_visible()
        guest.get_by_role("button", name="Resign").click()
        guest.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(host.locator(".verdict.ended")).to_be_visible()
        expect(host.get_by_role("dialog")).to_have_count(0)
        # Another page has none of the last one, either.
        host.get_by_role("button", name="Rematch").click()
        guest.get_by_role("button", name="Accept").click()
        guest.get_by_role("button", name="Resign").click()
        expect(guest.get_by_role("dialog")).to_be_visible()
        guest.go_back()
        expect(guest.get_by_role("dialog")).to_have_count(0)


def test_wishes_without_a_connection_are_not_lost_in_silence(
    browser: Browser, context: BrowserContext
) -> None:
    sockets: list[WebSocketRoute] = []
    is_down = is_silent = False

    def through(socket: WebSocketRoute) -> None:
        if is_down:
            socket.close()
            return
        server = socket.connect_to_server()
        socket.on_message(lambda message: None if is_silent else server.send(message))
        server.on_message(lambda message: None if is_silent else socket.send(message))
        sockets.append(socket)

    with serve_site(make_site) as site, open_window(browser) as elsewhere:
        host, guest = context.new_page(), elsewhere.new_page()
        host.route_web_socket(re.compile("/live$"), through)
        guest.goto(invite_friend(site, host, CLOCK))
        press_in_turn(host, step(2, 1))
        expect(host.locator(".moves .ply")).to_have_count(1)
        notice = host.locator(".notice")
        # The network is silent, so that nobody knows whether the wish arrives.
        is_silent = True
        host.get_by_role("button", name="Take back").click()
        host.wait_for_timeout(100)
        expect(notice).to_have_count(0)
        is_down = True
        sockets[-1].close()
        expect(notice).to_contain_text("Your last action may not have arrived.")
        # Nobody knows either whether the other player is there.
        expect(host.locator(".pair-status")).to_have_text("")
        host.get_by_role("button", name="Dismiss").click()
        expect(notice).to_have_count(0)
        # The network is known to be away.
        expect(host.locator(".live")).to_contain_text("Connection lost")
        host.get_by_role("button", name="Resign").click()
        host.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(notice).to_contain_text("This cannot be sent now: the connection is lost.")
        # It goes with the next action of the reader.
        host.keyboard.press("ArrowLeft")
        expect(notice).to_have_count(0)

        # Back at the board, the page shows the game as it is.
        is_silent = is_down = False
        expect(host.locator(".pair-status")).to_have_text("The other player is here.")
        stop_clock(host)
        is_silent = True
        host.get_by_role("button", name="Take back").click()
        sockets[-1].close()
        is_silent = False
        expect(notice).to_contain_text("Your last action may not have arrived.")
        host.clock.run_for(3_000)
        expect(host.locator(".pair-status")).to_have_text("The other player is here.")
        expect(notice).to_have_count(0)


def test_an_invalid_invitation_is_not_tried_again(browser: Browser) -> None:
    # Without the check for errors, because Chromium reports the refusal as one.
    page = new_window(browser).new_page()
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
    page.context.close()
