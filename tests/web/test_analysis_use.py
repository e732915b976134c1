"""The page of an analysis for keyboard, mouse and small screens; the engine's lines are made up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from tests.support.site import serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocketRoute, expect  # noqa: E402

from docs.diagrams.gallery_sites import SITES  # noqa: E402
from tests.support.board_page import surface  # noqa: E402
from tests.support.chromium import open_window  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]


class Analysis:
    """The page of an analysis, and its connection to the engine."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.socket: WebSocketRoute | None = None
        self.lines: dict[str, Any] = {}
        self.requests: list[str | bytes] = []
        page.route_web_socket(lambda url: url.endswith("/analysis") and "/games/" not in url, self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self.socket = socket
        self.requests = requests = []

        def note(message: str | bytes) -> None:
            if "position" in json.loads(message):
                requests.append(message)
            server.send(message)

        socket.on_message(note)
        server.on_message(self._pass_on)

    def _pass_on(self, message: str | bytes) -> None:
        assert self.socket is not None
        found = json.loads(message)
        if "lines" in found:
            self.lines = found
        self.socket.send(message)

    def update(self, depth: int) -> None:
        """Send the lines again in another order, as the engine does when it has searched deeper."""
        assert self.socket is not None
        self.lines = {**self.lines, "depth": depth, "lines": self.lines["lines"][::-1]}
        self.socket.send(json.dumps(self.lines))
        expect(self.page.locator(".engine-status")).to_contain_text(str(depth))

    @property
    def moves(self) -> Locator:
        """The moves of the engine's lines."""
        return self.page.locator(".engine-lines-list .ply")


@contextmanager
def open_analysis(context: BrowserContext) -> Iterator[Analysis]:
    """Open an analysis after ply 12."""
    with serve_site(SITES["analysis"]) as site:
        page = context.new_page()
        analysis = Analysis(page)
        page.goto(f"{site.url}#/games/1/12")
        expect(analysis.moves).to_have_count(18)
        expect(page.locator(".accuracy-of", has_text="%")).to_have_count(2)
        yield analysis


def test_updates_of_the_engine_keep_focus_and_press(context: BrowserContext) -> None:
    with open_analysis(context) as analysis:
        second = analysis.moves.nth(1)
        second.focus()
        analysis.update(15)
        expect(second).to_be_focused()
        box = analysis.moves.first.bounding_box()
        assert box is not None
        analysis.page.mouse.move(box["x"] + 5, box["y"] + 5)
        analysis.page.mouse.down()
        pressed = analysis.moves.first.inner_text()
        analysis.update(16)
        analysis.page.mouse.up()
        expect(analysis.page.locator(".variation .ply")).to_have_text([pressed])


def test_a_new_page_asks_the_engine_once(context: BrowserContext) -> None:
    context.clock.install()
    with open_analysis(context) as analysis:
        # As long as the pause after a change of the position.
        context.clock.run_for(250)
        analysis.update(15)
        assert len(analysis.requests) == 1


def test_buttons_that_go_leave_the_focus_on_the_board(context: BrowserContext) -> None:
    with open_analysis(context) as analysis:
        page = analysis.page

        def press(button: Locator) -> None:
            button.focus()
            page.keyboard.press("Enter")
            expect(surface(page)).to_be_focused()

        press(analysis.moves.nth(1))
        expect(page.locator(".variation .ply")).to_have_count(2)
        press(page.get_by_role("button", name="Back to the game"))
        page.keyboard.press("m")
        press(page.locator(".comment-line .ply").first)
        press(page.get_by_role("button", name="Back to the game"))
        press(page.locator(".lessons button").first)
        press(page.get_by_role("button", name="End the lesson"))


class HeldAnalysis:
    """The analysis of the game, whose messages reach the page one at a time."""

    def __init__(self, page: Page) -> None:
        self._held: list[Callable[[], None]] = []
        self._released = 0
        page.route_web_socket(re.compile("/games/1/analysis$"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        def hold(message: str | bytes) -> None:
            self._held.append(partial(socket.send, message))
            self._pass_on()

        socket.connect_to_server().on_message(hold)

    def release(self) -> None:
        """Let one more message through, as soon as there is one."""
        self._released += 1
        self._pass_on()

    def _pass_on(self) -> None:
        while self._held and self._released > 0:
            self._released -= 1
            self._held.pop(0)()


SIZES = [(390, 844), (844, 390), (1280, 800)]


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_moves_when_the_analysis_of_the_game_arrives(
    browser: Browser, size: tuple[int, int], locale: str
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with (
        open_window(browser, viewport=viewport, locale=locale) as context,
        serve_site(SITES["analysis"]) as site,
    ):
        page = context.new_page()
        analysis = HeldAnalysis(page)
        page.goto(f"{site.url}#/games/1/12")
        parts = [
            page.locator(".engine-lines-list .ply").first,
            page.locator(".moves .ply").first,
            surface(page),
        ]
        expect(page.locator(".engine-lines-list .ply")).to_have_count(18)
        expect(page.locator(".analysis-progress")).to_contain_text("50")
        before = [part.bounding_box() for part in parts]
        for expected in (0, 2):
            analysis.release()
            expect(page.locator(".accuracy-of", has_text="%")).to_have_count(expected)
            expect(page.locator(".graph-mark").first).to_be_attached()
            assert [part.bounding_box() for part in parts] == before


@pytest.mark.parametrize("size", SIZES)
def test_names_comments_and_lines_are_not_cut_off(browser: Browser, size: tuple[int, int]) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with open_window(browser, viewport=viewport) as context, open_analysis(context) as analysis:
        page = analysis.page
        for name in page.locator(".player-name").all():
            wide, high = name.evaluate(_NAME_AND_MEASURE, "Engine, level 3")
            assert wide <= 0
            assert high <= 1
        # A mistake, whose comment names a better line.
        page.keyboard.press("m")
        expect(page.locator(".comment-line")).to_contain_text("Better")
        if size != (390, 844):
            expect(page.locator(".comment-line")).to_be_in_viewport(ratio=1)
        long = {"moves": ["a1h", "c1h", "e1h", "g1h", "a2h", "c2h", "e2h", "g2h"], "score": 0, "chance": 0.5}
        expect(analysis.moves).to_have_count(18)
        analysis.lines["lines"][0] = long
        analysis.update(17)
        shown = page.locator(".engine-lines-list li").evaluate_all(_PARTS_IN_SIGHT)
        assert set(shown) <= {0, 1}


#: Writes a name, and returns how many pixels it is too wide and too high, before the page writes its own.
_NAME_AND_MEASURE = """(node, name) => {
    node.textContent = name;
    return [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight];
}"""

#: Returns which parts of the moves of all lines are in sight.
_PARTS_IN_SIGHT = """lines => lines.flatMap(line => {
    const outer = line.getBoundingClientRect();
    return [...line.querySelectorAll(".ply")].filter(ply => ply.checkVisibility()).map(ply => {
        const box = ply.getBoundingClientRect();
        const wide = Math.min(box.right, outer.right) - Math.max(box.left, outer.left);
        const high = Math.min(box.bottom, outer.bottom) - Math.max(box.top, outer.top);
        return Math.round(10 * Math.max(wide, 0) * Math.max(high, 0) / (box.width * box.height)) / 10;
    });
})"""


def test_a_wall_is_marked_in_its_direction(context: BrowserContext) -> None:
    shape = "node => [getComputedStyle(node, '::before').width, getComputedStyle(node, '::before').height]"
    with open_analysis(context) as analysis:
        for end, is_wide in (("h", True), ("v", False)):
            wall = analysis.page.locator(f".moves .of-wall:text-matches('{end}$')").first
            width, height = (float(each.removesuffix("px")) for each in wall.evaluate(shape))
            assert (width > height) is is_wide
