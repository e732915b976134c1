"""Pictures of all web pages in light and dark on small, usual and large screens: ``make gallery`` takes them.

They are written to ``docs/_build/gallery``, with a page that shows them side by side. Words behind
``python -m docs.diagrams.gallery`` choose the pictures whose names begin with one of them.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from html import escape
from pathlib import Path
from typing import Any

import trio
from attrs import frozen
from playwright.sync_api import Browser, Page
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from quoridor_net.match import Event, GameEnded, MatchSettings, MoveRequested, PlayerOut, play_match
from quoridor_net.moves import Move, Square, Step
from quoridor_net.notation.standard import format_move
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.replay import parse_replay
from quoridor_net.rules import Position
from quoridor_net.web.application import Site
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from quoridor_net.web.seat import Seat, WebPlayer
from tests.support.chromium import chromium
from tests.support.site import events_of, served

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "_build" / "gallery"

#: Width and height of the screens: a phone, a laptop, a projector.
SCREENS = {"phone": (360, 740), "laptop": (1280, 800), "projector": (1920, 1080)}
SCHEMES = ("light", "dark")

#: Moves made in the pictures of a game that goes on.
PLIES = 30
MOVE_TIME = 30.0

#: Milliseconds in which a page comes to rest.
REST = 400


@frozen
class Picture:
    """One page of the gallery.

    Attributes:
        name: of the file.
        site: the name of the site on which it is.
        address: its fragment.
        prepare: what is done there before the picture is taken.
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
        sites = {
            name: stack.enter_context(served(make)).url + (f"#/seat/{SEAT.token}" if name == "seat" else "")
            for name, make in SITES.items()
        }
        browser = stack.enter_context(chromium())
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
                has_touch=screen == "phone",
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


# The games.

_REPLAY = parse_replay((ROOT / "pictures" / "game.qtp").read_text(encoding="ascii"))
_SECONDS = [float(number) for number in (_REPLAY.value("Seconds") or "").split()]
MOVES = [ply.move for ply in _REPLAY.plies if ply.move is not None]
NAMES = ("mcts:nightingale", "abc:marcy")


def game(plies: int | None = None) -> list[Event]:
    """Return the events of the game that the README shows, or of its first ``plies``."""
    moves = MOVES if plies is None else MOVES[:plies]
    return events_of(moves, _REPLAY.setting.position(), NAMES, lambda ply: _SECONDS[ply - 1], MOVE_TIME)


def four_players() -> list[Event]:
    """Return the events of a game of four in which one player is out for an illegal move."""
    position = Position(players=4)
    player = SimplePlayer(4)
    moves: list[Move] = []
    for _ in range(22):
        move = trio.run(player.choose, position, None)
        moves.append(move)
        position.push(move)
    names = ("ann:bot", "bob:a_bot_with_a_very_long_name", "cid:bot", "dan:bot")
    events = events_of(moves, Position(players=4), names, lambda ply: ply % 7 / 3)
    out = position.turn
    assert out is not None
    own = position.pawn(out)
    assert own is not None
    refused = Step(Square((own.column + 4) % 9, own.row))
    position.eliminate(out)
    sentence = f"played {refused}, which is illegal: the pawn on {own} cannot get to {refused} in one move"
    events.append(
        PlayerOut(out, Termination.ILLEGAL_MOVE, sentence, f"TESUJI {refused}", position, "", refused)
    )
    return events


def four_players_going_on() -> list[Event]:
    """Return the same, with the next player thinking."""
    events = four_players()
    last = events[-1]
    assert isinstance(last, PlayerOut)
    assert last.position.turn is not None
    return [*events, MoveRequested(last.position.turn, 22)]


def fault() -> list[Event]:
    """Return the events of a game that a slow player lost."""
    position = _REPLAY.position(PLIES)
    name = NAMES[1]
    sentence = f"{NAMES[0]} (player 1) wins: {name} (player 2) did not answer within 30 s."
    events = game(PLIES + 1)
    final = _REPLAY.position(PLIES + 1)
    final.eliminate(2)
    out = PlayerOut(2, Termination.TOO_SLOW, "did not answer within 30 s", "", final.copy())
    end = GameEnded(Result(1, Termination.TOO_SLOW, sentence, PLIES + 1), NAMES, position)
    return [*events, out, end]


def analysis() -> list[dict[str, Any]]:
    """Return an analysis that knows nothing but distances: a picture needs no engine."""
    found: list[dict[str, Any]] = []
    before = 0.5
    for ply, move in enumerate(MOVES, 1):
        position = _REPLAY.position(ply - 1)
        player = position.turn
        assert player is not None
        first = chance_of_first(_REPLAY.position(ply))
        own, earlier = (first, before) if player == 1 else (1 - first, 1 - before)
        loss = max(0.0, earlier - own)
        mark = next(
            (
                name
                for least, name in ((0.22, "blunder"), (0.15, "mistake"), (0.08, "inaccuracy"))
                if loss >= least
            ),
            None,
        )
        better = [Step(square) for square in position.shortest_path(player)[1:5]]
        moves = [format_move(each) for each in (better if mark else [move])]
        found.append(
            {
                "ply": ply,
                "player": player,
                "move": format_move(move),
                "score": 0,
                "chance": own,
                "wins_in": None,
                "best": [{"moves": moves, "score": 0, "chance": earlier, "wins_in": None}],
                "loss": loss,
                "mark": mark,
            }
        )
        before = first
    return found


def chance_of_first(position: Position) -> float:
    """Return a winning chance of player 1 that looks plausible."""
    own, other = position.distance(1), position.distance(2)
    assert own is not None
    assert other is not None
    walls = position.walls_left(1) - position.walls_left(2)
    return 1 / (1 + math.exp((own - other) / 3 - walls / 4))


# The sites.


def site_of(
    mode: str, events: Sequence[Event], routes: Sequence[BaseRoute] = ()
) -> Callable[[trio.Nursery], Site]:
    """Return a maker of a site with one game."""

    def make(_nursery: trio.Nursery) -> Site:
        live = LiveGame()
        for event in events:
            live(event)
        abilities = frozenset({"analysis"} if routes else ())
        return Site(mode, "Quoridor", LiveGames({1: live}), abilities, routes)

    return make


async def tell_analysis(socket: WebSocket) -> None:
    """Send the whole analysis."""
    await socket.accept()
    await socket.send_text(json.dumps({"reset": analysis()}))
    await socket.send_text(json.dumps({"accuracy": [87.4, 92.1]}))
    await until_gone(socket, lambda _message: None)


async def think(socket: WebSocket) -> None:
    """Send lines for every position: along the shortest paths."""
    await socket.accept()
    await until_gone(socket, lambda message: lines_of(message) if "position" in message else None)


async def until_gone(socket: WebSocket, answer: Callable[[dict[str, Any]], object]) -> None:
    """Answer messages until the browser leaves."""
    try:
        while True:
            answered = answer(json.loads(await socket.receive_text()))
            if answered is not None:
                await socket.send_text(json.dumps(answered))
    except WebSocketDisconnect:
        pass


def lines_of(message: dict[str, Any]) -> dict[str, Any]:
    """Return three lines of play in a position."""
    position = Position.from_line(message["position"])
    lines = []
    for number, move in enumerate(position.legal_moves[:3]):
        after = position.copy()
        after.push(move)
        line = [move]
        while len(line) < 6 and after.turn is not None:
            line.append(after.legal_steps[0])
            after.push(line[-1])
        lines.append({"moves": list(map(format_move, line)), "score": 0, "chance": 0.63 - number / 9})
    return {"position": message["position"], "depth": 14, "nodes": 1482311, "lines": lines}


SEAT = Seat(1)


def seat(nursery: trio.Nursery) -> Site:
    """Return the site of a seat in the middle of a game."""
    live = LiveGame()
    person = WebPlayer("you", takes_back=True)
    SEAT.player = person
    settings = MatchSettings(_REPLAY.position(PLIES), takes_back=True)
    nursery.start_soon(play_match, [person, SimplePlayer(0)], settings, [live])
    return Site("play", "Quoridor", LiveGames({1: live}, {1: [SEAT]}), frozenset({"seats"}))


def new_game(_nursery: trio.Nursery) -> Site:
    """Return the site on which games are begun."""
    defaults = {"level": 5, "side": "random", "size": 9, "walls": None, "players": 2, "jumps": "official"}
    return Site("play", "Quoridor", LiveGames({}), frozenset({"seats"}), (), defaults)


ANALYSED = (WebSocketRoute("/games/1/analysis", tell_analysis), WebSocketRoute("/analysis", think))

SITES: dict[str, Callable[[trio.Nursery], Site]] = {
    "waiting": site_of("watch", []),
    "live": site_of("watch", game(PLIES)),
    "over": site_of("watch", game()),
    "fault": site_of("watch", fault()),
    "four": site_of("watch", four_players_going_on()),
    "seat": seat,
    "new": new_game,
    "replay": site_of("replay", game()),
    "analysis": site_of("analysis", game(), ANALYSED),
}


# What is done on a page.


def keys(page: Page, *names: str) -> None:
    """Press keys one after another."""
    for name in names:
        page.keyboard.press(name)


def point(page: Page, across: float, down: float) -> None:
    """Point at a place of the board, in parts of its side; tap there on a phone."""
    box = page.locator(".board-drawing").bounding_box()
    assert box is not None
    x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
    page.mouse.move(x, y)


def settings(page: Page) -> None:
    """Open the settings."""
    page.get_by_role("button", name="Settings").click()


def large(page: Page) -> None:
    """Choose large type."""
    settings(page)
    page.get_by_role("checkbox", name="Large type").check()
    page.keyboard.press("Escape")


def german(page: Page) -> None:
    """Choose German and another notation."""
    settings(page)
    page.get_by_role("radio", name="2016").check()
    page.get_by_role("radio", name="Deutsch").check()
    page.keyboard.press("Escape")


def refuse(page: Page) -> None:
    """Ask to resign."""
    page.get_by_role("button", name="Resign").click()


PICTURES = [
    Picture("watch-waiting", "waiting"),
    Picture("watch", "live"),
    Picture("watch-paths", "live", prepare=lambda page: keys(page, "p")),
    Picture("watch-large", "live", prepare=large),
    Picture("watch-over", "over"),
    Picture("watch-fault", "fault"),
    Picture("watch-four", "four"),
    Picture("play-new", "new"),
    Picture("play-more", "new", prepare=lambda page: page.locator("summary").click()),
    Picture("play-turn", "seat", prepare=lambda page: point(page, 0.555, 0.74)),
    Picture("play-illegal", "seat", prepare=lambda page: point(page, 0.42, 0.32)),
    Picture(
        "play-keyboard",
        "seat",
        prepare=lambda page: (page.locator(".board-surface").focus(), keys(page, "ArrowUp", "v")),
    ),
    Picture("play-resign", "seat", prepare=refuse),
    Picture("replay", "replay", prepare=lambda page: keys(page, *["ArrowRight"] * 20)),
    Picture("replay-open", "replay", "#/replay"),
    Picture("position", "analysis", "#/position/d4f7h7%20%2F%20a2a8%20%2F%20e4%20e6%20%2F%207%208%20%2F%202"),
    Picture("analysis", "analysis", prepare=lambda page: keys(page, *["ArrowRight"] * 24)),
    Picture("settings", "live", prepare=settings),
    Picture("german", "over", prepare=german),
]


if __name__ == "__main__":
    main(sys.argv[1:])
