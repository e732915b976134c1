"""Messages on WebSockets and HTTP requests, as browsers send them to the whole application."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from urllib.parse import unquote

import trio
from starlette.types import ASGIApp, Message

from benchmarks.fuzz import samples
from benchmarks.fuzz.target import Target, check_showable, pieces, refusing
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.replay import RecordFormat
from quoridor_net.tournament.state import TournamentState
from quoridor_net.web import sites
from quoridor_net.web.application import Site, application
from quoridor_net.web.engine_lines import parse_question
from quoridor_net.web.messages import parse_message
from quoridor_net.web.play import OwnGames
from quoridor_net.web.refusals import RefusedError
from quoridor_net.web.signup import Gathering
from quoridor_net.web.tournament import TournamentFeed
from quoridor_net.web.wishes import Wish

#: The game in progress while messages arrive.
WISH = Wish(level=1, size=3, walls=0)

#: Maximum number of messages of an input; a connection is closed after a few more.
MOST_MESSAGES = 20

#: Paths of the successive requests of teams and the lecturer.
_SIGNUP_PATHS = ("/signup", "/signup", "/signup/confirm", "/signup/confirm", "/signup/remove", "/start")

_HEADERS = [
    (b"host", b"localhost:8000"),
    (b"origin", b"http://localhost:8000"),
    (b"content-type", b"application/json"),
]


def feed_question(data: bytes) -> None:
    """Parse questions about positions, without starting the engine."""
    with refusing(RefusedError):
        parse_question(parse_message(data.decode("utf-8", "replace")))


def feed_web_socket(data: bytes) -> None:
    """Send messages of the person at the board; each line is one."""
    trio.run(_converse, data.decode("utf-8", "replace").split("\n")[:MOST_MESSAGES])


async def _converse(messages: Sequence[str]) -> None:
    complaints: list[str] = []
    async with trio.open_nursery() as nursery:
        games = OwnGames(nursery, SimplePlayer)
        number, token = games.begin(WISH, "127.0.0.1")
        sent: list[Message] = [{"type": "websocket.connect"}]
        sent += [
            {"type": "websocket.receive", "text": text} for text in (json.dumps({"sit": token}), *messages)
        ]
        sent.append({"type": "websocket.disconnect", "code": 1001})
        scope = _scope("websocket", f"/boards/{number}/live")
        await _ask(application(sites.play(games), report=complaints.append), scope, sent)
        nursery.cancel_scope.cancel()
    assert not complaints, complaints


def feed_web_request(data: bytes) -> None:
    """Post wishes for games and recorded games."""
    trio.run(_post, data)


async def _post(data: bytes) -> None:
    complaints: list[str] = []
    async with trio.open_nursery() as nursery:
        site = sites.play(OwnGames(nursery, SimplePlayer))
        app = application(site, report=complaints.append)
        sent = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces(data)]
        sent.append({"type": "http.request", "body": b"", "more_body": False})
        for path in ("/play", "/replay"):
            await _ask(app, _scope("http", path) | {"method": "POST"}, sent)
        nursery.cancel_scope.cancel()
    assert not complaints, complaints


def feed_signup(data: bytes) -> None:
    """Post requests of teams and the lecturer before a tournament; each line goes to the next path."""
    trio.run(_sign_up, data.split(b"\n")[:MOST_MESSAGES])


async def _sign_up(bodies: Sequence[bytes]) -> None:
    complaints: list[str] = []
    gathering = Gathering(lambda _field: None, trial=_answer)
    app = application(_tournament(gathering), report=complaints.append)
    for path, body in zip(itertools.cycle(_SIGNUP_PATHS), bodies, strict=False):
        scope = _scope("http", path) | {"method": "POST"}
        scope["headers"] = [*_HEADERS, (b"authorization", b"Bearer " + gathering.token.encode())]
        sent = [{"type": "http.request", "body": body, "more_body": False}]
        await _ask(app, scope, sent, _check_page_answer)
        assert all(team["name"].isprintable() for team in gathering.list_teams()["teams"])
    assert not complaints, complaints


async def _answer(_endpoint: Endpoint, _has_loopback: bool) -> str:
    await trio.lowlevel.checkpoint()
    return "xyz"


def _tournament(gathering: Gathering) -> Site:
    view = TournamentFeed(TournamentState(), Path("a.db"), "a", "round-robin", gathering.list_teams)
    return sites.tournament(view, gathering)


def feed_web_head(data: bytes) -> None:
    """Send the first line and the headers of a request, as an HTTP server passes them on."""
    trio.run(_request, data)


async def _request(data: bytes) -> None:
    complaints: list[str] = []
    first, *rest = data.split(b"\n")[:MOST_MESSAGES]
    method, _, target = first.decode("latin-1").partition(" ")
    path, _, query = target.partition("?")
    scope = _scope("http", unquote(path))
    headers = [tuple(line.partition(b":")[::2]) for line in rest]
    scope |= {"method": method, "query_string": query.encode("latin-1"), "raw_path": path.encode("latin-1")}
    scope["headers"] = [(name.strip().lower(), value.strip()) for name, value in headers]
    answers: list[Message] = []
    app = application(_tournament(Gathering(lambda _field: None, trial=_answer)), report=complaints.append)
    await _ask(app, scope, [{"type": "http.request", "body": b"", "more_body": False}], answers.append)
    assert not complaints, complaints
    starts = [answer for answer in answers if answer["type"] == "http.response.start"]
    assert len(starts) == 1
    assert starts[0]["status"] < 500
    assert b"content-security-policy" in dict(starts[0]["headers"])


def _scope(kind: str, path: str) -> dict[str, object]:
    return {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": _HEADERS,
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
    }


async def _ask(
    app: ASGIApp,
    scope: dict[str, object],
    sent: Iterable[Message],
    take: Callable[[Message], None] | None = None,
) -> None:
    """Send all messages to the application; pass its answers to ``take``, or check that they can be shown."""
    waiting = iter(sent)

    async def receive() -> Message:
        await trio.lowlevel.checkpoint()
        message = next(waiting, None)
        if message is None:
            await trio.sleep_forever()
            raise AssertionError("unreachable")
        return message

    async def send(message: Message) -> None:
        await trio.lowlevel.checkpoint()
        (take or _check_showable)(message)

    await app(scope, receive, send)


def _check_showable(message: Message) -> None:
    for answer in (message.get("text", ""), message.get("body", b"").decode("utf-8")):
        assert answer.isascii(), ascii(answer[:200])
        if answer:
            parsed = json.loads(answer)
            if isinstance(parsed, dict):
                check_showable(str(parsed.get("refused", "")) + str(parsed.get("error", "")))


def _check_page_answer(message: Message) -> None:
    """Check an answer that may quote names, which can be in any script."""
    if message["type"] == "http.response.body" and message["body"]:
        parsed = json.loads(message["body"])
        shown = str(parsed.get("error", "")) + str(parsed.get("name", ""))
        assert shown.isprintable(), ascii(shown[:200])
        assert len(shown) < 1000, f"{len(shown)} characters"


_WORDS = (
    b'{ } [ ] : , "sit" "move" "ply" "resign" "undo" "hint" "rematch" true false null 0 1 -1 1.5 1e999 NaN'
    b' "(0, 1)" "[(0, 0), h]" "e2" "level" "side" "first" "second" "random" "size" 3 9 25 "walls"'
    b' "players" 2 4 "jumps" "official" "classroom" "position" "lines" "stop" "" "\\ud800"'
    b' " /  / b1 b3 / 0 0 / 1 / 3"'
).split(b" ")

_MESSAGES = (
    b'{"move": "(1, 1)", "ply": 0}\n{"move": "(1, 2)", "ply": 2}\n{"rematch": true}',
    b'{"move": "[(0, 0), h]", "ply": 0}',
    b'{"hint": true}\n{"undo": true}\n{"resign": true}\n{"rematch": true}',
    b'{"sit": "1-abc"}\n{"move": 1, "ply": "0"}',
)
_REQUESTS = (
    b'{"level": 3, "side": "second", "size": 5, "walls": 2, "players": 4, "jumps": "classroom"}',
    b'{"level": 10, "walls": null}',
)
_QUESTIONS = (
    b'{"position": " /  / b1 b3 / 0 0 / 1 / 3", "lines": 3}',
    b'{"position": "e3 / d4 / e1 e9 / 3 3 / 2", "jumps": "classroom"}',
    b'{"stop": true}',
)

_SIGNUPS = (
    b"\n".join((
        b'{"name": "ann", "address": "localhost:5858"}', b'{"name": "bob", "address": "[::1]:5859"}',
        b'{"name": "ann"}', b'{"name": "bob"}', b'{"name": "x"}', b"{}", b'{"name": "c", "address": "h:1"}',
    )),
    b"\n".join((
        b'{"name": "\xc3\xa4 b", "address": "10.0.0.1:1"}', b'{"name": "b", "address": "h:65535"}',
        b'{"name": "\\u00e4_b"}', b'{"name": "b"}', b'{"name": "b"}', b"{}",
    )),
)  # fmt: skip
_SIGNUP_WORDS = (
    b'{ } [ ] : , "name" "address" "ann" "bob" "localhost:5858" "[::1]:1" "h:0" "qtp:./e" "a=b" "" null true'
    b' 1 "\\ud800" "\\u202e" "\\u200b" "10.0.0.1:1" "_"'
).split(b" ")

_HEADS = (
    b"GET /\nhost: localhost:8000",
    b"GET /games/1/events.json\nhost: 127.0.0.1:8000\naccept-encoding: gzip",
    b"GET /games/12/replay.txt\nhost: [::1]:8000\nif-none-match: x",
    b'GET /tournament.json\nhost: localhost\nif-none-match: "1"',
    b"GET /tournament/games.json?offset=10&limit=2\nhost: localhost",
    b"GET /signup.json\nhost: localhost\nauthorization: Bearer x",
    b"POST /start\nhost: localhost\norigin: http://localhost\nauthorization: Bearer x",
    b"POST /replay\nhost: localhost\norigin: https://localhost\ncontent-type: text/plain; charset=x",
    b"HEAD /static/../index.html\nhost: localhost\nrange: bytes=0-1",
    b"GET /qr.svg\nhost: localhost",
)
_HEAD_WORDS = (
    b"GET HEAD POST OPTIONS / // /static/ /games/ /live /signup /start .. %2e%2e %00 %ff ? & = offset= limit="
    b" 0 -1 99999999999999999999 host: origin: null http://localhost localhost [::1] :8000 range: bytes=0-"
    b" gzip if-none-match: if-modified-since: accept-encoding: content-length: authorization: Bearer * W/"
).split(b" ")


def _requests(source: random.Random) -> Sequence[bytes]:
    return [*_REQUESTS, *samples.games(RecordFormat.REPLAY, source)[:10]]


TARGETS = (
    Target("web-question", feed_question, lambda _: _QUESTIONS, _WORDS),
    Target("web-socket", feed_web_socket, lambda _: _MESSAGES, _WORDS),
    Target("web-request", feed_web_request, _requests, _WORDS),
    Target("web-signup", feed_signup, lambda _: _SIGNUPS, _SIGNUP_WORDS),
    Target("web-head", feed_web_head, lambda _: _HEADS, _HEAD_WORDS),
)
