"""The pages in a real browser: playing, watching, stepping through and analysing games."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
import trio
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from quoridor_net.match import (
    Event,
    GameEnded,
    GameStarted,
    MatchSettings,
    PlayerOut,
)
from quoridor_net.match.match_game import MatchGame
from quoridor_net.moves import Move, Orientation, Wall
from quoridor_net.notation.standard import format_move, parse_move
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Position
from quoridor_net.web.application import Site
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from quoridor_net.web.messages import converse, refuse_all
from quoridor_net.web.play import OwnGames
from quoridor_net.web.remote import RemoteSeats
from quoridor_net.web.sites import play as site_of_play
from quoridor_net.web.sites import seats as site_of_seats
from tests.support.linked_game import play_linked, simple_server
from tests.support.site import events_of, serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Page, expect  # noqa: E402
from playwright.sync_api import WebSocketRoute as Socket  # noqa: E402

from tests.support.board_page import SIZE, Table, point_of, press, step, surface  # noqa: E402
from tests.support.chromium import new_window, open_window, stop_clock  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def table() -> Table:
    return Table()


# Playing.


def test_a_move_lost_by_a_silent_network_is_sent_again(context: BrowserContext, table: Table) -> None:
    is_silent = False
    sockets: list[Socket] = []

    def through(socket: Socket) -> None:
        nonlocal is_silent
        server = socket.connect_to_server()
        sockets.append(socket)
        # The network is back when the page connects again.
        is_silent = False

        def carry(target: Socket, message: str | bytes) -> None:
            if not is_silent:
                target.send(message)

        socket.on_message(partial(carry, server))
        server.on_message(partial(carry, socket))

    with serve_site(table.site) as site:
        page = context.new_page()
        stop_clock(page)
        page.route_web_socket(re.compile("/live$"), through)
        page.goto(f"{site.url}#/seat/{table.seat.token}")
        expect(surface(page)).to_have_class(re.compile("interactive"))
        is_silent = True
        page.mouse.click(*point_of(page, step(2, 1)))
        expect(page.locator(".pawn.pending")).to_be_visible()
        expect(page.locator(".board-note")).to_have_text("Sending the move …")
        # Another click does not replace the move.
        page.mouse.click(*point_of(page, step(1, 0)))
        assert len(sockets) == 1
        # More than the 8 seconds after which silence is noticed, and the delay before another connection.
        page.clock.run_for(5_000)
        page.clock.run_for(5_000)
        expect(page.locator(".moves .ply")).to_have_count(2)
        expect(page.locator(".pending")).to_have_count(0)
        assert len(sockets) > 1
        press(page, step(2, 2), 4)
        assert table.moves == [step(2, 1), step(2, 2)]


def test_a_game_is_played_by_clicks(context: BrowserContext, table: Table) -> None:
    with serve_site(table.site) as site:
        page = table.page(site, context)
        note = page.locator(".board-note")

        page.mouse.move(*point_of(page, step(2, 2)))
        expect(note).to_have_text("c3: the pawn on c1 cannot get to c3 in one move.")
        page.mouse.click(*point_of(page, step(2, 2)))
        expect(note).to_have_class(re.compile("is-reason"))

        wall = Wall(1, 2, Orientation.HORIZONTAL)
        page.mouse.move(*point_of(page, wall))
        expect(page.locator(".wall.preview")).to_be_visible()
        expect(note).to_have_text("b3h")
        press(page, wall, 2)
        expect(page.locator(".player.pawn-1 .player-walls b")).to_have_text("2")

        page.mouse.move(*point_of(page, wall))
        expect(note).to_have_text("b3h: it would overlap the wall b3h.")
        page.mouse.click(*point_of(page, wall))
        expect(page.locator(".moves .ply")).to_have_count(2)

        for number, target in enumerate([step(2, 1), step(3, 1), step(3, 2), step(3, 3)], 2):
            press(page, target, 2 * number)
        page.mouse.click(*point_of(page, step(3, 4)))
        expect(page.locator(".verdict")).to_contain_text("ann:you wins")
        assert table.moves == [wall, step(2, 1), step(3, 1), step(3, 2), step(3, 3), step(3, 4)]


def test_a_game_is_played_by_keyboard(context: BrowserContext, table: Table) -> None:
    with serve_site(table.site) as site:
        page = table.page(site, context)
        spoken = page.locator(".board [aria-live]")
        surface(page).focus()

        # Player 1 starts at the bottom, and moves up.
        page.keyboard.press("ArrowUp")
        page.keyboard.press("v")
        expect(spoken).to_have_text(re.compile(r"^Wall \w+v, vertical$"))
        page.keyboard.press("h")
        expect(spoken).to_have_text(re.compile(r"^Wall \w+h, horizontal$"))
        page.keyboard.press("Escape")
        expect(page.locator(".preview")).to_have_count(0)

        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        expect(spoken).to_have_text("b2: the pawn on c1 cannot get to b2 in one move.")
        page.keyboard.press("Escape")

        for moves in (2, 4, 6):
            page.keyboard.press("ArrowUp")
            page.keyboard.press("ArrowUp")
            page.keyboard.press("Enter")
            expect(page.locator(".moves .ply")).to_have_count(moves)
            page.keyboard.press("Escape")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        expect(page.locator(".verdict")).to_contain_text("ann:you wins")
        assert table.moves == [step(2, 1), step(2, 2), step(2, 3), step(2, 4)]


def test_a_game_is_played_by_touch(browser: Browser, table: Table) -> None:
    with (
        open_window(
            browser, has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740}
        ) as context,
        serve_site(table.site) as site,
    ):
        page = table.page(site, context)
        wall = Wall(0, 2, Orientation.VERTICAL)
        page.touchscreen.tap(*point_of(page, wall))
        expect(page.locator(".wall.preview")).to_be_visible()
        expect(page.locator(".board-note")).to_have_text("Tap again to place the wall.")
        expect(page.locator(".moves .ply")).to_have_count(0)
        page.touchscreen.tap(*point_of(page, wall))
        expect(page.locator(".moves .ply")).to_have_count(2)
        for row in (1, 2, 3):
            page.touchscreen.tap(*point_of(page, step(2, row)))
            expect(page.locator(".moves .ply")).to_have_count(2 * row + 2)
        page.touchscreen.tap(*point_of(page, step(2, 4)))
        expect(page.locator(".verdict")).to_contain_text("ann:you wins")
        assert table.moves == [wall, step(2, 1), step(2, 2), step(2, 3), step(2, 4)]
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_move_is_taken_back_hinted_and_the_game_resigned(context: BrowserContext, table: Table) -> None:
    with serve_site(table.site) as site:
        page = table.page(site, context)
        press(page, step(2, 1), 2)
        page.get_by_role("button", name="Take back").click()
        expect(page.locator(".moves .ply")).to_have_count(0)
        expect(page.get_by_text("Moves were taken back.")).to_be_attached()
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".ghost.hint")).to_be_visible()
        expect(page.locator(".board-note")).to_contain_text("Hint: ")

        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator(".verdict strong")).to_have_count(0)
        # The note stays, whatever the reader presses.
        for name in ("Shortest paths", "Turn the board", "Shortest paths"):
            page.get_by_role("button", name=name).click()
        expect(page.locator(".board-note")).to_contain_text("Hint: ")
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(page.locator(".verdict")).to_contain_text("qnt:passer wins")
        page.get_by_role("button", name="Rematch").click()
        page.wait_for_function("true")
    assert table.again.is_set()


def test_resigning_at_a_move_server_is_a_loss(context: BrowserContext) -> None:
    seats = RemoteSeats("ann:you", 1)

    def make(nursery: trio.Nursery) -> Site:
        nursery.start_soon(play_linked, {1: simple_server(seats.make_player)})
        return site_of_seats(seats)

    with serve_site(make) as site:
        page = context.new_page()
        page.goto(f"{site.url}#/seat/{seats.seats[1].token}")
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(page.locator(".verdict strong")).to_have_text("You resigned: qnt:test wins")
        expect(page.locator(".moves")).to_contain_text("out")


def test_only_the_holder_of_the_link_can_move(context: BrowserContext, table: Table) -> None:
    with serve_site(table.site) as site:
        page = context.new_page()
        page.goto(f"{site.url}#/seat/1-guessed")
        expect(page.locator(".verdict")).to_contain_text("This game is gone")
        # Nothing of the game of others is shown.
        expect(page.locator(".player-name").last).to_have_text("Player 1")
        expect(page.get_by_role("button", name="Resign")).to_have_count(0)
        assert table.moves == []


# Watching.


def moves_of(*names: str) -> list[Move]:
    return [parse_move(name, SIZE) for name in names]


RACE = moves_of("c2", "b3h", "d2", "c4", "d3", "b4", "d4", "c4", "d5")


def race(names: tuple[str, str] = ("ann:bot", "bob:bot")) -> list[Event]:
    return events_of(RACE, Position(SIZE), names)


class Watched:
    """A game whose events come from the test."""

    def __init__(self, mode: str = "watch", routes: tuple[BaseRoute, ...] = ()) -> None:
        self.live = LiveGame()
        self.mode = mode
        self.routes = routes

    def site(self, _nursery: trio.Nursery) -> Site:
        abilities = frozenset({"analysis"} if self.routes else set())
        return Site(self.mode, "Quoridor", LiveGames({1: self.live}), abilities, self.routes)


def test_spectators_join_late_and_reconnect(browser: Browser, context: BrowserContext) -> None:
    watched = Watched()
    events = race()
    lost: list[Socket] = []

    def through(socket: Socket) -> None:
        socket.connect_to_server()
        lost.append(socket)

    with serve_site(watched.site) as site, open_window(browser) as other:
        first, second = context.new_page(), other.new_page()
        second.route_web_socket(re.compile("/live$"), through)
        for page in (first, second):
            page.goto(site.url)
            expect(page.locator(".verdict")).to_have_text("Waiting for the game to begin …")
        site.tell(watched.live, events[:8])
        for page in (first, second):
            expect(page.locator(".moves .ply")).to_have_count(3)
            expect(page.locator(".player.pawn-2")).to_have_class(re.compile("to-move"))

        late = context.new_page()
        late.goto(site.url)
        expect(late.locator(".moves .ply")).to_have_count(3)
        expect(late.locator(".live")).to_have_text("live")

        lost[0].close(code=1001, reason="away")
        expect(second.locator(".live")).to_have_class(re.compile("lost|connecting|open"))
        site.tell(watched.live, events[8:])
        for page in (first, second, late):
            expect(page.locator(".verdict")).to_contain_text("ann:bot wins")
            expect(page.locator(".moves .ply")).to_have_count(len(RACE))
        assert len(lost) == 2


def test_another_game_replaces_a_finished_one(context: BrowserContext) -> None:
    watched = Watched()
    with serve_site(watched.site) as site:
        page = context.new_page()
        page.goto(site.url)
        site.tell(watched.live, race())
        expect(page.locator(".verdict")).to_contain_text("ann:bot wins")
        site.tell(watched.live, race(("cid:bot", "dan:bot"))[:2])
        expect(page.locator(".player.pawn-1 .player-name")).to_have_text("cid:bot")
        expect(page.locator(".moves .ply")).to_have_count(0)


def test_names_and_sentences_are_shown_as_text(context: BrowserContext) -> None:
    watched = Watched()
    end = GameEnded(
        Result(1, Termination.UNPARSABLE_MOVE, HOSTILE, 0, HOSTILE), (HOSTILE, "x"), Position(SIZE)
    )
    with serve_site(watched.site) as site:
        page = context.new_page()
        page.goto(site.url)
        site.tell(watched.live, [GameStarted((HOSTILE, "x"), Position(SIZE), None, 100), end])
        expect(page.locator(".player.pawn-1 .player-name")).to_have_text(HOSTILE)
        expect(page.locator(".verdict p")).to_have_text(HOSTILE)
        assert page.locator("img").count() == 0


def break_a_rule(*names: str) -> tuple[MatchGame[Position, Move], PlayerOut[Position]]:
    """Return a game whose first player stepped to a1 from far away, and the elimination."""
    game: MatchGame[Position, Move] = MatchGame(names, Position(SIZE, len(names)), MatchSettings())
    assert game.play(1, step(0, 0), 0.5, "TESUJI (0, 0)") is None
    player, fault = game.announce() or pytest.fail("no fault was noted")
    return game, PlayerOut(player, fault, game.position.copy())


def test_an_elimination_is_told_in_the_readers_language(browser: Browser) -> None:
    watched = Watched()
    game, out = break_a_rule("ann:bot", "bob", "cid", "dan")
    with serve_site(watched.site) as site, open_window(browser, locale="de-DE") as context:
        page = context.new_page()
        page.goto(site.url)
        site.tell(watched.live, [GameStarted(game.names, Position(SIZE, 4), None, 100), out])
        expect(page.locator(".verdict.fault strong")).to_have_text("ann:bot ist ausgeschieden")
        expect(page.locator(".verdict.fault .verdict-reason")).to_have_text("verbotener Zug")


def test_verdicts_use_the_readers_language_and_notation(browser: Browser) -> None:
    watched = Watched()
    game, out = break_a_rule("ann:bot", "x<y>")
    end = GameEnded(game.result(), game.names, game.position.copy())
    with serve_site(watched.site) as site, open_window(browser, locale="de-DE") as context:
        page = context.new_page()
        page.goto(site.url)
        site.tell(watched.live, [GameStarted(game.names, Position(SIZE), None, 100), out])
        site.tell(watched.live, [end])
        told = page.locator(".verdict.ended p")
        expect(told).to_have_text(
            "x<y> (Spieler 2) gewinnt: ann:bot (Spieler 1) hat a1 gespielt, einen verbotenen Zug:"
            " von c1 kommt die Figur nicht in einem Zug nach a1."
        )
        page.get_by_role("button", name="Einstellungen").click()
        page.get_by_role("radio", name="2016 (4, 1)").check()
        expect(told).to_contain_text("von (2, 0) kommt die Figur nicht in einem Zug nach (0, 0)")
        page.get_by_role("radio", name="English").check()
        expect(told).to_have_text(
            "x<y> (player 2) wins: ann:bot (player 1) played (0, 0), which is illegal:"
            " the pawn on (2, 0) cannot get to (0, 0) in one move."
        )


# Recorded games.


def test_a_recorded_game_is_stepped_through_and_shared(context: BrowserContext) -> None:
    watched = Watched("replay")
    with serve_site(watched.site) as site:
        site.tell(watched.live, race())
        page = context.new_page()
        page.goto(site.url)
        current = page.locator(".moves [aria-current]")
        expect(page.locator(".moves .ply")).to_have_count(len(RACE))
        expect(current).to_have_count(0)
        page.keyboard.press("ArrowRight")
        expect(current).to_have_text("c2")
        page.keyboard.press("End")
        expect(current).to_have_text("d5")
        expect(page.locator(".verdict")).to_contain_text("ann:bot wins")
        page.get_by_role("button", name="One move back").click()
        expect(current).to_have_text("c4")
        page.locator(".moves .ply", has_text="b3h").click()
        expect(page.locator(".wall.last")).to_have_count(1)
        page.get_by_role("button", name="To the start").click()
        page.get_by_role("button", name="Play the moves").click()
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Play the moves").click()
        page.locator(".speed").select_option("fast")
        expect(current).to_have_text("d5")
        # It stops by itself at the end.
        expect(page.get_by_role("button", name="Play the moves")).to_be_visible()
        page.locator(".moves .ply", has_text="b3h").click()
        expect(current).to_have_text("b3h")
        expect(current).to_have_text("b3h")

        page.get_by_role("button", name="Share the position").click()
        link = page.get_by_role("dialog").get_by_role("textbox").input_value()
        page.goto("about:blank")
        page.goto(link)
        expect(page.locator(".wall")).to_have_count(1)
        # The reader can try moves there.
        page.mouse.click(*point_of(page, step(3, 1)))
        expect(page.locator(".variation")).to_contain_text("d2")


def test_notation_and_language_are_the_readers_choice(context: BrowserContext) -> None:
    watched = Watched("replay")
    with serve_site(watched.site) as site:
        site.tell(watched.live, race())
        page = context.new_page()
        page.goto(site.url)
        first = page.locator(".moves .ply").first
        expect(first).to_have_text("c2")
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("radio", name="2016 (4, 1)").check()
        expect(first).to_have_text("(2, 1)")
        page.get_by_role("radio", name="Deutsch").check()
        expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Einstellungen")).to_be_focused()
        assert page.evaluate("document.documentElement.lang") == "de"
        page.reload()
        expect(page.get_by_role("button", name="Einstellungen")).to_be_visible()
        expect(first).to_have_text("(2, 1)")


def test_a_dropped_game_replaces_the_shown_one(context: BrowserContext) -> None:
    watched = Watched("replay")
    with serve_site(watched.site) as site:
        site.tell(watched.live, race())
        page = context.new_page()
        page.goto(site.url)
        expect(page.locator(".moves .ply")).to_have_count(len(RACE))
        drop(page, "x" * (1 << 20) + "x")
        alert = "The file is too large: a recorded game has at most 1 MiB."
        expect(page.get_by_role("alert")).to_have_text(alert)
        expect(page.locator(".moves .ply")).to_have_count(len(RACE))
        drop(page, "1. e2 e8 2. e3h")
        expect(page.locator(".moves .ply")).to_have_count(3)
        # The notice about the other file has served.
        expect(page.locator(".notice")).to_have_count(0)
        page.keyboard.press("ArrowLeft")
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("radio", name="Deutsch").check()
        expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
        expect(page.locator(".moves .ply")).to_have_count(3)
        current = page.locator(".moves [aria-current]")
        expect(current).to_have_text("e8")
        page.keyboard.press("Escape")
        # Until the closed dialog is removed, keys go to its radio button.
        expect(page.locator("dialog")).to_have_count(0)
        page.keyboard.press("ArrowLeft")
        expect(current).to_have_text("e2")
        page.reload()
        expect(current).to_have_text("e2")


def test_a_game_is_kept_linked_and_saved(context: BrowserContext) -> None:
    watched = Watched("replay")
    with serve_site(watched.site) as site:
        site.tell(watched.live, race())
        page = context.new_page()
        page.goto(f"{site.url}#/games/1/4")
        expect(page.locator(".moves [aria-current]")).to_have_text("c4")
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(f"{site.url}#/games/1/5")
        for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
            page.get_by_role("button", name="Save").click()
            with page.expect_download() as saved:
                page.get_by_role("button", name=f"Picture ({kind})").click()
            assert saved.value.suggested_filename == f"quoridor-1-5.{kind.lower()}"
            picture = saved.value.path().read_bytes()
            assert picture.startswith(start)
            if kind == "SVG":
                # Only the page marks the reader's possible steps.
                assert page.locator(".legal-step").count() > 0
                assert b'r="6.5"' not in picture
        drop(page, "e2 e8 e3 e7")
        expect(page.locator(".moves .ply")).to_have_count(4)
        page.reload()
        expect(page.locator(".moves .ply")).to_have_count(4)
        expect(page.get_by_text("Choose a file")).to_be_visible()


def test_errors_in_a_file_are_explained_in_german(browser: Browser) -> None:
    watched = Watched("replay")
    # Browsers log a response of 400 as an error.
    context = new_window(browser, locale="de-DE")
    with serve_site(watched.site) as site:
        site.tell(watched.live, race())
        page = context.new_page()
        page.goto(site.url)
        expect(page.locator(".moves .ply")).to_have_count(len(RACE))
        for content, sentence in (
            ("1. e2 e8 2. e4", "verbotener Schritt: von e2 kommt die Figur nicht in einem Zug nach e4."),
            ("1. e2 x8", "'x8' liegt außerhalb des Bretts: Felder gehen von a1 bis i9."),
        ):
            drop(page, content)
            expect(page.get_by_role("alert")).to_contain_text(sentence)
    context.close()


def drop(page: Page, content: str) -> None:
    """Drop a file on the page."""
    files = page.evaluate_handle(
        """(content) => {
             const files = new DataTransfer();
             files.items.add(new File([content], "a"));
             return files;
           }""",
        content,
    )
    page.dispatch_event("body", "drop", {"dataTransfer": files})


def test_a_move_tried_by_keyboard_is_not_refused(context: BrowserContext) -> None:
    watched = Watched("replay")
    with serve_site(watched.site) as site:
        site.tell(watched.live, race())
        page = context.new_page()
        page.goto(site.url)
        surface(page).focus()
        for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        expect(page.locator(".variation .ply")).to_have_text("c2")
        expect(page.locator(".board-note")).not_to_contain_text("stands on")
        # The cursor now starts at the other player's pawn.
        for key in ("Enter", "ArrowDown", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        expect(page.locator(".variation .ply")).to_have_text(["c2", "c4"])


def test_a_missing_game_is_reported(context: BrowserContext) -> None:
    watched = Watched()
    with serve_site(watched.site) as site:
        page = context.new_page()
        page.goto(f"{site.url}#/games/9")
        expect(page.locator(".verdict")).to_contain_text("This game does not exist.")
        expect(page.locator(".live")).to_have_text("")
        page.get_by_role("link", name="To the start page").click()
        expect(page.locator(".live")).to_have_text("live")


# Analysed games.


def analysis() -> list[dict[str, Any]]:
    chances = [0.52, 0.5, 0.55, 0.3, 0.71, 0.3, 0.72, 0.1, 1.0]
    names = ["c2", "b3h", "d2", "c4", "d3", "b4", "d4", "c4", "d5"]
    better = {"moves": ["c4h", "d3"], "score": 80, "chance": 0.5, "wins_in": None}
    return [
        {
            "ply": ply,
            "player": 2 - ply % 2,
            "move": name,
            "score": 10,
            "chance": chance,
            "wins_in": None,
            "best": [better] if ply == 4 else [{"moves": [name], "score": 10, "chance": chance}],
            "loss": 0.2 if ply == 4 else 0.0,
            "mark": "blunder" if ply == 4 else None,
        }
        for ply, (name, chance) in enumerate(zip(names, chances, strict=True), 1)
    ]


async def tell_analysis(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text(json.dumps({"reset": analysis()[:2]}))
    await socket.send_text(json.dumps(analysis()[2:]))
    await socket.send_text(json.dumps({"accuracy": [97.2, 61.0]}))
    await converse(socket, refuse_all)


async def think(socket: WebSocket) -> None:
    await socket.accept()

    async def answer(asked: Mapping[str, Any]) -> None:
        if "position" not in asked:
            return
        legal = Position.from_line(asked["position"]).legal_steps
        lines = [{"moves": [format_move(legal[0])], "score": 30, "chance": 0.61}]
        found = {"position": asked["position"], "depth": 7, "nodes": 1234, "lines": lines}
        await socket.send_text(json.dumps(found))

    await converse(socket, answer)


async def keep_waiting(socket: WebSocket) -> None:
    await socket.accept()
    with pytest.raises(WebSocketDisconnect):
        while True:
            await socket.receive_text()


def test_the_page_shows_that_it_waits_for_the_engine(context: BrowserContext) -> None:
    watched = Watched("replay", (WebSocketRoute("/analysis", keep_waiting),))
    with serve_site(watched.site) as site:
        site.tell(watched.live, race())
        page = context.new_page()
        page.goto(site.url)
        expect(page.locator(".engine-status")).to_have_text("Waiting for the engine …")
        page.keyboard.press("End")
        # The page sends no request for a finished game.
        expect(page.locator(".engine-status")).to_have_text("")


ANALYSIS = (WebSocketRoute("/games/1/analysis", tell_analysis), WebSocketRoute("/analysis", think))


def test_the_graph_leads_to_mistakes_and_better_moves(context: BrowserContext) -> None:
    watched = Watched("analysis", ANALYSIS)
    with serve_site(watched.site) as site:
        site.tell(watched.live, race())
        page = context.new_page()
        page.goto(site.url)
        expect(page.locator(".accuracy")).to_contain_text("97 %")
        expect(page.locator(".graph-mark.blunder")).to_have_count(1)
        graph = page.get_by_role("slider")
        box = graph.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] * 4 / 9, box["y"] + 10)
        expect(page.locator(".moves [aria-current]")).to_have_text("c4")
        expect(page.locator(".comment")).to_contain_text("blunder")
        page.locator(".comment-line .ply", has_text="c4h").click()
        expect(page.locator(".variation")).to_contain_text("c4h")
        expect(page.locator(".wall")).to_have_count(2)

        expect(page.locator(".engine-status")).to_have_text("depth 7, 1,234 nodes")
        page.locator(".engine-lines .ply").first.click()
        expect(page.locator(".variation .ply")).to_have_count(2)
        page.get_by_role("button", name="Back to the game").click()
        expect(page.locator(".variation .ply")).to_have_count(0)
        graph.focus()
        page.keyboard.press("End")
        expect(page.locator(".moves [aria-current]")).to_have_text("d5")
        page.set_viewport_size({"width": 1280, "height": 800})
        box = surface(page).bounding_box()
        assert box is not None
        assert box["width"] >= 640
        expect(page.locator(".best")).to_have_count(0)

        page.keyboard.press("M")
        expect(page.locator(".moves [aria-current]")).to_have_text("c4")
        expect(page.locator(".comment")).to_contain_text("20 points of winning chance lost")
        expect(page.locator(".arrow.best")).to_be_visible()
        page.get_by_role("button", name="Learn (1) from bob:bot’s mistakes").click()
        lesson = page.locator(".lesson")
        expect(lesson).to_contain_text("bob:bot played c4: blunder. Find a better move.")
        expect(page.locator(".best")).to_have_count(0)
        page.mouse.click(*point_of(page, step(2, 3)))
        expect(lesson).to_contain_text("c4 was the move of the game.")
        page.mouse.click(*point_of(page, Wall(3, 0, Orientation.VERTICAL)))
        expect(lesson).to_contain_text("d1v is not good enough.")
        page.mouse.click(*point_of(page, Wall(2, 3, Orientation.HORIZONTAL)))
        expect(lesson).to_contain_text("c4h is right.")
        page.get_by_role("button", name="End the lesson").click()
        expect(lesson).to_be_hidden()
        page.get_by_role("button", name="Next mistake").click()
        expect(page.locator(".moves [aria-current]")).to_have_text("c4")


# Learning.


def test_rules_and_puzzles_are_solved_without_the_server(context: BrowserContext) -> None:
    with serve_site(lambda _: Site("play", "Quoridor", LiveGames({}), defaults={"level": 3})) as site:
        page = context.new_page()
        page.goto(f"{site.url}#/learn")
        answer = page.locator(".exercise-answer")
        page.mouse.click(*point_of(page, Wall(0, 0, Orientation.VERTICAL)))
        expect(answer).to_contain_text("does not solve the task")
        page.mouse.click(*point_of(page, step(2, 1)))
        expect(answer).to_contain_text("That was a step.")
        page.get_by_role("link", name="Next").click()
        expect(page.get_by_role("heading", name="Jump")).to_be_visible()
        page.get_by_role("link", name="Puzzles").click()
        expect(page.get_by_role("heading", name="Puzzle 1 of 20")).to_be_visible()
        page.get_by_role("button", name="Show the answer").click()
        expect(answer).to_contain_text("wins, in")
        page.get_by_role("button", name="Again").click()
        expect(answer).to_have_text("")


# New games.


def test_the_controls_of_a_new_game_have_names(context: BrowserContext) -> None:
    site = Site("play", "Quoridor", LiveGames({}), defaults={"level": 3})
    with serve_site(lambda _nursery: site) as running:
        page = context.new_page()
        page.goto(running.url)
        expect(page.get_by_role("slider", name="Level")).to_have_value("3")
        page.get_by_role("slider", name="Level").press("ArrowRight")
        expect(page.locator(".level output")).to_have_text("4")
        page.get_by_text("Board, players and rules").click()
        expect(page.get_by_role("spinbutton", name="Walls for each player")).to_be_visible()
        expect(page.get_by_role("group", name="Players")).to_be_visible()


def test_the_level_follows_the_results(context: BrowserContext) -> None:
    with serve_site(lambda nursery: site_of_play(OwnGames(nursery, SimplePlayer))) as running:
        page = context.new_page()
        page.goto(running.url)
        page.get_by_role("radio", name="first", exact=True).check()
        page.get_by_role("checkbox", name="The level follows your results").check()
        expect(page.get_by_role("slider", name="Level")).to_be_disabled()
        page.get_by_role("button", name="Start the game").click()
        for level, following in ((4, "one level lower: 3"), (3, "one level lower: 2")):
            expect(page.locator(".player-name", has_text=f"Engine, level {level}")).to_be_visible()
            page.get_by_role("button", name="Resign").click()
            page.get_by_role("dialog").get_by_role("button", name="Resign").click()
            expect(page.get_by_text(f"Your next game is {following}.")).to_be_visible()
            page.get_by_role("button", name="Rematch").click()
            expect(page.get_by_text("Your next game")).to_be_hidden()
        page.goto(running.url)
        expect(page.get_by_role("checkbox", name="The level follows your results")).to_be_checked()
        expect(page.locator(".level output")).to_have_text("2")
