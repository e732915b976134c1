"""Size of the web pages, and delay of a move: ``python -m benchmarks.web_pages``.

Prints two tables: bytes and elements of each page, and milliseconds from the message of a move to the frame
that shows it. Needs Chromium.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator, Sequence

import trio
from playwright.sync_api import Browser, Page, Response

from benchmarks.table import print_table
from quoridor_net.match import Event
from quoridor_net.rules import Move, Position
from quoridor_net.web.application import Site
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from tests.support.chromium import start_chromium
from tests.support.installed_chromium import MISSING
from tests.support.site import ServedSite, events_of, serve_site

#: Number of moves to measure.
MOVES = 100

#: Records the time from a message to the end of the next frame: a task posted by the callback of a frame runs
#: after that frame.
WATCH = """
window.shown = [];
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  addEventListener(kind, listener) {
    if (kind !== "message") return super.addEventListener(kind, listener);
    super.addEventListener(kind, (event) => {
      const came = performance.now();
      listener(event);
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.shown.push(performance.now() - came);
        channel.port2.postMessage(0);
      });
    });
  }
};
"""


def main() -> None:
    """Print the tables."""
    if MISSING:
        raise SystemExit(MISSING)
    events = random_game()
    live = LiveGame()

    def make(_nursery: trio.Nursery) -> Site:
        return Site("watch", "Quoridor", LiveGames({1: live}))

    with serve_site(make) as site, start_chromium() as browser:
        site.tell(live, events[:1])
        print_table(
            "Loading a page",
            ("page", "requests", "kB sent", "kB unpacked", "elements", "ms to content"),
            [weight(browser, name, site.url + address) for name, address in PAGES.items()],
        )
        times = sorted(delays(browser, site, live, events[1:]))
        sizes = sorted(len(text) for text in messages(live))
        print_table(
            "A move",
            ("", "median", "90 %", "maximum"),
            [
                ("ms from message to frame", *(f"{each:.1f}" for each in spread(times))),
                ("bytes of a message", *(f"{each:.0f}" for each in spread(sizes))),
            ],
        )


PAGES = {"game": "", "recorded game": "#/replay"}


def random_game() -> list[Event]:
    """Return the events of a game with random moves."""
    chance = random.Random(7)
    position = Position()
    moves: list[Move] = []
    while len(moves) < MOVES and position.turn is not None:
        walls = position.legal_walls
        move = (
            chance.choice(walls) if walls and chance.random() < 0.3 else chance.choice(position.legal_steps)
        )
        moves.append(move)
        position.push(move)
    return events_of(moves, Position(), ("ann:bot", "bob:bot"))


def weight(browser: Browser, name: str, url: str) -> Sequence[str]:
    """Load a page; return its row of the table."""
    page = browser.new_page()
    sent: list[int] = []
    unpacked: list[int] = []

    def note(response: Response) -> None:
        sizes = response.request.sizes()
        sent.append(sizes["responseBodySize"] + sizes["responseHeadersSize"])
        unpacked.append(len(response.body()))

    answers: list[Response] = []

    # playwright sets an attribute on this function, so a method such as list.append does not do.
    def keep(answer: Response) -> None:
        answers.append(answer)

    page.on("response", keep)
    page.goto(url)
    page.wait_for_selector("main > *")
    for answer in answers:
        note(answer)
    elements = page.evaluate("document.querySelectorAll('*').length")
    drawn = page.evaluate("performance.getEntriesByType('paint').at(-1)?.startTime ?? 0")
    page.close()
    return (
        name,
        str(len(sent)),
        f"{sum(sent) / 1e3:.0f}",
        f"{sum(unpacked) / 1e3:.0f}",
        str(elements),
        f"{drawn:.0f}",
    )


def delays(browser: Browser, site: ServedSite, live: LiveGame, events: Sequence[Event]) -> Iterator[float]:
    """Yield the milliseconds from each message to the frame that shows it."""
    page: Page = browser.new_page()
    page.add_init_script(WATCH)
    page.goto(site.url)
    page.wait_for_selector("main > *")
    for event in events:
        before = page.evaluate("window.shown.length")
        site.tell(live, [event])
        page.wait_for_function("count => window.shown.length > count", arg=before)
    yield from page.evaluate("window.shown")
    page.close()


def messages(live: LiveGame) -> Iterator[str]:
    """Yield each event of the game as sent to browsers."""
    document = live.document().removeprefix('{"events":[').removesuffix("]}")
    for part in document.split("},{"):
        yield f"{{{part}}}"


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 90 % quantile and the largest of sorted values."""
    return statistics.median(values), values[int(0.9 * (len(values) - 1))], values[-1]


if __name__ == "__main__":
    main()
