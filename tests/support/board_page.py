"""The board of a page: reading it, moving on it, and a game to play on it."""

from __future__ import annotations

import re
from typing import Any

import trio
from playwright.sync_api import BrowserContext, Locator, Page, expect

from quoridor_net.match import Event, MatchSettings, MoveMade, play_match
from quoridor_net.moves import Move, Orientation, Square, Step
from quoridor_net.players import Player
from quoridor_net.players.base import Clock, instant
from quoridor_net.rules import Position
from quoridor_net.web.application import Site
from quoridor_net.web.seat import Seat, WebPlayer
from tests.support.site import ServedSite, seat_people

#: Squares a side of the board of a :class:`Table`.
SIZE = 5

#: Places are in units of the drawing: squares are 50 apart, as in Python's drawings.
_READ = """board => {
    const number = (node, name) => Number(node.getAttribute(name));
    const names = [...board.querySelectorAll(".coordinates text")];
    const pawns = [...board.querySelectorAll(".pawn:not(.ghost, .out)")];
    const walls = [...board.querySelectorAll(".wall:not(.ghost) .wall-body")];
    return {
        names: names.map(text => [number(text, "x"), number(text, "y"), text.textContent]),
        pawns: pawns.map(pawn => {
            const place = new DOMMatrix(getComputedStyle(pawn).transform);
            return [place.e, place.f, pawn.textContent];
        }),
        walls: walls.map(wall => ["x", "y", "width", "height"].map(name => number(wall, name))),
    };
}"""


def read_board(board: Locator) -> dict[str, Any]:
    """Return the names of columns and rows, the pawns and the walls of a drawn board, with their places."""
    found: dict[str, Any] = board.evaluate(_READ)
    return found


def first_names(board: Locator) -> tuple[str, str]:
    """Return the names of the column at the left and of the row at the top."""
    names = read_board(board)["names"]
    columns = [(x, name) for x, _, name in names if name.isalpha()]
    rows = [(y, name) for _, y, name in names if not name.isalpha()]
    return min(columns)[1], min(rows)[1]


def surface(page: Page) -> Locator:
    return page.locator(".board-surface")


def point_of(page: Page, move: Move, size: int = SIZE) -> tuple[float, float]:
    """Return the place of ``move`` on the screen: the middle of its square or wall."""
    box = page.locator(".board-drawing").bounding_box()
    assert box is not None
    pitch, square, margin = 50, 41, 24
    scale = box["width"] / (size * pitch - 9 + 2 * margin)
    if isinstance(move, Step):
        x, y = move.square.column * pitch + square / 2, move.square.row * pitch + square / 2
    else:
        x, y = (move.column + 1) * pitch - 4.5, (move.row + 1) * pitch - 4.5
        # Beside the crossing, where the orientation is unambiguous.
        x, y = (x + 12, y) if move.orientation is Orientation.HORIZONTAL else (x, y + 12)
    side = size * pitch - 9
    first_column, first_row = first_names(surface(page))
    x = side - x if first_column != "a" else x
    y = side - y if first_row != "1" else y
    return box["x"] + (margin + x) * scale, box["y"] + (margin + y) * scale


def step(column: int, row: int) -> Step:
    return Step(Square(column, row))


def press(page: Page, move: Move, moves: int) -> None:
    """Click on ``move``, and wait until ``moves`` moves were made and the person has to move or has won."""
    page.mouse.click(*point_of(page, move))
    expect(page.locator(".moves .ply")).to_have_count(moves)


def press_in_turn(page: Page, move: Move) -> None:
    """Click on ``move`` as soon as it is this reader's turn."""
    expect(surface(page)).to_have_class(re.compile("interactive"))
    page.mouse.click(*point_of(page, move))


def invite_friend(site: ServedSite, host: Page, clock: str = "no clock") -> str:
    """Start a game with a friend on a board of 5, where the host moves first; return the invitation."""
    host.goto(site.url)
    host.get_by_text("Board, players and rules").click()
    for choice in ("Play a friend", "first", clock, "5 × 5"):
        host.get_by_role("radio", name=choice, exact=True).check()
    host.get_by_role("button", name="Get the link for your friend").click()
    return host.get_by_label("Link for your friend").input_value()


class Passer(Player[Position, Move]):
    """A player that steps back and forth, so that the person wins."""

    name = "qnt:passer"

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the next step of the pattern."""
        player = position.turn
        assert player is not None
        own = position.pawn(player)
        assert own is not None
        return min(position.legal_steps, key=lambda step: (step.square.row < own.row, step))


class Table:
    """A person's seat against a :class:`Passer`, on a board of 5."""

    def __init__(self) -> None:
        self.person = WebPlayer("ann:you", takes_back=True)
        self.again = trio.Event()
        self.seat = Seat(1, self.again.set)
        self.games, self.live = seat_people(self.seat)
        self.events: list[Event] = []

    def site(self, nursery: trio.Nursery) -> Site:
        nursery.start_soon(self.play)
        return Site("play", "Quoridor", self.games, frozenset({"seats"}))

    async def play(self) -> None:
        self.seat.take(self.person, 1)
        settings = MatchSettings(Position(SIZE), takes_back=True)
        await play_match([self.person, Passer()], settings, [self.live, self.events.append])

    def page(self, site: ServedSite, context: BrowserContext) -> Page:
        """Open the page of the seat, and wait until it is the person's turn."""
        page = context.new_page()
        page.goto(f"{site.url}#/seat/{self.seat.token}")
        expect(surface(page)).to_have_class(re.compile("interactive"))
        return page

    @property
    def moves(self) -> list[Move]:
        """The person's moves."""
        return [event.move for event in self.events if isinstance(event, MoveMade) and event.player == 1]
