"""The web application: the page and its files, what the site is, and the games."""

from __future__ import annotations

import io
import json
import mimetypes
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import segno
import trio
from attrs import frozen
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

import quoridor_net
from quoridor_net.output import ignore
from quoridor_net.web.faults import Faults
from quoridor_net.web.live import LiveGame
from quoridor_net.web.messages import converse, sender
from quoridor_net.web.origin import OwnOrigin
from quoridor_net.web.refusals import RefusalPhrase, refusal
from quoridor_net.web.replays import file_of, read_replay
from quoridor_net.web.seat import Seat, Sitting
from quoridor_net.web.texts import LANGUAGES, texts_of

STATIC = Path(__file__).parent / "static"

#: Bytes from which on answers are compressed.
LEAST_COMPRESSED = 1000

#: For browsers: another version of this program may have other files and texts.
ASK_AGAIN = {"cache-control": "no-cache"}

# Windows lets programs have other opinions.
for _suffix, _media_type in (("js", "text/javascript"), ("css", "text/css"), ("svg", "image/svg+xml")):
    mimetypes.add_type(_media_type, f".{_suffix}")


class Games(Protocol):
    """Where a site has its games from."""

    def find(self, number: int) -> LiveGame | None:
        """Return a game that can be followed; None if there is none."""

    async def document(self, number: int) -> str | None:
        """Return the events of a game as one JSON object; None if there is no such game."""

    def seats(self, number: int) -> Sequence[Seat]:
        """Return the seats of a game at which people play in the browser."""


@frozen
class Site:
    """What a site offers.

    Attributes:
        mode: what people come for: ``watch``, ``tournament``, ``play``, ``replay`` or ``analysis``.
        title: for the window.
        games: by number.
        abilities: what else ``/site.json`` calls true: ``seats``, ``analysis``.
        routes: what is offered besides the games.
        defaults: what a person chooses from who begins a game, as it stands at first.
        signs_up: returns whether teams can sign up now.
    """

    mode: str
    title: str
    games: Games
    abilities: frozenset[str] = frozenset()
    routes: Sequence[BaseRoute] = ()
    defaults: Mapping[str, Any] | None = None
    signs_up: Callable[[], bool] = bool

    @property
    def description(self) -> Mapping[str, Any]:
        """What ``/site.json`` says."""
        abilities = {name: name in self.abilities for name in ("seats", "analysis")}
        abilities |= {"signup": self.signs_up()}
        chosen = {} if self.defaults is None else {"defaults": dict(self.defaults)}
        about = {"mode": self.mode, "version": quoridor_net.__version__, "title": self.title}
        return about | abilities | chosen


def application(
    site: Site,
    names: frozenset[str] = frozenset({"localhost"}),
    report: Callable[[str], None] = ignore,
    url: str = "http://localhost/",
) -> ASGIApp:
    """Return the application that serves ``site``.

    Args:
        site: what it offers.
        names: under which the site may be asked for, in lower case; see :mod:`quoridor_net.web.origin`.
        report: gets a sentence about an error of this program.
        url: where others find the site.
    """
    files = _Files(directory=STATIC)
    texts = {language: json.dumps(texts_of(language)) for language in LANGUAGES}

    async def page(request: Request) -> Response:
        return await files.get_response("index.html", request.scope)

    async def texts_in(request: Request) -> Response:
        text = texts.get(request.path_params["language"])
        if text is None:
            raise HTTPException(404)
        return Response(text, media_type="application/json", headers=ASK_AGAIN)

    async def description(_request: Request) -> Response:
        return JSONResponse(site.description, headers={"cache-control": "no-store"})

    @cache
    def drawn_code() -> bytes:
        return qr_code(url)

    async def code(_request: Request) -> Response:
        return Response(drawn_code(), media_type="image/svg+xml")

    async def events(request: Request) -> Response:
        document = await site.games.document(request.path_params["number"])
        if document is None:
            return no_such_game()
        return Response(document, media_type="application/json", headers={"cache-control": "no-store"})

    async def replay(request: Request) -> Response:
        number = request.path_params["number"]
        game = site.games.find(number)
        recorded = None if game is None else game.replay()
        return no_such_game() if recorded is None else file_of(recorded, number)

    async def live(socket: WebSocket) -> None:
        number = socket.path_params["number"]
        game = site.games.find(number)
        if game is None:
            await socket.send_denial_response(no_such_game())
            return
        await socket.accept()
        async with trio.open_nursery() as nursery:
            sitting = Sitting(socket, game, site.games.seats(number), nursery)
            nursery.start_soon(game.follow, sender(socket), sitting.tell)
            await converse(socket, sitting.handle)
            nursery.cancel_scope.cancel()

    app = Starlette(
        routes=[
            Route("/", page),
            Route("/site.json", description),
            Route("/qr.svg", code),
            Route("/games/{number:int}/events.json", events),
            Route("/games/{number:int}/replay.txt", replay),
            WebSocketRoute("/games/{number:int}/live", live),
            Route("/replay", read_replay, methods=["POST"]),
            *site.routes,
            Route("/texts/{language}.json", texts_in),
            Mount("/static", files),
        ],
        middleware=[
            Middleware(OwnOrigin, names=names),
            Middleware(GZipMiddleware, minimum_size=LEAST_COMPRESSED),
        ],
    )
    return _Reporting(app, report)


class _Files(StaticFiles):
    """The files of the pages."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        """Return a file, or that the browser has it."""
        response = super().file_response(*args, **options)
        response.headers.update(ASK_AGAIN)
        return response


def qr_code(text: str) -> bytes:
    """Return a picture (SVG) from which telephones read ``text``."""
    picture = io.BytesIO()
    segno.make(text, micro=False).save(picture, kind="svg", xmldecl=False, scale=8, border=4, light="white")
    return picture.getvalue()


def no_such_game() -> Response:
    """Return the answer to who asks for a game that does not exist."""
    return refusal(RefusalPhrase.NO_GAME(), 404)


class _Reporting:
    """Reports errors of the application."""

    def __init__(self, app: ASGIApp, report: Callable[[str], None]) -> None:
        self._app = app
        self._faults = Faults(report)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            self._faults.tell(error)
