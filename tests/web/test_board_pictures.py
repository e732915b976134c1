"""The pages draw the picture of the notation, as the documentation shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
import trio

from quoridor_net.match import MatchSettings, play_match
from quoridor_net.replay import parse_game
from quoridor_net.rules import Position
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.web import sites
from quoridor_net.web.application import Site
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from quoridor_net.web.notebook import GameFrame
from quoridor_net.web.remote import RemoteSeats
from quoridor_net.web.replays import RecordedGame
from quoridor_net.web.seat import Seat, WebPlayer
from tests.support.board_pictures import LINE, MOVES, Reader, Seen, expected, seen_in
from tests.support.site import events_of, seat_people, serve_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import BrowserContext, Page, expect  # noqa: E402

from tests.support.board_page import read_board  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

GAME = "1. c3h e8 2. f6v d8 3. e2"
NAMES = ("ann", "bob")


def seen_on(page: Page) -> Seen:
    """Return the contents of a page's large board once the last move is there."""
    expect(page.locator(".board .wall:not(.ghost)")).to_have_count(2)
    return seen_in(read_board(page.locator(".board")))


def followed(make: Callable[[LiveGame], Site]) -> Site:
    live = LiveGame()
    for event in events_of(MOVES, Position(), NAMES):
        live(event)
    return make(live)


def recorded() -> Site:
    return Site("replay", "Quoridor", RecordedGame(parse_game(GAME, partial=True)))


def at_move_server() -> Site:
    places = RemoteSeats("bob", 1)
    _, live = places.take(WebPlayer("bob"))
    for event in events_of(MOVES, Position(), NAMES):
        live(event)
    return sites.seats(places)


def with_new_games() -> Site:
    return followed(lambda live: Site("play", "Quoridor", LiveGames({1: live}), defaults={}))


SITES: dict[str, tuple[Callable[[], Site], str, BoardPicture]] = {
    "display client": (lambda: followed(sites.watch), "", BoardPicture.LAN),
    "move server": (at_move_server, "#/games/1", BoardPicture.LAN),
    "replay": (recorded, "", BoardPicture.STANDARD),
    "position": (recorded, f"#/position/{quote(LINE, safe='')}", BoardPicture.STANDARD),
    "play": (with_new_games, "#/games/1", BoardPicture.STANDARD),
}


@pytest.mark.parametrize("door", SITES)
def test_pages_draw_the_picture_of_their_notation(context: BrowserContext, door: str) -> None:
    make, place, picture = SITES[door]
    with serve_site(lambda _: make()) as site:
        page = context.new_page()
        page.goto(site.url + place)
        assert seen_on(page) == expected(picture)


def test_notebooks_and_reports_draw_standard_notation(context: BrowserContext, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(GameFrame(parse_game(GAME, partial=True)).to_html(), encoding="utf-8")
    page = context.new_page()
    page.goto(path.as_uri())
    assert seen_on(page) == expected(BoardPicture.STANDARD)


def test_the_notation_setting_decides_and_turning_rotates_the_board(context: BrowserContext) -> None:
    with serve_site(lambda _: followed(sites.watch)) as site:
        page = context.new_page()
        page.goto(site.url)
        top = page.locator(".players.top .player-name")
        expect(top).to_have_text("ann")
        page.keyboard.press("t")
        assert seen_on(page) == expected(BoardPicture.LAN).turned()
        expect(top).to_have_text("bob")
        choose(page, "Standard (e3)")
        assert seen_on(page) == expected(BoardPicture.STANDARD).turned()
        expect(top).to_have_text("ann")
        page.keyboard.press("t")
        assert seen_on(page) == expected(BoardPicture.STANDARD)
        expect(top).to_have_text("bob")
        choose(page, "Athens (E3)")
        assert seen_on(page) == expected(BoardPicture.ATHENS)
        page.reload()
        assert seen_on(page) == expected(BoardPicture.ATHENS)


def test_a_reader_who_chose_a_theme_keeps_the_notation_of_the_site(context: BrowserContext) -> None:
    with serve_site(lambda _: followed(sites.watch)) as site:
        page = context.new_page()
        page.goto(site.url)
        choose(page, "Dark")
        page.reload()
        assert seen_on(page) == expected(BoardPicture.LAN)


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize("picture", [BoardPicture.LAN, BoardPicture.STANDARD])
def test_the_pawn_of_a_seat_starts_at_the_bottom(
    context: BrowserContext, player: int, picture: BoardPicture
) -> None:
    person, seat = WebPlayer("you"), Seat(1)
    games, live = seat_people(seat)
    seat.take(person, player)

    async def play() -> None:
        others = [person, Reader("other")]
        await play_match(others if player == 1 else others[::-1], MatchSettings(Position()), [live])

    def make(nursery: trio.Nursery) -> Site:
        nursery.start_soon(play)
        return Site("play", "Quoridor", games, frozenset({"seats"}), picture=picture)

    with serve_site(make) as site:
        page = context.new_page()
        page.goto(f"{site.url}#/seat/{seat.token}")
        expect(page.get_by_role("button", name="Resign")).to_be_visible()
        pawns = seen_in(read_board(page.locator(".board"))).pawns
        assert pawns[player][1] > pawns[3 - player][1]
        choose(page, "2016 (4, 1)" if picture is BoardPicture.STANDARD else "Standard (e3)")
        pawns = seen_in(read_board(page.locator(".board"))).pawns
        assert pawns[player][1] > pawns[3 - player][1]


def choose(page: Page, setting: str) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_label(setting).check()
    page.get_by_role("button", name="Done").click()
