"""Takes pictures of all web pages in light and dark, on small, medium and large screens: ``make gallery``.

They are written to ``docs/_build/gallery``, with a page that shows them side by side. Arguments of
``python -m docs.diagrams.gallery`` select the pictures whose names start with one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from html import escape

from attrs import frozen
from playwright.sync_api import Browser, Page

from docs.diagrams.gallery_sites import ROOT, SEAT, SITES, report
from tests.support.chromium import start_chromium
from tests.support.site import serve_site

FOLDER = ROOT / "_build" / "gallery"

#: Width and height of the screens: a phone, upright and turned, a laptop, a projector.
SCREENS = {"phone": (390, 844), "turned-phone": (844, 390), "laptop": (1280, 800), "projector": (1920, 1080)}
SCHEMES = ("light", "dark")

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
    """

    name: str
    site: str
    address: str = ""
    prepare: Callable[[Page], object] = lambda _page: None


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
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                reduced_motion="reduce",
                locale="en-GB",
                has_touch=screen.endswith("phone"),
            )
            page = context.new_page()
            page.goto(url + picture.address)
            page.wait_for_selector("main > *")
            page.wait_for_timeout(REST)
            picture.prepare(page)
            page.wait_for_timeout(REST)
            name = f"{picture.name}-{screen}-{scheme}.png"
            page.screenshot(path=FOLDER / name, full_page=screen == "phone")
            context.close()
            yield name


# Actions on a page.


def press_keys(page: Page, *names: str) -> None:
    """Press keys one after another."""
    for name in names:
        page.keyboard.press(name)


def point_at(page: Page, across: float, down: float) -> None:
    """Point at a place of the board, in parts of its side; tap there on a phone."""
    box = page.locator(".board-drawing").bounding_box()
    assert box is not None
    x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
    page.mouse.move(x, y)


def open_settings(page: Page) -> None:
    """Open the settings."""
    page.get_by_role("button", name="Settings").click()


def choose_large_type(page: Page) -> None:
    """Choose large type."""
    open_settings(page)
    page.get_by_role("checkbox", name="Large type").check()
    page.keyboard.press("Escape")


def choose_german(page: Page) -> None:
    """Choose German and another notation."""
    open_settings(page)
    page.get_by_role("radio", name="2016").check()
    page.get_by_role("radio", name="Deutsch").check()
    page.keyboard.press("Escape")


def refuse(page: Page) -> None:
    """Ask to resign."""
    page.get_by_role("button", name="Resign").click()


def wait_for_games(page: Page) -> None:
    """Wait until games stand still on the boards of a tournament."""
    page.locator(".running-game").nth(3).wait_for()
    page.wait_for_timeout(1500)


PICTURES = [
    Picture("watch-waiting", "waiting"),
    Picture("watch", "live"),
    Picture("watch-paths", "live", prepare=lambda page: press_keys(page, "p")),
    Picture("watch-large", "live", prepare=choose_large_type),
    Picture("watch-over", "over"),
    Picture("watch-fault", "fault"),
    Picture("watch-four", "four"),
    Picture("play-new", "new"),
    Picture("play-more", "new", prepare=lambda page: page.locator("summary").click()),
    Picture("play-turn", "seat", f"#/seat/{SEAT.token}", prepare=lambda page: point_at(page, 0.555, 0.74)),
    Picture("play-illegal", "seat", f"#/seat/{SEAT.token}", prepare=lambda page: point_at(page, 0.42, 0.32)),
    Picture(
        "play-keyboard",
        "seat",
        f"#/seat/{SEAT.token}",
        prepare=lambda page: (page.locator(".board-surface").focus(), press_keys(page, "ArrowUp", "v")),
    ),
    Picture("play-resign", "seat", f"#/seat/{SEAT.token}", prepare=refuse),
    Picture("replay", "replay", prepare=lambda page: press_keys(page, *["ArrowRight"] * 20)),
    Picture("replay-open", "replay", "#/replay"),
    Picture("position", "analysis", "#/position/d4f7h7%20%2F%20a2a8%20%2F%20e4%20e6%20%2F%207%208%20%2F%202"),
    Picture("analysis", "analysis", prepare=lambda page: press_keys(page, *["ArrowRight"] * 24)),
    Picture("tournament", "tournament", prepare=wait_for_games),
    Picture("projector", "tournament", "#/projector", prepare=wait_for_games),
    Picture("sign-up", "sign-up", "#/signup"),
    Picture("projector-sign-up", "sign-up", "#/projector"),
    Picture("report", "report"),
    Picture("settings", "live", prepare=open_settings),
    Picture("german", "over", prepare=choose_german),
]


if __name__ == "__main__":
    main(sys.argv[1:])
