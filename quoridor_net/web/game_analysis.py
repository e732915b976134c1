"""The analysis of a recorded game for browsers, which arrives ply by ply."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from quoridor_net.analysis import PlyAnalysis
from quoridor_net.analysis.encoding import accuracies_of, as_object
from quoridor_net.replay import Replay
from quoridor_net.web.application import refuse_missing
from quoridor_net.web.live import FRAME, Send, encode
from quoridor_net.web.messages import address_of, converse, refuse_all, sender
from quoridor_net.web.path_numbers import NUMBER


class GameAnalysis:
    """The analysis of a game so far, which any number of browsers follow.

    Args:
        replay: the game.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self._plies: list[PlyAnalysis] = []
        self._encoded: list[str] = []
        self._end: str | None = None
        self._news = trio.Event()

    def __len__(self) -> int:
        """Return the number of analysed plies."""
        return len(self._plies)

    def add(self, ply: PlyAnalysis) -> None:
        """Add the analysis of the next ply."""
        self._plies.append(ply)
        self._encoded.append(encode(as_object(ply)))
        self._wake()

    def finish(self) -> None:
        """End the analysis: no more plies follow."""
        self._end = encode({"accuracy": accuracies_of(self.replay, self._plies)})
        self._wake()

    async def follow(self, send: Send) -> None:
        """Send the plies so far, then each new one, and finally the accuracies of the players."""
        seen = len(self._encoded)
        await send(f'{{"reset":[{",".join(self._encoded)}]}}')
        while True:
            news = self._news
            if seen < len(self._encoded):
                first, seen = seen, len(self._encoded)
                await send(f"[{','.join(self._encoded[first:seen])}]")
                # Shallow searches finish faster than people can see.
                await trio.sleep(FRAME)
            elif self._end is None:
                await news.wait()
            else:
                await send(self._end)
                return

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()


async def _do_nothing(_analysis: GameAnalysis, _send: Send, _address: str) -> None:
    """Leave the analysis to another task."""


def analysis_route(
    find: Callable[[int], GameAnalysis | None],
    work: Callable[[GameAnalysis, Send, str], Awaitable[None]] = _do_nothing,
) -> WebSocketRoute:
    """Return the route of the analyses of games.

    Args:
        find: returns the analysis of a game by its number; None if the game has none.
        work: runs while a browser follows an analysis; gets it, a function that sends a message to the
            browser, and the address of the browser.
    """

    async def serve(socket: WebSocket) -> None:
        analysis = find(socket.path_params["number"])
        if analysis is None:
            await refuse_missing(socket)
            return
        await socket.accept()
        send = sender(socket)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(analysis.follow, send)
            nursery.start_soon(work, analysis, send, address_of(socket))
            await converse(socket, refuse_all)
            nursery.cancel_scope.cancel()

    return WebSocketRoute(f"/games/{NUMBER}/analysis", serve)
