"""The web application: the page, its files, the description of the site and its games."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import segno
import trio
from attrs import frozen
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

import quoridor_net
from quoridor_net.net.networks import Networks
from quoridor_net.output import ignore
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.web.bundle import ASK_AGAIN, send_asset, send_page
from quoridor_net.web.faults import Faults
from quoridor_net.web.games import Games
from quoridor_net.web.messages import converse, refuse, refuse_all, sender
from quoridor_net.web.origin import OwnOrigin
from quoridor_net.web.path_numbers import NUMBER
from quoridor_net.web.proxies import Forwarded
from quoridor_net.web.refusals import RefusalPhrase, RefusedError, refusal
from quoridor_net.web.replays import file_of, read_replay
from quoridor_net.web.sitting import Sitting
from quoridor_net.web.texts import LANGUAGES, texts_of

#: The pages, by their addresses after ``#/``: the routes of ``main.js``.
PAGES = (
    f"boards/{NUMBER}",
    f"entrants/{NUMBER}",
    f"games/{NUMBER}",
    f"games/{NUMBER}/{{ply:number}}",
    "join/{token}",
    "learn",
    f"learn/{NUMBER}",
    "position/{line}",
    "position/{line}/{jumps}",
    "projector",
    "puzzles",
    f"puzzles/{NUMBER}",
    "replay",
    "seat/{token}",
    "signup",
    "signup/{token}",
)

#: Minimum size of a compressed response, in bytes.
LEAST_COMPRESSED = 1000


@frozen
class Site:
    """A site: its games, its abilities and its further routes.

    Attributes:
        mode: purpose: ``watch``, ``tournament``, ``play``, ``replay`` or ``analysis``.
        title: title of the window.
        games: the games, by number.
        abilities: further true values in ``/site.json``: ``seats``, ``analysis``.
        routes: routes besides those of the games.
        defaults: preselected settings of a new game; None if no games can be started.
        signs_up: returns whether teams can sign up now.
        picture: the picture of boards for readers who did not choose a notation.
    """

    mode: str
    title: str
    games: Games
    abilities: frozenset[str] = frozenset()
    routes: Sequence[BaseRoute] = ()
    defaults: Mapping[str, Any] | None = None
    signs_up: Callable[[], bool] = bool
    picture: BoardPicture = BoardPicture.STANDARD

    @property
    def description(self) -> Mapping[str, Any]:
        """The content of ``/site.json``."""
        abilities = {name: name in self.abilities for name in ("seats", "analysis")}
        abilities |= {"signup": self.signs_up()}
        chosen = {} if self.defaults is None else {"defaults": dict(self.defaults)}
        about = {"mode": self.mode, "version": quoridor_net.__version__, "title": self.title}
        return about | {"notation": self.picture.value} | abilities | chosen


def application(
    site: Site,
    names: frozenset[str] = frozenset({"localhost"}),
    report: Callable[[str], None] = ignore,
    url: str = "http://localhost/",
    proxies: Networks | None = None,
) -> ASGIApp:
    """Return the application that serves ``site``.

    Args:
        site: the site.
        names: accepted host names, in lower case; see :mod:`quoridor_net.web.origin`.
        report: gets a sentence about each internal error.
        url: address of the site on other machines.
        proxies: networks of proxies that forward the addresses of browsers; None for no proxies.
    """
    texts = {language: json.dumps(texts_of(language)) for language in LANGUAGES}

    async def texts_in(request: Request) -> Response:
        text = texts.get(request.path_params["language"])
        if text is None:
            raise HTTPException(404)
        return Response(text, media_type="application/json", headers=ASK_AGAIN)

    async def description(_request: Request) -> Response:
        about = {**site.description, "url": url}
        return JSONResponse(about, headers={"cache-control": "no-store"})

    @cache
    def draw_code(leads_to_form: bool) -> bytes:
        return qr_code(f"{url}#/signup" if leads_to_form else url)

    async def code(_request: Request) -> Response:
        headers = {"cache-control": "no-store"}
        return Response(draw_code(site.signs_up()), media_type="image/svg+xml", headers=headers)

    async def events(request: Request) -> Response:
        document = await site.games.document(request.path_params["number"])
        if document is None:
            return no_such_game()
        return Response(document, media_type="application/json", headers={"cache-control": "no-store"})

    async def replay(request: Request) -> Response:
        number = request.path_params["number"]
        game = await site.games.replay(number)
        return no_such_game() if game is None else file_of(game, number)

    app = Starlette(
        routes=[
            Route("/", send_page),
            Route("/site.json", description),
            Route("/qr.svg", code),
            Route(f"/games/{NUMBER}/events.json", events),
            Route(f"/games/{NUMBER}/replay.txt", replay),
            *_live_routes(site.games),
            Route("/replay", read_replay, methods=["POST"]),
            *site.routes,
            Route("/texts/{language}.json", texts_in),
            Route("/static/{name}", send_asset),
            *(Route(f"/{page}", _go_to_page) for page in PAGES),
        ],
        middleware=[
            Middleware(OwnOrigin, names=names),
            Middleware(GZipMiddleware, minimum_size=LEAST_COMPRESSED),
        ],
    )
    return _Reporting(app if proxies is None else Forwarded(app, proxies), report)


async def _go_to_page(request: Request) -> Response:
    """Redirect to a page whose address somebody typed without its ``#``."""
    path = request.url.path
    return RedirectResponse("../" * (path.count("/") - 1) + f"./#{path}")


def _live_routes(games: Games) -> Sequence[BaseRoute]:
    """Return the routes for following games and boards."""

    async def follow_game(socket: WebSocket) -> None:
        number = socket.path_params["number"]
        game = games.find(number)
        if game is None:
            await _send_recorded(socket, await games.document(number))
            return
        await socket.accept()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(game.follow, sender(socket))
            await converse(socket, refuse_all)
            nursery.cancel_scope.cancel()

    async def follow_board(socket: WebSocket) -> None:
        board = games.board(socket.path_params["number"])
        if board is None:
            await refuse_missing(socket)
            return
        await socket.accept()
        async with trio.open_nursery() as nursery:
            sitting = Sitting(socket, board, nursery)
            nursery.start_soon(board.follow, sender(socket), sitting.tell, sitting.urgency)
            await converse(socket, sitting.handle, sitting.hear)
            nursery.cancel_scope.cancel()

    return (
        WebSocketRoute(f"/games/{NUMBER}/live", follow_game),
        WebSocketRoute(f"/boards/{NUMBER}/live", follow_board),
    )


async def _send_recorded(socket: WebSocket, document: str | None) -> None:
    """Send the document of a recorded game as the only message; None if there is no such game."""
    if document is None:
        await refuse_missing(socket)
        return
    await socket.accept()
    await sender(socket)(document)
    await socket.close()


def qr_code(text: str) -> bytes:
    """Return ``text`` as a QR code (SVG)."""
    picture = io.BytesIO()
    segno.make(text, micro=False).save(picture, kind="svg", xmldecl=False, scale=8, border=4, light="white")
    return picture.getvalue()


def no_such_game() -> Response:
    """Return the response to a request for a game that does not exist."""
    return refusal(RefusalPhrase.NO_GAME(), 404)


async def refuse_missing(socket: WebSocket) -> None:
    """Say on a new connection that the game or board does not exist; pages cannot see why one is refused."""
    await socket.accept()
    await sender(socket)(refuse(RefusedError("no_game", RefusalPhrase.NO_GAME())))
    await socket.close()


class _Reporting:
    """Wrapper that reports errors of the application."""

    def __init__(self, app: ASGIApp, report: Callable[[str], None]) -> None:
        self._app = app
        self._faults = Faults(report)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            self._faults.tell(error)
