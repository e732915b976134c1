"""Work of the page for each move of a long game: ``python -m benchmarks.web_long_game``.

Shows a game of 500 plies live and as a recorded game, on a laptop and on a phone, and prints the CPU time
that its main thread needs for a move at its end, with the layout shifts. Needs Chromium and Linux.
A loop in the page tells how fast the machine is at that time. A page with nothing but a gliding square tells
how much the browser itself needs.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.table import print_table
from quoridor_net.match import Event
from quoridor_net.rules import Move, Position
from quoridor_net.web.application import Site
from quoridor_net.web.budget import Budget
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from tests.support.chromium import start_chromium
from tests.support.installed_chromium import MISSING
from tests.support.site import events_of, serve_site

#: Plies before the measured moves, and number of these.
PLIES, MOVES = 500, 25

#: Rest after each move, in milliseconds.
REST = 300

SCREENS = {"1280x800": (1280, 800), "390x844": (390, 844)}

#: Takes about as long as a move.
LOOP = "() => { let sum = 0; for (let i = 0; i < 4e6; i++) sum += i % 7; return sum; }"

#: A square that glides with every key.
SQUARE = """
<!doctype html>
<style>
    #square { background: red; height: 40px; width: 40px; will-change: transform; }
    @media (prefers-reduced-motion: no-preference) { #square { transition: transform 200ms; } }
</style>
<div id="square"></div>
<script>
    let count = 0;
    addEventListener("keydown", () => { square.style.transform = `translateX(${5 * ++count}px)`; });
</script>
"""

#: Adds up layout shifts, also those that follow a key.
OBSERVE = """
window.shifted = 0;
new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shifted += each.value; })
  .observe({ type: "layout-shift", buffered: true });
"""


def main() -> None:
    """Print the table."""
    if MISSING:
        raise SystemExit(MISSING)
    with start_chromium() as browser:
        print_table(
            f"Milliseconds of CPU of the main thread after ply {PLIES}, median of {MOVES}",
            ("page", "screen", "a move", "without animation", "clocks meanwhile", "a loop", "layout shift"),
            [
                (name, screen, *measure(browser, size))
                for name, measure in (("live", watch), ("recorded", step_through), ("only a square", glide))
                for screen, size in SCREENS.items()
            ],
        )


def long_game(plies: int) -> list[Event]:
    """Return the events of a game: first all walls, then pawns that wander."""
    chance = random.Random(7)
    position = Position()
    moves: list[Move] = []
    while len(moves) < plies:
        walls = position.legal_walls
        steps = [step for step in position.legal_steps if 0 < step.square.row < position.size - 1]
        move = chance.choice(walls) if walls else chance.choice(steps or position.legal_steps)
        moves.append(move)
        position.push(move)
    return events_of(moves, Position(), ("ann:bot", "bob:bot"))


def make_site(mode: str, live: LiveGame) -> Site:
    """Return a site with one game."""
    return Site(mode, "Quoridor", LiveGames({1: live}))


def watch(browser: Browser, size: tuple[int, int]) -> Sequence[str]:
    """Measure moves that arrive in a running game."""
    # Without a limit for spectators, so that every move arrives alone.
    live = LiveGame(Budget(share=1))
    events = long_game(PLIES + 2 * MOVES)
    first, rest = events[: 2 * PLIES + 1], events[2 * PLIES + 1 :]
    with serve_site(lambda _: make_site("watch", live)) as site:
        site.tell(live, first)
        page = open_page(browser, site.url, size, PLIES)
        return measure(page, lambda count: site.tell(live, rest[2 * count : 2 * count + 2]))


def step_through(browser: Browser, size: tuple[int, int]) -> Sequence[str]:
    """Measure steps through a recorded game."""
    live = LiveGame()
    with serve_site(lambda _: make_site("replay", live)) as site:
        site.tell(live, long_game(PLIES + 2 * MOVES))
        page = open_page(browser, site.url, size, PLIES + 2 * MOVES)
        page.keyboard.press("End")
        for _ in range(2 * MOVES):
            page.keyboard.press("ArrowLeft")
        return measure(page, lambda _: page.keyboard.press("ArrowRight"))


def glide(browser: Browser, size: tuple[int, int]) -> Sequence[str]:
    """Measure steps of a square on an empty page."""
    page = new_page(browser, size)
    page.set_content(SQUARE)
    page.wait_for_timeout(REST)
    return measure(page, lambda _: page.keyboard.press("ArrowRight"))


def open_page(browser: Browser, url: str, size: tuple[int, int], plies: int) -> Page:
    """Open a page, and wait until it shows all plies."""
    page = new_page(browser, size)
    page.goto(url)
    page.locator(f".moves .ply[data-count='{plies}']").wait_for()
    page.wait_for_timeout(REST)
    return page


def new_page(browser: Browser, size: tuple[int, int]) -> Page:
    """Return an empty page that observes itself."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.add_init_script(OBSERVE)
    return page


def measure(page: Page, act: Callable[[int], None]) -> Sequence[str]:
    """Return a row about the work of ``act``, without that of clocks that tick meanwhile."""
    renderer = find_renderer(page)

    def repeat(act: Callable[[int], object]) -> float:
        taken = []
        for count in range(MOVES):
            before = read_time(renderer)
            act(count)
            page.wait_for_timeout(REST)
            taken.append(read_time(renderer) - before)
        return statistics.median(taken)

    idle = repeat(lambda _: None)
    loop = repeat(lambda _: page.evaluate(LOOP))
    page.evaluate("window.shifted = 0")
    animated = repeat(act)
    page.emulate_media(reduced_motion="reduce")
    still = repeat(lambda count: act(MOVES + count))
    shifted = page.evaluate("window.shifted")
    page.close()
    times = (animated - idle, still - idle, idle, loop - idle)
    return (*(f"{1e3 * each:.1f}" for each in times), f"{shifted:.4f}")


def find_renderer(page: Page) -> int:
    """Return the number of the process that runs the page: the one that a busy page keeps busy."""
    browser = page.context.browser
    assert browser is not None
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [each["id"] for each in found if each["type"] == "renderer"]
    before = {each: read_time(each) for each in renderers}
    page.evaluate("() => { let sum = 0; for (let i = 0; i < 3e8; i++) sum += i % 7; return sum; }")
    busiest: int = max(renderers, key=lambda each: read_time(each) - before[each])
    return busiest


def read_time(process: int) -> float:
    """Return the CPU time of the main thread of a process, in seconds."""
    nanoseconds, *_ = Path(f"/proc/{process}/task/{process}/schedstat").read_text().split()
    return 1e-9 * int(nanoseconds)


if __name__ == "__main__":
    main()
