"""A recorded game in the browser, with an analysis that arrives ply by ply."""

from __future__ import annotations

import trio
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from quoridor_net.analysis import PlyAnalysis
from quoridor_net.analysis.encoding import accuracies_of, as_object
from quoridor_net.replay import Replay
from quoridor_net.web.application import no_such_game
from quoridor_net.web.live import FRAME, Send, encode
from quoridor_net.web.messages import converse, refuse_all, sender
from quoridor_net.web.replays import RecordedGame


class AnalysedGame(RecordedGame):
    """The only game of a site, with the analysis of its plies so far.

    Args:
        replay: the game.
    """

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay)
        self._game = replay
        self._plies: list[PlyAnalysis] = []
        self._encoded: list[str] = []
        self._end: str | None = None
        self._news = trio.Event()

    @property
    def routes(self) -> tuple[BaseRoute, ...]:
        """The route of the analysis."""
        return (WebSocketRoute("/games/{number:int}/analysis", self._serve),)

    def add(self, ply: PlyAnalysis) -> None:
        """Add the analysis of the next ply."""
        self._plies.append(ply)
        self._encoded.append(encode(as_object(ply)))
        self._wake()

    def finish(self) -> None:
        """End the analysis: no more plies follow."""
        self._end = encode({"accuracy": accuracies_of(self._game, self._plies)})
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

    async def _serve(self, socket: WebSocket) -> None:
        if socket.path_params["number"] != 1:
            await socket.send_denial_response(no_such_game())
            return
        await socket.accept()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.follow, sender(socket))
            await converse(socket, refuse_all)
            nursery.cancel_scope.cancel()
