"""Takes pictures of all web pages in light and dark, on small, medium and large screens: ``make gallery``.

They are written to ``docs/_build/gallery``, with a page that shows them side by side. Arguments of
``python -m docs.diagrams.gallery`` select the pictures whose names start with one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from html import escape
from typing import Literal

from attrs import evolve, frozen
from playwright.sync_api import Browser, Page

from docs.diagrams.gallery_league import AWAY, FAULTY, LEFT, USUAL
from docs.diagrams.gallery_sites import BROKEN, LECTURER, ROOT, SEAT, SITES, WAITING_SEAT, report
from tests.support.chromium import new_window, start_chromium
from tests.support.site import serve_site

FOLDER = ROOT / "_build" / "gallery"

#: Width and height of the screens: a phone, upright and turned, a laptop, a projector.
SCREENS = {"phone": (390, 844), "turned-phone": (844, 390), "laptop": (1280, 800), "projector": (1920, 1080)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

#: Signs up a team without the form.
_SIGN_UP = """team => fetch("signup", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(team)
})"""

#: Time for a page to settle, in milliseconds.
REST = 400


@frozen
class Picture:
    """One page of the gallery.

    Attributes:
        name: of the file.
        site: the name of the site that has the page.
        address: its fragment.
        prepare: the actions on the page before the picture is taken.
        locale: language and country of the reader.
    """

    name: str
    site: str
    address: str = ""
    prepare: Callable[[Page], object] = lambda _page: None
    locale: str = "en-GB"


def main(beginnings: Sequence[str]) -> None:
    """Take the pictures whose names begin with one of ``beginnings``; all if there are none."""
    pictures = [picture for picture in PICTURES if picture.name.startswith(tuple(beginnings) or "")]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        wanted = {picture.site for picture in pictures}
        sites = {
            name: stack.enter_context(serve_site(make)).url for name, make in SITES.items() if name in wanted
        }
        if "report" in wanted:
            sites["report"] = report()
        browser = stack.enter_context(start_chromium())
        taken = [name for picture in pictures for name in take(browser, picture, sites[picture.site])]
    shown = "".join(
        f'<figure><img src="{escape(name)}" alt=""><figcaption>{escape(name)}</figcaption></figure>'
        for name in taken
    )
    style = "body{font:16px sans-serif}img{max-width:100%;border:1px solid #888}"
    (FOLDER / "index.html").write_text(f"<!doctype html><style>{style}</style>{shown}", encoding="utf-8")
    print(f"{len(taken)} pictures are in {FOLDER}.")


def take(browser: Browser, picture: Picture, url: str) -> Iterator[str]:
    """Take ``picture`` on all screens, and yield the names of the files."""
    for screen, (width, height) in SCREENS.items():
        context = new_window(
            browser,
            viewport={"width": width, "height": height},
            locale=picture.locale,
            has_touch=screen.endswith("phone"),
        )
        page = context.new_page()
        visit(page, picture, url)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            name = f"{picture.name}-{screen}-{scheme}.png"
            page.screenshot(path=FOLDER / name, full_page=screen == "phone")
            yield name
        # A friend has one, too, and a site serves few browsers.
        for each in browser.contexts:
            each.close()


def visit(page: Page, picture: Picture, url: str) -> None:
    """Open the page of a picture, and act on it."""
    page.goto(url + picture.address)
    page.wait_for_selector("main > *")
    page.wait_for_timeout(REST)
    picture.prepare(page)
    page.wait_for_timeout(REST)


# Actions on a page.


def press_keys(page: Page, *names: str) -> None:
    """Press keys one after another."""
    for name in names:
        page.keyboard.press(name)


def draft_by_keyboard(page: Page) -> None:
    """Draft a wall with the keyboard."""
    page.locator(".board-surface").focus()
    press_keys(page, "ArrowUp", "v")


def point_at(page: Page, across: float, down: float) -> None:
    """Point at a place of the board, in parts of its side; tap there on a phone."""
    page.mouse.move(*place_of(page, across, down))


def place_of(page: Page, across: float, down: float) -> tuple[float, float]:
    """Return a place of the board on the screen."""
    box = page.locator(".board-drawing").bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def open_settings(page: Page) -> None:
    """Open the settings."""
    page.locator(".open-settings").click()


def set_up(page: Page, *names: str) -> None:
    """Choose settings by their values."""
    open_settings(page)
    for name in names:
        page.locator(f"dialog input[{name}]").check()
    page.keyboard.press("Escape")


def resign(page: Page) -> None:
    """Ask to resign."""
    page.locator(".phases > :first-child > button").last.click()


def finish(page: Page) -> None:
    """Resign."""
    resign(page)
    page.locator("dialog .danger").click()


def lose(page: Page) -> None:
    """Start a game against the engine, and resign."""
    page.locator("button[type=submit]").click()
    page.locator(".board-surface.interactive").wait_for()
    finish(page)


def show_answer(page: Page) -> None:
    """Show the answer of a puzzle."""
    page.locator("main .actions button").first.click()


def plan(page: Page) -> None:
    """Plan a wall during the other player's turn."""
    page.mouse.click(*place_of(page, 0.555, 0.74))


def confirm(page: Page) -> None:
    """Make a wall that waits for confirmation."""
    set_up(page, "name=confirm")
    page.mouse.click(*place_of(page, 0.555, 0.74))


def invite(page: Page) -> None:
    """Invite a friend."""
    page.locator("input[value=friend]").check(force=True)
    page.locator("input[value=first]").check(force=True)
    page.locator("button[type=submit]").click()
    page.locator(".pair-link input").first.wait_for()


def meet(page: Page) -> Page:
    """Invite a friend who comes, and wait for the first turn; return the friend's page."""
    invite(page)
    browser = page.context.browser
    assert browser is not None
    friend = new_window(browser, viewport={"width": 1280, "height": 800}).new_page()
    friend.goto(page.locator(".pair-link input").first.input_value())
    page.locator(".board-surface.interactive").wait_for()
    return friend


def be_guest(page: Page) -> None:
    """Come to the game of a friend, who makes the first move."""
    browser = page.context.browser
    assert browser is not None
    host = new_window(browser, viewport={"width": 1280, "height": 800}).new_page()
    host.goto(page.url)
    invite(host)
    page.goto(host.locator(".pair-link input").first.input_value())
    host.locator(".board-surface.interactive").wait_for()
    host.mouse.click(*place_of(host, 0.5, 0.83))
    page.locator(".board-surface.interactive").wait_for()


def be_asked(page: Page) -> None:
    """Be asked for a takeback by the friend, who has left."""
    friend = meet(page)
    page.mouse.click(*place_of(page, 0.5, 0.83))
    friend.locator(".board-surface.interactive").wait_for()
    friend.mouse.click(*place_of(friend, 0.5, 0.83))
    friend.get_by_role("button", name="Take back").click()
    friend.goto("about:blank")


def end_with_friend(page: Page) -> None:
    """Resign against a friend."""
    meet(page)
    finish(page)


def learn_from_mistakes(page: Page) -> None:
    """Begin with the first mistake of an analysis."""
    page.locator(".lessons button").first.click()


def drop(page: Page) -> None:
    """Open a file."""
    page.locator("#replay-file").set_input_files(ROOT / "pictures" / "game.qtp")
    page.locator(".ply").first.wait_for()


def wait_for_games(page: Page, boards: int = 4) -> None:
    """Wait until games stand still on the boards of a tournament."""
    page.locator(".running-game").nth(boards - 1).wait_for()
    page.wait_for_timeout(1500)


def turn_to(page: Page, heading: str) -> None:
    """Turn the pages of a projector until the one with ``heading`` is shown."""
    page.get_by_role("button", name="Stay on this page").click()
    wanted = page.get_by_role("heading", name=heading)
    while not wanted.is_visible():
        page.get_by_role("button", name="Next page").click()
        page.wait_for_timeout(REST)


def open_lines(page: Page) -> None:
    """Show the last lines of the lost games of an entrant."""
    for lines in page.locator("details").all():
        lines.click()


def sign_up(page: Page, name: str = "new:comer", host: str = "192.168.1.31") -> None:
    """Sign up a team, another one for each width of the screen, and wait for the answer."""
    assert page.viewport_size is not None
    width = page.viewport_size["width"]
    page.locator("input[name=name]").fill(f"{name}_{width}")
    page.locator("input[name=address]").fill(f"{host}:{width}")
    page.locator("button[type=submit]").click()
    page.locator(".signup-answer:is(.good, .failure)").wait_for()


def gather(page: Page) -> None:
    """Sign up some teams."""
    for number, name in enumerate(("red", "blue", "the_team_of_the_last_row"), 21):
        page.evaluate(_SIGN_UP, {"name": name, "address": f"192.168.1.{number}:5858"})
    page.locator(".teams li").nth(6).wait_for()


_BOARD = "d4f7h7%20%2F%20a2a8%20%2F%20e4%20e6%20%2F%207%208%20%2F%202"
_SEAT = f"#/seat/{SEAT.token}"

PICTURES = [
    Picture("watch-waiting", "waiting"),
    Picture("watch", "live"),
    Picture("watch-paths", "live", prepare=lambda page: press_keys(page, "p")),
    Picture("watch-large", "live", prepare=lambda page: set_up(page, "name=large")),
    Picture("watch-over", "over"),
    Picture("watch-fault", "fault"),
    Picture("watch-four", "four"),
    Picture("watch-missing", "own", "#/games/99"),
    Picture("play-new", "new"),
    Picture("play-more", "new", prepare=lambda page: page.locator("summary").click()),
    Picture("play-turn", "seat", _SEAT, lambda page: point_at(page, 0.555, 0.74)),
    Picture("play-illegal", "seat", _SEAT, lambda page: point_at(page, 0.42, 0.32)),
    Picture("play-keyboard", "seat", _SEAT, draft_by_keyboard),
    Picture("play-confirm", "seat", _SEAT, confirm),
    Picture("play-planned", "waiting-seat", f"#/seat/{WAITING_SEAT.token}", plan),
    Picture("play-resign", "seat", _SEAT, resign),
    Picture("play-over", "own", prepare=lose),
    Picture("play-analysis", "played", "#/games/1"),
    Picture("play-no-seat", "seat", "#/seat/1-unknown"),
    Picture("friend-invitation", "own", prepare=invite),
    Picture("friend-turn", "own", prepare=meet),
    Picture("friend-guest", "own", prepare=be_guest),
    Picture("friend-offer", "own", prepare=be_asked),
    Picture("friend-over", "own", prepare=end_with_friend),
    Picture("friend-expired", "own", "#/join/1-unknown"),
    Picture("replay", "replay", prepare=lambda page: press_keys(page, *["ArrowRight"] * 20)),
    Picture("replay-open", "replay", "#/replay"),
    Picture("replay-dropped", "replay", "#/replay", drop),
    Picture("replay-link", "replay", prepare=lambda page: page.locator(".controls button").last.click()),
    Picture("position", "analysis", f"#/position/{_BOARD}"),
    Picture("position-broken", "analysis", "#/position/broken"),
    Picture("analysis", "analysis", prepare=lambda page: press_keys(page, *["ArrowRight"] * 24)),
    Picture("analysis-lesson", "analysis", prepare=learn_from_mistakes),
    *(Picture(f"learn-{number}", "new", f"#/learn/{number}") for number in range(1, 6)),
    Picture("puzzle", "new", "#/puzzles"),
    Picture(
        "puzzle-answer", "new", "#/puzzles/2", lambda page: page.locator(".exercise button").first.click()
    ),
    Picture("tournament", "tournament", prepare=wait_for_games),
    Picture("tournament-game", "tournament", "#/games/3"),
    Picture("tournament-no-game", "tournament", "#/games/99"),
    Picture("no-tournament", "own", "#/projector"),
    Picture("tournament-no-page", "tournament", "#/nowhere"),
    Picture("swiss", "swiss", prepare=partial(wait_for_games, boards=2)),
    Picture("knockout", "knockout", prepare=partial(wait_for_games, boards=2)),
    Picture("four-player", "four-player", prepare=partial(wait_for_games, boards=2)),
    Picture("projector", "tournament", "#/projector", prepare=wait_for_games),
    *(
        Picture(f"projector-{name}", site, "#/projector", partial(turn_to, heading=heading))
        for name, site, heading in (
            ("standings", "tournament", "Standings"),
            ("crosstable", "tournament", "Crosstable"),
            ("next", "tournament", "Next games"),
            ("last", "tournament", "Last results"),
            ("strength", "tournament", "Strength"),
            ("swiss", "swiss", "Standings"),
            ("four-player", "four-player", "Running games"),
            ("closing", "finished", "Final table"),
            ("league", "league", "Leaderboard"),
            ("league-games", "league", "Running games"),
        )
    ),
    Picture("projector-sign-up", "sign-up", "#/projector"),
    Picture("league", "league", prepare=lambda page: page.locator(".leaderboard").wait_for()),
    Picture("league-entrant", "league", f"#/entrants/{USUAL}"),
    Picture("league-away", "league", f"#/entrants/{AWAY}"),
    Picture("league-left", "league", f"#/entrants/{LEFT}"),
    Picture("league-faults", "league", f"#/entrants/{FAULTY}", open_lines),
    Picture("league-no-entrant", "league", "#/entrants/99"),
    Picture("league-sign-up", "league", "#/signup"),
    Picture("sign-up", "sign-up", "#/signup"),
    Picture("sign-up-done", "sign-up", "#/signup", sign_up),
    Picture("sign-up-refused", "sign-up", "#/signup", partial(sign_up, name="late:comer", host=BROKEN)),
    Picture("sign-up-closed", "sign-up-closed", "#/signup"),
    Picture("sign-up-lecturer", "sign-up", f"#/signup/{LECTURER}", gather),
    Picture("sign-up-no-lecturer", "sign-up", "#/signup/unknown"),
    Picture("report", "report"),
    Picture("settings", "live", prepare=open_settings),
]

#: The pages with the longest texts.
_IN_GERMAN = [
    *("watch-over", "watch-fault", "play-new", "play-more", "play-turn", "play-resign", "friend-invitation"),
    *("friend-offer", "friend-over", "play-confirm", "tournament", "league", "sign-up", "no-tournament"),
    *("replay-open", "position-broken", "analysis", "analysis-lesson", "learn-3", "puzzle", "settings"),
]

PICTURES += [
    evolve(picture, name=f"german-{picture.name}", locale="de-DE")
    for picture in PICTURES
    if picture.name in _IN_GERMAN
]


if __name__ == "__main__":
    main(sys.argv[1:])
