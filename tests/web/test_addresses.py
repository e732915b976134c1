"""Every address of every kind of site in Chromium: a page, or one sentence about what there is not."""

from __future__ import annotations

import pytest

from tests.support.site import serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, ConsoleMessage, expect  # noqa: E402

from docs.diagrams.gallery_sites import SITES  # noqa: E402
from quoridor_net.web import serving  # noqa: E402
from tests.support.chromium import new_window  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

NO_TOURNAMENT = "This site shows no tournament."
NO_GAME = "This game does not exist."
NO_PAGE = "This page does not exist."

ONLY_TOURNAMENTS = ("projector", "signup", "signup/unknown", "entrants/1", "entrants/99", "entrants/abc")

#: A site of each kind.
KINDS = {
    "watch": "live",
    "a seat": "seat",
    "own games": "own",
    "games that are analysed": "played",
    "replay": "replay",
    "analysis": "analysis",
    "tournament": "finished",
    "sign-up": "sign-up",
    "league": "league",
}
TOURNAMENTS = ("finished", "sign-up", "league")

_POSITION = "d4%20%2F%20a2%20%2F%20e4%20e6%20%2F%209%209%20%2F%202"

#: Addresses that every site has, and nonsense.
EVERYWHERE = (
    *("", "nowhere", "league", "replay"),
    *("learn", "learn/3", "learn/99", "learn/abc", "puzzles", "puzzles/3", "puzzles/99", "puzzles/-1"),
    *(f"position/{_POSITION}", f"position/{_POSITION}/classroom", f"position/{_POSITION}/abc"),
    *("position/broken", "position/%E0%A4%A"),
    *("games/1", "games/1/0", "games/1/999999", "games/1/abc"),
    *("seat/1-unknown", "seat/abc", "join/1-unknown", "join/abc"),
)
NO_GAMES = ("games/99", "games/99/3", "games/abc", "games/-1", "games/1e3", f"games/{10**30}")

#: Marks the present page, so that the next one is waited for, and goes to its address.
_OPEN = """address => {
    document.querySelector("main").firstElementChild.setAttribute("data-old", "");
    location.hash = `#/${address}`;
}"""

#: Every question to the browser takes several milliseconds, so these are asked at once.
_LOOK = """() => ({
    title: document.title,
    text: document.querySelector("main").textContent,
    fits: document.documentElement.scrollWidth <= innerWidth,
})"""

#: The browser's own errors about a missing game and a wrong lecturer's link.
_REFUSED = ("status of 404", "response code: 404", "status of 403")


def expected(site: str, address: str) -> str | None:
    """Return the sentence of the page if there is nothing at ``address``."""
    if address in NO_GAMES:
        return NO_GAME
    if address in ONLY_TOURNAMENTS and site not in TOURNAMENTS:
        return NO_TOURNAMENT
    if address in ("nowhere", "league", "entrants/abc"):
        return NO_PAGE
    if address == "entrants/99" or (address == "entrants/1" and site != "league"):
        return "No entrant has this number."
    if address == "seat/abc" or (address.startswith("join/") and site not in ("own", "played", "new")):
        return "This link does not lead to a game on this site."
    if address.startswith("signup") and site == "finished":
        return "This tournament has no sign-up."
    return None


@pytest.mark.parametrize("kind", KINDS)
def test_every_address_has_a_page_or_a_sentence(
    browser: Browser, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine, all these pages take more than the share of the time that a browser gets.
    monkeypatch.setattr(serving, "ASKING_SHARE", 1.0)
    name = KINDS[kind]
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(known in message.text for known in _REFUSED):
            errors.append(message.text)

    with serve_site(SITES[name]) as site:
        context = new_window(browser)
        context.on("console", note)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        page = context.new_page()
        page.goto(site.url)
        main = page.locator("main")
        expect(main.locator("> *")).to_have_count(1)
        for address in (*EVERYWHERE, *NO_GAMES, *ONLY_TOURNAMENTS):
            page.evaluate(_OPEN, address)
            if address != "":
                expect(main.locator("> [data-old]"), address).to_have_count(0)
            sentence = expected(name, address)
            if sentence is not None:
                expect(main, address).to_contain_text(sentence)
                expect(page.locator("a[href='#/']").last, address).to_be_visible()
            else:
                if address == "":
                    expect(main.locator("> *"), address).to_be_visible()
                expect(main, address).not_to_have_text("")
            found = page.evaluate(_LOOK)
            if "Connection lost" in found["text"]:
                # It may be connecting again.
                expect(main.get_by_text("Connection lost"), address).to_have_count(0)
            assert found["title"], address
            assert not {"undefined", "null", "NaN"} & set(found["title"].split()), address
            assert found["fits"], address
        context.close()
    assert errors == []
