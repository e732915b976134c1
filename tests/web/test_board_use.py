"""The board for keyboards, fingers and screen readers, on small and turned screens, in forced colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.events import Event, GameEnded, PlayerOut
from quoridor_net.moves import Orientation, Square, Step, Wall
from quoridor_net.notation.standard import parse_move
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.replay import parse_game, parse_replay
from quoridor_net.rules import Position
from quoridor_net.tournament.events import GameEvent
from quoridor_net.tournament.state import TournamentState
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web import sites
from quoridor_net.web.application import Site
from quoridor_net.web.live import LiveGame
from quoridor_net.web.replays import RecordedGame
from quoridor_net.web.tournament import TournamentFeed
from tests.support.site import events_of, serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Page, expect  # noqa: E402

from docs.diagrams.gallery_sites import SITES  # noqa: E402
from tests.support.board_page import SIZE, Table, point_of, press, read_board, step, surface  # noqa: E402
from tests.support.chromium import note_shifts, open_window, stop_clock  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

DOCS = Path(__file__).parents[2] / "docs"

GAME = "1. c3h e8 2. f6v d8 3. e2 f8h"


@pytest.fixture
def table() -> Table:
    return Table()


@contextmanager
def replay(context: BrowserContext) -> Iterator[Page]:
    """Open the page of a recorded game at its last ply."""
    recorded = RecordedGame(parse_game(GAME, partial=True))
    with serve_site(lambda _: Site("replay", "Quoridor", recorded)) as site:
        page = context.new_page()
        page.goto(site.url)
        expect(page.locator(".ply[aria-current]")).to_have_text("f8h")
        yield page


def focused(page: Page) -> str:
    """Return the tag and the class of the focused element."""
    found: str = page.evaluate("`${document.activeElement.tagName} ${document.activeElement.className}`")
    return found


# Keyboard.


def test_arrow_keys_step_through_a_recorded_game_after_a_click(context: BrowserContext) -> None:
    with replay(context) as page:
        chosen = page.locator(".ply[aria-current]")
        surface(page).click(position={"x": 5, "y": 5})
        page.keyboard.press("ArrowLeft")
        expect(chosen).to_have_text("e2")
        expect(page.locator(".cursor")).to_have_count(0)
        # Enter starts the cursor; arrow keys move it until Escape.
        page.keyboard.press("Enter")
        expect(page.locator(".cursor")).to_be_visible()
        page.keyboard.press("ArrowLeft")
        expect(chosen).to_have_text("e2")
        page.keyboard.press("Escape")
        expect(page.locator(".cursor")).to_have_count(0)
        page.keyboard.press("ArrowLeft")
        expect(chosen).to_have_text("d8")


def test_the_label_and_a_key_name_the_walls(context: BrowserContext) -> None:
    with replay(context) as page:
        says = (
            "Player 1 on e2, 8 walls left. Player 2 on d8, 9 walls left. Walls: c3h, f8h, f6v."
            " Player 1 is to move."
        )
        expect(surface(page)).to_have_attribute("aria-label", f"Quoridor board. {says}")
        page.keyboard.press("r")
        expect(page.locator(".board [aria-live]")).to_have_text(says)


@pytest.mark.parametrize("ending", ["step", "resign"])
def test_focus_stays_on_the_page_when_a_game_ends(context: BrowserContext, table: Table, ending: str) -> None:
    with serve_site(table.site) as site:
        page = table.page(site, context)
        surface(page).focus()
        if ending == "resign":
            page.get_by_role("button", name="Resign").focus()
            page.keyboard.press("Enter")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        else:
            for row in range(1, SIZE):
                for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
                    page.keyboard.press(key)
                if row < SIZE - 1:
                    expect(page.locator(".moves .ply")).to_have_count(2 * row)
        expect(page.locator(".verdict.ended")).to_be_visible()
        page.wait_for_timeout(50)
        assert focused(page) == "DIV board-surface"


def test_focus_stays_on_the_buttons(context: BrowserContext, table: Table) -> None:
    with replay(context) as page:
        back = page.get_by_role("button", name="One move back")
        back.focus()
        for _ in range(6):
            page.keyboard.press("Enter")
        expect(back).to_be_disabled()
        assert focused(page).startswith("BUTTON")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Pause")).to_be_focused()


# Colours.

#: Returns the colours of an element as seen: its own, and those of the nearest things drawn below it.
_CONTRAST = """([first, second]) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    const luminance = colour => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(part => part / 255);
        const [r, g, b] = parts.map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [high, low] = [luminance(first), luminance(second)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
}"""


def style_of(page: Page, selector: str, name: str) -> str:
    found: str = page.locator(selector).first.evaluate(f"node => getComputedStyle(node)['{name}']")
    return found


def contrast(page: Page, first: str, second: str) -> float:
    found: float = page.evaluate(_CONTRAST, [first, second])
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_cursor_stands_out_everywhere(context: BrowserContext, table: Table, scheme: Any) -> None:
    with serve_site(table.site) as site:
        page = table.page(site, context)
        page.emulate_media(color_scheme=scheme)
        surface(page).focus()
        page.keyboard.press("ArrowUp")
        rings = [style_of(page, f".cursor-{name}", "stroke") for name in ("casing", "ring")]
        assert contrast(page, *rings) > 4.5
        grounds = [style_of(page, ".square", "fill"), style_of(page, ".goal", "fill")]
        grounds += [style_of(page, f".pawn-{player} .pawn-shape", "fill") for player in (1, 2)]
        grounds += page.evaluate(
            """() => ["--frame", "--frame-edge", "--wall", "--wall-last", "--mark"].map(name => {
                const probe = document.body.appendChild(document.createElement("i"));
                probe.style.color = `var(${name})`;
                return getComputedStyle(probe).color;
            })"""
        )
        for ground in grounds:
            assert max(contrast(page, ground, ring) for ring in rings) >= 3, ground


def stripes(page: Page) -> list[int]:
    """Return the number of stripes on each wall, horizontal walls first."""
    walls = page.locator(".board .wall:not(.ghost)")
    found: list[int] = walls.evaluate_all(
        "all => all.map(wall => wall.querySelectorAll('.wall-owner').length)"
    )
    return found


def test_walls_have_as_many_stripes_as_their_players_number(context: BrowserContext) -> None:
    with replay(context) as page:
        # Of c3h, f8h and f6v.
        assert stripes(page) == [1, 2, 1]
        # Moves that are tried have a player, too.
        page.mouse.click(*point_of(page, parse_move("b6h"), 9))
        expect(page.locator(".variation .ply")).to_have_text("b6h")
        assert stripes(page) == [1, 2, 1, 1]


@pytest.mark.parametrize("place", ["", "#/games/1"])
def test_walls_of_running_games_have_stripes(context: BrowserContext, place: str) -> None:
    view = TournamentFeed(TournamentState(), Path("none.db"), "Cup", "swiss")
    played = parse_game(GAME, partial=True)
    # Its opening has the wall of player 1.
    moves = [ply.move for ply in played.plies[2:] if ply.move is not None]
    events = events_of(moves, played.position(2), ("ann", "bob"))
    with serve_site(lambda _: sites.tournament(view)) as site:
        site.tell(lambda event: view(GameEvent(1, event)), events)
        page = context.new_page()
        page.goto(site.url + place)
        expect(page.locator(".board .wall")).to_have_count(3)
        assert stripes(page) == [1, 2, 1]


def test_forced_colours_keep_coordinates_walls_and_the_player_to_move(browser: Browser) -> None:
    with open_window(browser, forced_colors="active") as context, replay(context) as page:
        ground = style_of(page, ".board-surface", "backgroundColor")
        for selector in (".coordinates text", ".wall-body", ".board .pawn:not(.to-move) .pawn-number"):
            assert contrast(page, ground, style_of(page, selector, "fill")) >= 4.5, selector
        to_move = style_of(page, ".board .pawn.to-move .pawn-shape", "fill")
        assert to_move != style_of(page, ".board .pawn:not(.to-move) .pawn-shape", "fill")
        assert style_of(page, ".player.to-move", "outlineStyle") == "solid"


def test_no_pawn_has_the_red_of_illegal_moves(context: BrowserContext, table: Table) -> None:
    with serve_site(table.site) as site:
        page = table.page(site, context)
        page.mouse.move(*point_of(page, step(0, 4)))
        illegal = style_of(page, ".pawn.illegal .pawn-shape", "stroke")
        for player in (1, 2):
            pawn = style_of(page, f".board .pawn-{player}:not(.ghost) .pawn-shape", "fill")
            pairs = zip(re.findall(r"\d+", illegal), re.findall(r"\d+", pawn), strict=True)
            assert sum((int(one) - int(other)) ** 2 for one, other in pairs) > 100**2


def test_people_read_names_in_words(context: BrowserContext) -> None:
    live = LiveGame()
    with serve_site(lambda _: sites.watch(live)) as site:
        site.tell(live, events_of([], Position(), ("engine:level=3", "the_quick_team")))
        page = context.new_page()
        page.goto(site.url)
        expect(page.locator(".players.top .player-name")).to_have_text("Engine, level 3")
        expect(page.locator(".players.bottom .player-name")).to_have_text("the quick team")


def test_sweeping_the_mouse_shows_no_illegal_moves(context: BrowserContext, table: Table) -> None:
    with serve_site(table.site) as site:
        page = table.page(site, context)
        stop_clock(page)
        page.evaluate(
            """() => {
                window.flashes = 0;
                const count = () => { window.flashes += document.querySelectorAll(".ghost.illegal").length; };
                new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
            }"""
        )
        (left, top), (right, bottom) = point_of(page, step(0, 4)), point_of(page, step(4, 2))
        for part in range(41):
            page.mouse.move(left + (right - left) * part / 40, top + (bottom - top) * part / 40)
            page.clock.run_for(16)
        assert page.evaluate("window.flashes") == 0
        page.clock.run_for(300)
        expect(page.locator(".ghost.illegal")).to_have_count(1)
        expect(page.locator(".board-note")).to_have_class(re.compile("is-reason"))


# Layout.


#: Width and height of a laptop, and of a phone, turned and upright.
WINDOWS = ((1280, 800), (844, 390), (390, 844))


@pytest.mark.parametrize(("width", "height"), WINDOWS)
@pytest.mark.parametrize("ending", ["step", "resign"])
def test_nothing_jumps_when_a_game_ends(
    browser: Browser, table: Table, width: int, height: int, ending: str
) -> None:
    with (
        open_window(browser, viewport={"width": width, "height": height}) as context,
        serve_site(table.site) as site,
    ):
        page = table.page(site, context)
        for row in range(1, SIZE - 1):
            press(page, step(2, row), 2 * row)
        before = surface(page).bounding_box()
        note_shifts(page)
        if ending == "step":
            page.mouse.click(*point_of(page, step(2, SIZE - 1)))
        else:
            page.get_by_role("button", name="Resign").click()
            page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(page.locator(".verdict.ended")).to_be_attached()
        page.wait_for_timeout(100)
        assert page.evaluate("window.shifts") == []
        assert surface(page).bounding_box() == before


@contextmanager
def spectate(
    browser: Browser, width: int, height: int, before: list[Event]
) -> Iterator[Callable[[list[Event]], Page]]:
    """Show a game of two moves; yield a function that shows later events. Nothing may jump meanwhile."""
    live = LiveGame()
    with (
        open_window(browser, viewport={"width": width, "height": height}) as context,
        serve_site(lambda _: sites.watch(live)) as site,
    ):
        site.tell(live, before)
        page = context.new_page()
        page.goto(site.url)
        expect(page.locator(".moves .ply")).to_have_count(2)
        note_shifts(page)

        def tell(events: list[Event]) -> Page:
            site.tell(live, events)
            return page

        yield tell
        expect(page.locator(".verdict.ended")).to_be_attached()
        page.wait_for_timeout(100)
        assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_nothing_jumps_for_spectators_when_a_game_ends(browser: Browser, width: int, height: int) -> None:
    position = Position.from_line(" /  / b1 c3 / 0 0 / 1 / 3")
    moves = [step(1, 1), step(2, 1), step(1, 2)]
    *before, made, ended = events_of(moves, position, ("ann", "bob"))
    with spectate(browser, width, height, before) as tell:
        tell([made, ended])


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_nothing_jumps_when_the_end_comes_after_an_elimination(
    browser: Browser, width: int, height: int
) -> None:
    # Long enough for a verdict of several lines.
    names = ("ann:a bot with a long name", "bob:another one with a long name")
    *before, _ = events_of([step(2, 1), step(2, 3)], Position(SIZE), names)
    position = Position(SIZE)
    fault = ForfeitError(Termination.RESIGNED, VerdictPhrase.RESIGNED())
    position.eliminate(1)
    result = Result(
        2, Termination.RESIGNED, f"{names[1]} (player 2) wins: {names[0]} (player 1) resigned.", 2
    )
    with spectate(browser, width, height, before) as tell:
        page = tell([PlayerOut(1, fault, position, 2)])
        expect(page.locator(".moves .ply")).to_have_count(3)
        page.wait_for_timeout(100)
        tell([GameEnded(result, names, position)])


@pytest.mark.parametrize(("motion", "count"), [("no-preference", 1), ("reduce", 0)])
def test_a_pawn_glides_to_its_square(browser: Browser, motion: Any, count: int) -> None:
    with open_window(browser, reduced_motion=motion) as context, replay(context) as page:
        glides = page.evaluate(
            """async () => {
                const find = () => document.querySelector(".pawns").getAnimations({ subtree: true });
                const key = new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true });
                for (let ply = 0; ply < 2; ply++) document.body.dispatchEvent(key);
                const begun = find();
                await Promise.allSettled(begun.map(glide => glide.finished));
                return [begun.length, find().length];
            }"""
        )
        assert glides == [count, 0]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_move_leaves_everything_of_earlier_moves_alone(browser: Browser, width: int, height: int) -> None:
    live = LiveGame()
    moves = [parse_move(name, SIZE) for name in ["c2", "b3h", "d2", "c4", "d3", "b4", "a1v"]]
    events = events_of(moves, Position(SIZE), ("ann", "bob"))
    with (
        open_window(browser, viewport={"width": width, "height": height}) as context,
        serve_site(lambda _: sites.watch(live)) as site,
    ):
        site.tell(live, events[:5])
        page = context.new_page()
        page.goto(site.url)
        expect(page.locator(".moves .ply")).to_have_count(2)
        note_shifts(page)
        page.evaluate(
            """() => {
                window.touched = [];
                const places = [document.querySelector(".moves"), document.querySelector(".wall").parentNode];
                const observer = new MutationObserver(records => {
                    for (const { type, target, removedNodes, attributeName } of records) {
                        if (removedNodes.length > 0) window.touched.push(`removed from ${target.className}`);
                        if (type === "attributes") window.touched.push(attributeName);
                    }
                });
                for (const place of places) {
                    observer.observe(place, { subtree: true, childList: true, attributes: true });
                }
            }"""
        )
        for count in range(2, len(moves)):
            site.tell(live, events[2 * count + 1 : 2 * count + 3])
            expect(page.locator(".moves .ply")).to_have_count(count + 1)
        page.wait_for_timeout(100)
        assert page.evaluate("window.shifts") == []
        # The selected move, and the colour of the last wall.
        assert set(page.evaluate("window.touched")) == {"aria-current", "class"}


SCREENS = {
    "small phone": (320, 480),
    "turned phone": (844, 390),
    "laptop at 200 %": (640, 400),
    "laptop at 400 %": (320, 200),
    "tablet": (820, 1180),
}


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_overlaps_on_small_screens(browser: Browser, table: Table, screen: str) -> None:
    width, height = SCREENS[screen]
    with (
        open_window(browser, viewport={"width": width, "height": height}) as context,
        serve_site(table.site) as site,
    ):
        page = table.page(site, context)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = {
            name: page.locator(name).bounding_box()
            for name in (".board", ".players.top", ".players.bottom", ".game-record", "header.site")
        }
        for first, one in boxes.items():
            for second, other in boxes.items():
                assert one is not None
                assert other is not None
                apart = (
                    one["x"] + one["width"] <= other["x"] + 0.5
                    or other["x"] + other["width"] <= one["x"] + 0.5
                    or one["y"] + one["height"] <= other["y"] + 0.5
                    or other["y"] + other["height"] <= one["y"] + 0.5
                )
                assert first == second or apart, (first, second)
        sizes = page.locator("button:visible, a:visible").evaluate_all(
            "all => all.map(node => [node.outerHTML, node.getBoundingClientRect()])"
            ".filter(([, box]) => box.top >= 0)"
            ".map(([html, box]) => [html.slice(0, 90), box.width, box.height])"
        )
        assert [found for found in sizes if min(found[1:]) < 24] == []


@pytest.mark.parametrize(("screen", "least"), [("turned phone", 290), ("laptop at 200 %", 300)])
def test_low_windows_have_two_columns(browser: Browser, table: Table, screen: str, least: int) -> None:
    width, height = SCREENS[screen]
    with (
        open_window(browser, viewport={"width": width, "height": height}) as context,
        serve_site(table.site) as site,
    ):
        page = table.page(site, context)
        board, record = surface(page).bounding_box(), page.locator(".game-record").bounding_box()
        assert board is not None
        assert record is not None
        assert board["height"] >= least
        assert board["y"] + board["height"] <= height
        assert record["x"] > board["x"] + board["width"]


def test_the_selected_move_stays_in_sight_when_its_list_shrinks(context: BrowserContext) -> None:
    game = parse_replay((DOCS / "pictures/game.qtp").read_text(encoding="ascii"))
    with serve_site(lambda _: Site("replay", "Quoridor", RecordedGame(game))) as site:
        page = context.new_page()
        page.goto(site.url)
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(page.locator(".ply").first).to_be_visible()
        for _ in range(24):
            page.keyboard.press("ArrowRight")
        page.set_viewport_size({"width": 844, "height": 300})
        expect(page.locator(".ply[aria-current]")).to_be_in_viewport()


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (640, 400), (320, 480), (1280, 800)])
@pytest.mark.parametrize("letters", ["usual", "large"])
def test_nothing_covers_the_focus_while_a_game_is_set_up(
    browser: Browser, size: tuple[int, int], letters: str
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with open_window(browser, viewport=viewport) as context, serve_site(SITES["new"]) as site:
        page = context.new_page()
        page.goto(site.url)
        if letters == "large":
            page.evaluate("document.documentElement.classList.add('large')")
        page.get_by_text("Board, players and rules").click()
        page.locator("main").focus()
        walked = []
        while (found := page.evaluate(_FOCUS_IN_FORM)) is not None:
            if found:
                walked.append(found)
            page.keyboard.press("Tab")
        assert len(walked) == 11
        assert [name for name, is_seen in walked if not is_seen] == []


#: Returns the focused control of the form, and whether its middle is seen; "" before the form, null after it.
_FOCUS_IN_FORM = """() => {
    const focused = document.activeElement;
    if (focused.closest("form") === null) return window.hasBegun ? null : "";
    window.hasBegun = true;
    const { left, top, width, height } = focused.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    const name = `${focused.tagName} ${focused.name ?? ""} ${focused.value ?? ""}`;
    return [name, focused.contains(seen) || (focused.closest("label")?.contains(seen) ?? false)];
}"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800), (1920, 1080)])
def test_no_ring_around_the_focus_is_cut_off(browser: Browser, size: tuple[int, int]) -> None:
    viewport = {"width": size[0], "height": size[1]}
    for name in ("analysis", "seat", "tournament"):
        with open_window(browser, viewport=viewport) as context, serve_site(SITES[name]) as site:
            page = context.new_page()
            page.goto(site.url)
            expect(page.locator(".controls, .running-game").first).to_be_attached()
            assert page.evaluate(_CUT_RINGS) == [], name


#: Returns the controls whose ring around the focus leaves something that clips it.
_CUT_RINGS = """() => {
    const cut = node => {
        node.focus({ focusVisible: true });
        const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(node);
        if (document.activeElement !== node || outlineStyle === "none") return false;
        // Less than a pixel is not seen.
        const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset) - 1;
        const box = node.getBoundingClientRect();
        for (let around = node.parentElement; around !== document.body; around = around.parentElement) {
            const { overflowX, overflowY, contain } = getComputedStyle(around);
            if (overflowX === "visible" && overflowY === "visible" && !contain.includes("paint")) continue;
            const outer = around.getBoundingClientRect();
            const [left, top] = [outer.left + around.clientLeft, outer.top + around.clientTop];
            if (box.left - reach < left || box.right + reach > left + around.clientWidth) return true;
            if (box.top - reach < top || box.bottom + reach > top + around.clientHeight) return true;
        }
        return false;
    };
    const controls = document.querySelectorAll("button, a, select, input, summary, [tabindex='0']");
    return [...controls].filter(cut).map(node => node.outerHTML.slice(0, 90));
}"""


def test_a_finger_steps_anywhere_in_a_marked_square(browser: Browser, table: Table) -> None:
    with (
        open_window(
            browser, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
        ) as context,
        serve_site(table.site) as site,
    ):
        page = table.page(site, context)
        box = page.locator(".board-drawing").bounding_box()
        assert box is not None
        # Almost a whole square, of 41 units, around its middle.
        scale = box["width"] / (SIZE * 50 - 9 + 48)
        for number, (across, along) in enumerate(((18, 18), (-18, 18), (-18, -18)), 1):
            x, y = point_of(page, Step(Square(2, number)))
            page.touchscreen.tap(x + across * scale, y + along * scale)
            expect(page.locator(".moves .ply")).to_have_count(2 * number)
        # The wall between the pawn and a marked square, from the gap.
        wall = Wall(1, 2, Orientation.VERTICAL)
        page.touchscreen.tap(*point_of(page, wall))
        expect(page.locator(".wall.preview")).to_be_visible()
        assert table.moves == [step(2, row) for row in (1, 2, 3)]
        assert read_board(page.locator(".board"))["walls"] == []
