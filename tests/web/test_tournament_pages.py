"""Tournaments in a real browser: tables, projector, sign-up and report."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from quoridor_net.events import GameEnded, GameStarted, MatchListener
from quoridor_net.match import MatchSettings, play_match
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.players.spec import parse_spec
from quoridor_net.replay import Replay, Setting
from quoridor_net.rules import Position
from quoridor_net.tournament.events import GameEvent, RoundPaired, TournamentStarted
from quoridor_net.tournament.journal import Journal, read_journal
from quoridor_net.tournament.quoridor.plan import RULES, Plan, format_of
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.results import Results, rate_entrants
from quoridor_net.tournament.runner import Tournament
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.state import TournamentState
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.application import Site
from quoridor_net.web.notebook import GameFrame
from quoridor_net.web.refusals import RefusalPhrase, RefusedError
from quoridor_net.web.report import html_report
from quoridor_net.web.signup import Gathering
from quoridor_net.web.sites import tournament as site_of
from quoridor_net.web.tournament import TournamentFeed
from tests.support.site import ServedSite, serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, WebSocketRoute, expect  # noqa: E402

from docs.diagrams.gallery import PICTURES, visit  # noqa: E402
from docs.diagrams.gallery_sites import SITES  # noqa: E402
from tests.support.chromium import AXE, faults, new_window, open_window, stop_clock  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

HOSTILE = "<img/src=x/onerror=alert(1)>"
NAMES = ("ann", "bob", HOSTILE)
PLAN = Plan(games=2, terms=GameTerms(size=5, walls=2))


class Played:
    """A tournament of three simple players whose games wait before the third ply for permission."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state = TournamentState()
        self.view = TournamentFeed(self.state, path, "Class 4b", "round-robin")
        self.go_on = trio.Event()

    def site(self, nursery: trio.Nursery) -> Site:
        """Start the tournament and return its site."""
        nursery.start_soon(self._run)
        return site_of(self.view)

    async def _run(self) -> None:
        with Journal.create(self.path) as journal:
            start = TournamentStarted(RULES, NAMES, PLAN.settings(), ("simple",) * len(NAMES))
            listeners, form = [self.view], PLAN.format
            await Tournament(
                start, form, self._play, listeners, state=self.state, record=journal, concurrency=1
            ).run()

    async def _play(self, pairing: Pairing, listener: MatchListener[Any, Any]) -> Result:
        players = [_Waiting(pairing.number + 100 * seat, self.go_on) for seat in range(2)]
        for player, entrant in zip(players, pairing.seats, strict=True):
            player.name = NAMES[entrant - 1]
        return await play_match(players, MatchSettings(PLAN.terms.position(pairing)), [listener])


class _Waiting(SimplePlayer):
    """A simple player that waits with its second move."""

    def __init__(self, seed: int, go_on: trio.Event) -> None:
        super().__init__(seed)
        self._go_on = go_on
        self._asked = 0

    async def choose(self, position: Any, clock: Any) -> Any:
        """Return the simple player's move."""
        self._asked += 1
        if self._asked > 1:
            await self._go_on.wait()
        return await super().choose(position, clock)


def test_a_tournament_is_watched_and_its_games_are_replayed(context: BrowserContext, tmp_path: Path) -> None:
    played = Played(tmp_path / "t.db")
    with serve_site(played.site) as site:
        page = context.new_page()
        page.goto(site.url)
        expect(page.get_by_role("heading", level=1)).to_have_text("Class 4b")
        running = page.locator(".running-game")
        expect(running).to_contain_text("move 2")
        expect(page.locator(".games tr.running")).to_have_count(1)
        # Its plies are counted at its board only.
        expect(page.locator(".games tr.running .of-plies")).to_have_text("")
        expect(page.locator(".games tr.planned")).to_have_count(5)
        # Nobody leads before a game has ended.
        expect(page.locator(".of-standings tbody tr")).to_have_count(3)
        expect(page.locator(".leads")).to_have_count(0)
        running.click()
        expect(page.locator(".ply")).to_have_count(2)
        page.go_back()
        site.call(played.go_on.set)
        expect(page.locator(".progress-facts")).to_have_text("6 of 6 gamesfinished")
        expect(running).to_have_count(0)
        expect(page.locator(".of-standings tbody tr")).to_have_count(3)
        expect(page.locator(".crosstable tbody tr")).to_have_count(3)
        # Markup in a name is shown as text.
        expect(page.locator(".of-standings").get_by_text(HOSTILE, exact=True)).to_be_visible()
        page.locator(".games a").first.click()
        expect(page.locator(".verdict.ended")).to_contain_text("wins")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".ply[aria-current]")).to_have_count(1)


def test_earlier_games_leave_no_hole_in_the_list(context: BrowserContext) -> None:
    state = TournamentState()
    state.apply(TournamentStarted(RULES, ("ann", "bob"), PLAN.settings(), ("simple", "simple")))
    numbers = range(1, 501)
    state.apply(RoundPaired(1, tuple(Pairing(number, 1, (1, 2)) for number in numbers)))
    ended = GameEnded(Result(1, Termination.GOAL, "", 9), ("ann", "bob"), Position(5))
    for number in numbers:
        state.apply(GameEvent(number, ended))
    view = TournamentFeed(state, Path("none.db"), "Class 4b", "round-robin")
    with serve_site(lambda _: site_of(view)) as site:
        page = context.new_page()
        page.goto(site.url)
        shown = page.locator("td.of-number")
        for first in (301, 101, 1):
            expect(shown).to_have_count(501 - first)
            assert shown.all_text_contents() == [str(number) for number in range(first, 501)]
            if first > 1:
                page.get_by_role("button", name="Earlier games").press("Enter")
        # The focus does not get lost with the button.
        assert page.evaluate("document.activeElement.tagName") != "BODY"


def test_the_projector_turns_its_pages(context: BrowserContext, tmp_path: Path) -> None:
    played = Played(tmp_path / "t.db")
    with serve_site(played.site) as site:
        page = context.new_page()
        stop_clock(page)
        page.goto(f"{site.url}#/projector")
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_have_text("Class 4b · Running games")
        page.clock.run_for(13_000)
        expect(heading).to_have_text("Class 4b · Standings")
        page.get_by_role("button", name="Stay on this page").click()
        page.clock.run_for(30_000)
        expect(heading).to_have_text("Class 4b · Standings")
        page.get_by_role("button", name="Next page").click()
        # Depends on whether the ratings are there already.
        expect(heading).to_have_text(re.compile("Class 4b · (Strength|Next games)"))
        page.get_by_role("button", name="Previous page").click()
        expect(heading).to_have_text("Class 4b · Standings")
        # By that clock the server answered too late, so the page connects again as soon as the clock runs.
        page.clock.resume()
        site.call(played.go_on.set)
        # The end shows the winner first.
        expect(heading).to_have_text("Class 4b · Final table")
        expect(page.locator(".closing-winner")).to_contain_text("with")
        expect(page.locator(".closing tbody tr")).to_have_count(3)


def test_the_projector_stays_at_its_page_when_another_one_comes_before_it(context: BrowserContext) -> None:
    state = TournamentState()
    view = TournamentFeed(state, Path("none.db"), "Class 4b", "round-robin")
    state.apply(TournamentStarted(RULES, ("ann", "bob"), PLAN.settings(), ("simple", "simple")))
    state.apply(RoundPaired(1, (Pairing(1, 1, (1, 2)), Pairing(2, 1, (2, 1)))))

    def begin_a_game() -> None:
        started = GameEvent(1, GameStarted(("ann", "bob"), Position(5), 5.0, 100))
        state.apply(started)
        view(started)

    with serve_site(lambda _: site_of(view)) as site:
        page = context.new_page()
        page.goto(f"{site.url}#/projector")
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_have_text("Class 4b · Standings")
        page.get_by_role("button", name="Stay on this page").click()
        pages = page.locator(".projector-dots i")
        expect(pages).to_have_count(2)
        site.call(begin_a_game)
        expect(pages).to_have_count(3)
        expect(heading).to_have_text("Class 4b · Standings")
        page.get_by_role("button", name="Previous page").click()
        expect(heading).to_have_text("Class 4b · Running games")


@pytest.mark.parametrize(("width", "height"), [(844, 390), (1280, 800), (1920, 1080)])
def test_a_projector_cuts_off_no_column(browser: Browser, width: int, height: int) -> None:
    picture = next(each for each in PICTURES if each.name == "projector-swiss")
    with (
        open_window(browser, reduced_motion="reduce", viewport={"width": width, "height": height}) as context,
        serve_site(SITES[picture.site]) as site,
    ):
        page = context.new_page()
        visit(page, picture, site.url)
        expect(page.locator(".of-standings tbody tr")).not_to_have_count(0)
        leaf = page.locator(".projector-leaf")
        assert leaf.evaluate("leaf => leaf.scrollWidth - leaf.clientWidth") == 0


async def _try_endpoint(endpoint: Any, _has_loopback: bool) -> str:
    if endpoint.host == "broken":
        raise RefusedError(
            "server", RefusalPhrase.UNFIT(address="broken:5858", name="bad:bot", did=VerdictPhrase.RESIGNED())
        )
    return "abc:bot"


@contextmanager
def open_gathering() -> Iterator[tuple[ServedSite, Gathering]]:
    made: list[Gathering] = []

    def make(_nursery: trio.Nursery) -> Site:
        teams = Gathering(lambda _: None, [parse_spec("house=simple")], _try_endpoint)
        view = TournamentFeed(TournamentState(), Path("none.db"), "Class 4b", "swiss", teams.list_teams)
        teams.tell = lambda: view.change({"signup"})
        made.append(teams)
        return site_of(view, teams)

    with serve_site(make) as site:
        yield site, made[0]


def test_teams_sign_up_and_the_lecturer_starts_the_tournament(browser: Browser) -> None:
    with open_gathering() as (site, teams), open_window(browser) as class_room, open_window(browser) as desk:
        page = class_room.new_page()
        page.goto(f"{site.url}#/signup")
        sign_up = page.get_by_role("button", name="Sign up", exact=True)
        page.get_by_label("Name of your team").fill("red")
        page.get_by_label("Address of your move server").fill("laptop7:5858")
        sign_up.click()
        expect(page.locator(".signup-answer")).to_have_text(
            "red has signed up. The server answered and made a move."
        )
        expect(page.locator(".teams li", has_text="red")).to_contain_text("waiting for confirmation")
        expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
        page.get_by_label("Name of your team").fill("blue")
        page.get_by_label("Address of your move server").fill("laptop8:5858")
        sign_up.click()
        expect(page.locator(".teams li", has_text="blue")).to_contain_text("waiting for confirmation")

        lecturer = desk.new_page()
        lecturer.goto(f"{site.url}#/signup/{teams.token}")
        expect(lecturer.locator(".teams li", has_text="red")).to_contain_text("laptop7:5858")
        expect(lecturer.get_by_role("button", name="Remove house")).to_have_count(0)
        expect(lecturer.get_by_role("button", name="Confirm red")).to_be_visible()
        lecturer.get_by_role("button", name="Confirm all").click()
        for name in ("red", "blue"):
            expect(page.locator(".teams li", has_text=name)).to_contain_text("takes part")
        expect(lecturer.get_by_role("button", name="Confirm all")).to_be_hidden()
        lecturer.get_by_role("button", name="Start the tournament").click()
        lecturer.get_by_role("dialog").get_by_role("button", name="Start the tournament").click()
        expect(page.get_by_text("Sign-up is closed")).to_be_visible()
        # The header has no link to sign-up any more, even after a reload.
        expect(page.get_by_role("navigation").get_by_role("link", name="Sign up")).to_have_count(0)
        page.reload()
        expect(page.get_by_role("navigation").get_by_role("link", name="Projector")).to_be_visible()
        expect(page.get_by_role("navigation").get_by_role("link", name="Sign up")).to_have_count(0)
        field = trio.run(teams.wait)
        assert [entrant.name for entrant in field] == ["house", "red", "blue"]


def test_a_wrong_link_gives_no_lecturers_rights(browser: Browser) -> None:
    with open_gathering() as (site, teams):
        context = new_window(browser, locale="de-DE")
        page = context.new_page()
        page.goto(f"{site.url}#/signup")
        page.get_by_label("Name Ihres Teams").fill("red")
        page.get_by_label("Adresse Ihres Zugservers").fill("laptop7:5858")
        page.get_by_role("button", name="Anmelden", exact=True).click()
        expect(page.locator(".teams li", has_text="red")).to_be_visible()
        page.goto(f"{site.url}#/signup/{teams.token}x")
        expect(page.get_by_role("alert")).to_have_text("Das kann nur, wer den Link der Leitung hat.")
        expect(page.locator(".teams li", has_text="red")).to_be_visible()
        for button in ("red bestätigen", "red entfernen", "Turnier starten"):
            expect(page.get_by_role("button", name=button)).to_have_count(0)
        context.close()


def test_faults_of_a_server_are_explained_in_german(browser: Browser) -> None:
    with open_gathering() as (site, _):
        context = new_window(browser, locale="de-DE")
        page = context.new_page()
        page.goto(f"{site.url}#/signup")
        page.get_by_label("Name Ihres Teams").fill("blau")
        for address, sentence in (
            (
                "broken:5858",
                "broken:5858 hat seinen Namen genannt, bad:bot, aber der Server hat aufgegeben.",
            ),
            (
                "laptop7",
                (
                    "Diese Adresse ist ungültig: 'laptop7' ist eine Adresse ohne Port: erwartet wird"
                    " RECHNER:PORT wie in marcy:5858."
                ),
            ),
        ):
            page.get_by_label("Adresse Ihres Zugservers").fill(address)
            page.get_by_role("button", name="Anmelden", exact=True).click()
            expect(page.locator(".signup-answer.failure")).to_have_text(sentence)
        context.close()


def test_the_fault_of_a_broken_server_is_explained(browser: Browser) -> None:
    with open_gathering() as (site, teams):
        context = new_window(browser)
        page = context.new_page()
        page.goto(f"{site.url}#/signup")
        page.get_by_label("Name of your team").fill("blue")
        page.get_by_label("Address of your move server").fill("broken:5858")
        page.get_by_role("button", name="Sign up", exact=True).click()
        expect(page.locator(".signup-answer.failure")).to_have_text(
            "broken:5858 gave its name, bad:bot, but then it resigned."
        )
        assert [team["name"] for team in teams.list_teams()["teams"]] == ["house"]
        context.close()


@pytest.fixture
def report(tmp_path: Path) -> str:
    """Return the address of the report of a finished tournament."""
    played = Played(tmp_path / "t.db")
    played.go_on.set()
    trio.run(played._run)
    path = tmp_path / "report.html"
    state = read_journal(played.path)
    results = Results.of(state, format_of(state), ratings=rate_entrants(state))
    path.write_text(html_report(results, played.path, "Class 4b"), encoding="utf-8")
    return path.as_uri()


def test_a_report_needs_no_server(browser: Browser, report: str) -> None:
    with open_window(browser, offline=True, locale="de-DE") as context:
        page = context.new_page()
        page.goto(report)
        expect(page.get_by_role("heading", name="Kreuztabelle")).to_be_visible()
        expect(page.locator(".rating-plot")).to_be_visible()
        expect(page.locator(".games tbody tr")).to_have_count(6)
        # A report has no live data for a projector.
        expect(page.get_by_role("navigation")).to_have_count(0)
        page.locator(".games a").nth(3).click()
        expect(page.locator(".verdict.ended")).to_contain_text("Ziel erreicht")
        page.keyboard.press("Home")
        expect(page.locator(".ply[aria-current]")).to_have_count(0)


def test_the_ratings_fit_on_a_phone(browser: Browser, report: str) -> None:
    for width in (360, 1280):
        with open_window(browser, viewport={"width": width, "height": 740}) as context:
            page = context.new_page()
            page.goto(report)
            # One of two drawings is shown, with letters as large as the surrounding text.
            drawing = page.locator(".rating-plot").get_by_role("img")
            expect(drawing).to_have_count(1)
            box = drawing.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_phone_hides_no_column_that_explains_the_points(browser: Browser, report: str) -> None:
    with open_window(browser, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(report)
        headings = page.locator(".of-standings th.minor")
        hidden = [each for each in headings.all() if not each.is_visible()]
        assert headings.count() > 5
        assert [each.get_attribute("class") for each in hidden] == ["number minor of-played"]


def test_a_game_is_stepped_through_in_a_notebook(context: BrowserContext) -> None:
    moves = ["e2", "e8", "e3", "e7", "d4h"]
    position = Position()
    for move in moves:
        position.push_text(move)
    game = Replay(Setting.of(position.root()), tuple(position.history), (("Players", f"ann vs {HOSTILE}"),))
    page = context.new_page()
    page.set_content(f"<main>{GameFrame(game)._repr_html_()}</main>")
    frame = page.frame_locator("iframe")
    expect(frame.locator(".ply")).to_have_text(moves)
    expect(frame.get_by_text(HOSTILE, exact=True)).to_be_visible()
    frame.get_by_role("button", name="To the start").click()
    frame.get_by_role("button", name="One move forward").click()
    expect(frame.locator(".ply[aria-current]")).to_have_text("e2")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (npm ci)")
def test_axe_finds_no_fault(context: BrowserContext, tmp_path: Path, report: str) -> None:
    played = Played(tmp_path / "live.db")
    with (
        serve_site(played.site) as live,
        open_gathering() as (waiting, teams),
    ):
        page = context.new_page()
        addresses = {
            live.url: ".running-game",
            f"{live.url}#/projector": ".running-game",
            f"{waiting.url}#/signup": ".signup-form",
            f"{waiting.url}#/signup/{teams.token}": ".teams li",
            f"{waiting.url}#/projector": ".invitation",
            report: ".rating-plot",
        }
        for address, ready in addresses.items():
            page.goto(address)
            expect(page.locator(ready).first).to_be_visible()
            assert faults(page) == [], address
        live.call(played.go_on.set)


@pytest.mark.parametrize("kind", ["swiss", "league"])
def test_no_leaf_of_the_projector_is_wider_than_the_screen(browser: Browser, kind: str) -> None:
    with serve_site(SITES[kind]) as site, open_window(browser, locale="de-DE") as context:
        page = context.new_page()
        page.goto(f"{site.url}#/projector")
        dots = page.locator(".projector-dots i")
        expect(dots.nth(2)).to_be_visible()
        page.locator(".projector-foot .controls button:visible").nth(1).click()
        for width, height in ((390, 844), (844, 390), (1280, 800), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            for _ in range(dots.count()):
                page.locator(".projector-foot .controls button:visible").nth(2).click()
                leaf = page.locator(".projector-leaf")
                heading = page.get_by_role("heading", level=1).inner_text()
                assert leaf.evaluate("node => node.scrollWidth - node.clientWidth") <= 0, (width, heading)


#: Signs up a team without the form.
_SIGN_UP = """([name, address]) => fetch("signup", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name, address }),
})"""


def test_a_press_keeps_the_focus_in_the_list_of_teams(browser: Browser) -> None:
    with open_gathering() as (site, teams), open_window(browser) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/signup/{teams.token}")
        for name in ("red", "blue", "green"):
            page.evaluate(_SIGN_UP, [name, f"{name}:5858"])
        remove = page.get_by_role("button", name="Remove green")
        remove.focus()
        # Another team comes.
        page.evaluate(_SIGN_UP, ["a_b", "laptop6:5858"])
        expect(page.get_by_role("button", name="Remove a b")).to_be_visible()
        expect(remove).to_be_focused()
        heading = page.get_by_role("heading", name="Teams")
        for button in ("Confirm red", "Remove blue", "Confirm all"):
            page.get_by_role("button", name=button).focus()
            page.keyboard.press("Enter")
            expect(page.get_by_role("button", name=button)).to_have_count(0)
            expect(heading).to_be_focused()


def test_refusals_name_teams_as_the_list_does(browser: Browser) -> None:
    with open_gathering() as (site, _), new_window(browser) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/signup")
        for name, says in (
            ("a_b", "a b has signed up."),
            ("c", "laptop7:5858 has already signed up, as a b."),
        ):
            page.get_by_label("Name of your team").fill(name)
            page.get_by_label("Address of your move server").fill("laptop7:5858")
            page.get_by_role("button", name="Sign up", exact=True).click()
            expect(page.locator(".signup-answer")).to_contain_text(says)


class Told:
    """A page of a tournament that gets its messages from the test, at first the document of the site."""

    def __init__(self, context: BrowserContext, site: ServedSite, place: str) -> None:
        self.page = context.new_page()
        self.document: dict[str, Any] = context.request.get(f"{site.url}tournament.json").json()
        self._sockets: list[WebSocketRoute] = []
        self.page.route_web_socket(re.compile("/tournament/live$"), self._begin)
        self.page.goto(site.url + place)
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(self.document["title"])

    def _begin(self, socket: WebSocketRoute) -> None:
        socket.on_message(lambda _: socket.send('{"pong":true}'))
        socket.send(json.dumps({"reset": self.document}))
        self._sockets.append(socket)

    def tell(self) -> None:
        """Send the whole document, and wait until the page shows it."""
        self.document["title"] += "!"
        self._sockets[-1].send(json.dumps({"changed": self.document}))
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(self.document["title"])


#: Notes in ``touched`` of the window what changes in tables and boards from now on.
_NOTE_CHANGES = """() => {
    window.touched = [];
    const note = ({ type, target, attributeName, oldValue }) => {
        const place = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
        if (place.closest("h1") || (attributeName && place.getAttribute(attributeName) === oldValue)) return;
        window.touched.push(`${type} ${place.outerHTML.slice(0, 60)}`);
    };
    new MutationObserver(changes => changes.forEach(note)).observe(document.querySelector("main"), {
        attributeOldValue: true, characterData: true, childList: true, subtree: true
    });
}"""


@pytest.mark.parametrize("kind", ["tournament", "swiss", "four-player", "league"])
def test_news_leave_everything_alone_that_is_the_same(context: BrowserContext, kind: str) -> None:
    with serve_site(SITES[kind]) as site:
        wait_for_tables(context, site)
        told = Told(context, site, "")
        told.page.evaluate(_NOTE_CHANGES)
        told.tell()
        assert told.page.evaluate("window.touched") == []
        told = Told(context, site, "#/projector")
        told.page.get_by_role("button", name="Stay on this page").click()
        leaves = told.page.locator(".projector-dots i").count()
        assert leaves >= 3
        for _ in range(leaves):
            told.page.evaluate(_NOTE_CHANGES)
            told.tell()
            assert told.page.evaluate("window.touched") == []
            told.page.get_by_role("button", name="Next page").click()


def wait_for_tables(context: BrowserContext, site: ServedSite) -> None:
    """Wait until the site of a pictured tournament knows everything that its pages show."""
    page = context.new_page()
    page.goto(site.url)
    expect(page.locator(".running-game")).not_to_have_count(0)
    expect(page.locator(".leaderboard, .of-standings")).to_be_visible()
    page.close()


#: Selects the text of an element.
_SELECT = "node => getSelection().selectAllChildren(node)"


def test_focus_and_selection_stay_while_rows_come_and_move(context: BrowserContext) -> None:
    with serve_site(SITES["league"]) as site:
        wait_for_tables(context, site)
        told = Told(context, site, "")
        page, leaders, games = told.page, told.document["league"], told.document["games"]
        # A leader with the focus overtakes another.
        overtaking = page.locator(".leaderboard a").nth(4)
        name = overtaking.inner_text()
        overtaking.focus()
        leaders.insert(2, leaders.pop(4))
        told.tell()
        expect(page.locator(".leaderboard a").nth(2)).to_have_text(name)
        expect(page.locator(".leaderboard a").nth(2)).to_be_focused()
        # A selected game gets a newer one above it, and a result.
        running = page.locator(".games tbody tr.running").first
        number = int(running.locator(".of-number").inner_text())
        seats = running.locator(".of-seats")
        said = seats.inner_text()
        seats.evaluate(_SELECT)
        newest = max(game["number"] for game in games)
        games.append({**games[-1], "number": newest + 1})
        told.document["total"] += 1
        ended = next(game for game in games if game["number"] == number)
        ended |= {"status": "finished", "points": [1, 0], "termination": "goal", "plies": 40}
        told.document["running"] = [each for each in told.document["running"] if each["number"] != number]
        told.tell()
        expect(page.locator(f".games tr[data-key='{number}'] .of-result")).to_have_text("1 : 0")
        assert page.evaluate("getSelection().toString()").strip() == said
        expect(page.locator(".leaderboard a").nth(2)).to_be_focused()


def test_focus_of_what_goes_stays_on_the_page(context: BrowserContext) -> None:
    with serve_site(SITES["league"]) as site:
        wait_for_tables(context, site)
        told = Told(context, site, "")
        told.page.locator(".running-game").first.focus()
        told.document["running"] = []
        told.tell()
        expect(told.page.locator("main")).to_be_focused()
