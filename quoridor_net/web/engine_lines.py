"""Live engine analysis of the position that a browser shows."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import trio
from attrs import define, field, frozen
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from quoridor_net.analysis import BestLine, chance_of
from quoridor_net.analysis.encoding import line_as_object
from quoridor_net.engine import Analysis, Engine, Limits
from quoridor_net.phrases import Translatable, text_of
from quoridor_net.players.engine import SharedEngine, think
from quoridor_net.rules import Jumps, Position
from quoridor_net.text import UnparsableError
from quoridor_net.web.live import Send, encode
from quoridor_net.web.messages import address_of, converse, refuse, sender
from quoridor_net.web.refusals import RefusalPhrase, RefusedError
from quoridor_net.web.turns import Turns

#: Durations of the successive searches of a position, in seconds; each continues the previous one.
SEARCHES = (0.2, 0.4, 0.8, 1.6, 3.2, 6.4)

#: Maximum number of concurrent searches; each further search waits for its turn.
MAX_SEARCHES = 2

#: Maximum number of lines of a position.
MAX_LINES = 10

#: Transposition table of each concurrent search, in megabytes.
_TABLE_MB = 64


@frozen
class Question:
    """A request for the analysis of a position.

    Attributes:
        line: the position as the browser wrote it.
        position: the parsed position.
        lines: number of best lines to return.
    """

    line: str
    position: Position
    lines: int


def parse_question(message: Mapping[str, Any]) -> Question | None:
    """Parse the request of a browser; return None for a request to stop.

    Raises:
        RefusedError: the message is neither.
    """
    if message.get("stop") is True:
        return None
    line, jumps, lines = message.get("position"), message.get("jumps", "official"), message.get("lines", 1)
    if not isinstance(line, str) or jumps not in [str(rule) for rule in Jumps]:
        raise RefusedError("malformed", RefusalPhrase.QUESTION())
    if type(lines) is not int or not 1 <= lines <= MAX_LINES:
        raise RefusedError("malformed", RefusalPhrase.LINES(most=MAX_LINES))
    try:
        return Question(line, Position.from_line(line, Jumps(jumps)), lines)
    except UnparsableError as error:
        raise RefusedError("malformed", RefusalPhrase.NO_POSITION(reason=text_of(error))) from None


@define(eq=False)
class Place:
    """A slot that searches one position at a time.

    Attributes:
        threads: number of threads of a search.
        limiter: limits the searches of visitors. It is not that of the players, who therefore never wait for
            a visitor's search to end.
        question: the last request that was searched here; None for another kind of search.
        engine: the engine.
    """

    threads: int
    limiter: trio.CapacityLimiter
    question: Question | None = None
    engine: Engine = field(factory=lambda: Engine(table_mb=_TABLE_MB, uses_book=False))

    def search(self, question: Question, seconds: float, abandoned: threading.Event) -> Analysis:
        """Search for ``seconds``, continuing the last search if it was for the same request."""
        limits = Limits(time=seconds, threads=self.threads)
        return self.engine.play(question.position, limits, multipv=question.lines, abandoned=abandoned)

    def stop(self) -> None:
        """Cancel the running search."""
        self.engine.stop()


class EngineLines:
    """The analysis service for browsers.

    Args:
        engine: the engine, which may still be compiling.
        threads: threads of each search.
    """

    def __init__(self, engine: SharedEngine, threads: int = 1) -> None:
        self._engine = engine
        limiter = trio.CapacityLimiter(MAX_SEARCHES)
        self._places = [Place(threads, limiter) for _ in range(MAX_SEARCHES)]
        self._turns = Turns(MAX_SEARCHES)

    @property
    def routes(self) -> tuple[BaseRoute, ...]:
        """The route for requests."""
        return (WebSocketRoute("/analysis", self._serve),)

    async def _serve(self, socket: WebSocket) -> None:
        await socket.accept()
        asker = _Asker(self, sender(socket), address_of(socket))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(asker.run)
            await converse(socket, asker.take)
            nursery.cancel_scope.cancel()

    async def answer(self, question: Question, send: Send, address: str) -> None:
        """Send the analysis of a position, and again after each deeper search.

        Args:
            question: the request.
            send: sends one answer.
            address: address of the browser; all addresses have equal shares of the engine.
        """
        if question.position.turn is None:
            await send(_answer(question, None, 0))
            return
        if not await self.settle(question.position.players, send):
            return
        try:
            await self._search(question, send, address)
        except MemoryError:
            await send(_remark(RefusalPhrase.NO_MEMORY()))

    async def settle(self, players: int, send: Send) -> bool:
        """Wait for the engine, tell the browser so, and return whether it can search games of ``players``."""
        if not self._engine.is_ready(players):
            await send(_remark(RefusalPhrase.COMPILING()))
            if not await self._engine.settle(players):
                await send(_remark(RefusalPhrase.NO_ENGINE()))
                return False
        return True

    @asynccontextmanager
    async def take_turn(
        self, address: str, seconds: float, question: Question | None = None
    ) -> AsyncIterator[Place]:
        """Wait for a slot, which is free again after the block.

        Args:
            address: address of the browser; all addresses have equal shares of the slots.
            seconds: expected duration of the block, in seconds.
            question: the request to search; the slot that last searched it is preferred.
        """
        async with self._turns.turn(address, seconds):
            place = self._take_place(question)
            try:
                yield place
            finally:
                self._places.append(place)

    async def _search(self, question: Question, send: Send, address: str) -> None:
        nodes = 0
        for seconds in SEARCHES:
            async with self.take_turn(address, seconds, question) as place:
                found = await think(partial(place.search, question, seconds), place.stop, place.limiter)
            nodes += found.nodes
            await send(_answer(question, found, nodes))
            if found.choices[0].wins_in is not None:
                return

    def _take_place(self, question: Question | None) -> Place:
        """Return a free slot, preferably the one that last searched this request."""
        place = next((place for place in self._places if place.question is question), self._places[0])
        self._places.remove(place)
        place.question = question
        return place


class _Asker:
    """A browser that requests analyses; each new request cancels the previous one."""

    def __init__(self, lines: EngineLines, send: Send, address: str) -> None:
        self._lines = lines
        self._address = address
        self._send = send
        self._question: Question | None = None
        self._has_asked = trio.Event()
        self._answering = trio.CancelScope()

    async def take(self, message: Mapping[str, Any]) -> None:
        """Accept a message of the browser.

        Raises:
            RefusedError: the message is not a valid request.
        """
        self._question = parse_question(message)
        self._answering.cancel()
        self._has_asked.set()

    async def run(self) -> None:
        """Answer the latest request, then wait for the next one, until cancelled."""
        while True:
            await self._has_asked.wait()
            self._has_asked = trio.Event()
            question = self._question
            with trio.CancelScope() as self._answering:
                if question is not None:
                    await self._lines.answer(question, self._send, self._address)


def _answer(question: Question, found: Analysis | None, nodes: int) -> str:
    position = question.position
    lines = [
        BestLine(choice.line, choice.score, chance_of(choice.score, position), choice.wins_in)
        for choice in (() if found is None else found.choices)
    ]
    return encode(
        {
            "position": question.line,
            "depth": 0 if found is None else found.depth,
            "nodes": nodes,
            "lines": [line_as_object(line) for line in lines],
        }
    )


def _remark(sentence: Translatable) -> str:
    return refuse(RefusedError("not_possible", sentence))
