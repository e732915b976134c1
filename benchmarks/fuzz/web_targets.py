"""What browsers send: messages on WebSockets and the bodies of requests, given to the whole application."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence

import trio
from starlette.types import ASGIApp, Message

from benchmarks.fuzz import samples
from benchmarks.fuzz.target import Target, fit_to_show, pieces, refusing
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.replay import Format
from quoridor_net.web import sites
from quoridor_net.web.application import application
from quoridor_net.web.engine_lines import parse_question
from quoridor_net.web.messages import RefusedError, parse_message
from quoridor_net.web.play import OwnGames, Wish

#: The game that is played while messages come.
WISH = Wish(level=1, size=3, walls=0)

#: Messages of one input: a connection is closed after a few more.
MOST_MESSAGES = 20

_HEADERS = [
    (b"host", b"localhost:8000"),
    (b"origin", b"http://localhost:8000"),
    (b"content-type", b"application/json"),
]


def feed_question(data: bytes) -> None:
    """Questions about positions, up to where the engine would think about them."""
    with refusing(RefusedError):
        parse_question(parse_message(data.decode("utf-8", "replace")))


def feed_web_socket(data: bytes) -> None:
    """Messages of the person who has the seat in a game; each line is one."""
    trio.run(_converse, data.decode("utf-8", "replace").split("\n")[:MOST_MESSAGES])


async def _converse(messages: Sequence[str]) -> None:
    complaints: list[str] = []
    async with trio.open_nursery() as nursery:
        games = OwnGames(nursery, SimplePlayer)
        number, token = games.begin(WISH)
        said: list[Message] = [{"type": "websocket.connect"}]
        said += [
            {"type": "websocket.receive", "text": text} for text in (json.dumps({"sit": token}), *messages)
        ]
        said.append({"type": "websocket.disconnect", "code": 1001})
        scope = _scope("websocket", f"/games/{number}/live")
        await _ask(application(sites.play(games), report=complaints.append), scope, said)
        nursery.cancel_scope.cancel()
    assert not complaints, complaints


def feed_web_request(data: bytes) -> None:
    """What is posted: wishes for games, and recorded games."""
    for path in ("/play", "/replay"):
        trio.run(_post, path, data)


async def _post(path: str, data: bytes) -> None:
    complaints: list[str] = []
    async with trio.open_nursery() as nursery:
        site = sites.play(OwnGames(nursery, SimplePlayer))
        said = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces(data)]
        said.append({"type": "http.request", "body": b"", "more_body": False})
        scope = _scope("http", path) | {"method": "POST"}
        await _ask(application(site, report=complaints.append), scope, said)
        nursery.cancel_scope.cancel()
    assert not complaints, complaints


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


async def _ask(app: ASGIApp, scope: dict[str, object], said: Iterable[Message]) -> None:
    """Send everything to the application; check that all it answers can be shown."""
    waiting = iter(said)

    async def receive() -> Message:
        await trio.lowlevel.checkpoint()
        message = next(waiting, None)
        if message is None:
            await trio.sleep_forever()
            raise AssertionError("unreachable")
        return message

    async def send(message: Message) -> None:
        await trio.lowlevel.checkpoint()
        for answer in (message.get("text", ""), message.get("body", b"").decode("utf-8")):
            assert answer.isascii(), ascii(answer[:200])
            if answer:
                said_back = json.loads(answer)
                if isinstance(said_back, dict):
                    fit_to_show(str(said_back.get("refused", "")) + str(said_back.get("error", "")))

    await app(scope, receive, send)


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


def _posted(source: random.Random) -> Sequence[bytes]:
    return [*_REQUESTS, *samples.games(Format.REPLAY, source)[:10]]


TARGETS = (
    Target("web-question", feed_question, lambda _: _QUESTIONS, _WORDS),
    Target("web-socket", feed_web_socket, lambda _: _MESSAGES, _WORDS),
    Target("web-request", feed_web_request, _posted, _WORDS),
)
