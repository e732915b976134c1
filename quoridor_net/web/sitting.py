"""The connections of browsers to boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import trio
from starlette.websockets import WebSocket

from quoridor_net.web.board import Board
from quoridor_net.web.live import Urgency, encode
from quoridor_net.web.messages import address_of, refuse, sender
from quoridor_net.web.refusals import RefusalPhrase, RefusedError
from quoridor_net.web.seat import Agreements, Seat, WebPlayer

#: A person counts as away after this many seconds without a message. Pages send pings more often.
SILENCE = 12.0


class Sitting:
    """The connection of one browser to a board, as a spectator or as the holder of a seat.

    Args:
        socket: connection to the browser.
        board: the board that it follows.
        nursery: runs the searches for hints.
    """

    def __init__(self, socket: WebSocket, board: Board, nursery: trio.Nursery) -> None:
        self._send = sender(socket)
        self._address = address_of(socket)
        self._board = board
        self._nursery = nursery
        self._seat: Seat | None = None
        self._pairing = trio.CancelScope()
        # When the browser sent its last message, on trio's clock, and an event for the next one.
        self._heard_at = trio.current_time()
        self._heard = trio.Event()
        #: The holder of a seat gets every event at once.
        self.urgency = Urgency()

    async def tell(self) -> None:
        """Send the browser the abilities of its seat, if it has one."""
        if self._seat is None:
            return
        player = self._seat.player
        seated = {
            "player": self._seat.number or None,
            "can_undo": player is not None and player.takes_back,
            "can_hint": player is not None and player.gives_hints,
            "can_rematch": self._seat.rematch is not None,
            "next_levels": self._seat.next_levels,
        }
        await self._send(encode({"seated": seated}))

    async def handle(self, message: Mapping[str, Any]) -> None:
        """Carry out a message.

        Raises:
            RefusedError: the browser may not do this, or it is not possible now.
        """
        match message:
            case {"sit": str(token)}:
                self._sit(next((seat for seat in self._board.seats if seat.admits(token)), None))
                await self.tell()
            case {"move": text, "ply": ply}:
                self._player().move(text, ply)
            case {"resign": True}:
                self._player().resign()
            case {"undo": True}:
                self._player().take_back()
            case {"hint": True}:
                player = self._player()
                self._nursery.start_soon(self._hint, player)
            case {"rematch": True}:
                self._rematch()
            case {"offer": str(subject)}:
                seat, pair = self._own_pair()
                pair.offer(seat, subject)
            case {"accept": str(subject)}:
                seat, pair = self._own_pair()
                pair.accept(seat, subject)
            case {"decline": str(subject)}:
                seat, pair = self._own_pair()
                pair.decline(seat, subject)
            case _:
                raise RefusedError("malformed", RefusalPhrase.UNKNOWN_MESSAGE())

    def _sit(self, seat: Seat | None) -> None:
        if seat is None or seat is not self._seat:
            self._pairing.cancel()
        self._seat = seat
        if seat is None:
            raise RefusedError("no_seat", RefusalPhrase.NO_SUCH_SEAT())
        self.urgency.demand()
        if seat.pair is not None:
            self._pairing.cancel()
            self._pairing = trio.CancelScope()
            self._nursery.start_soon(self._follow_pair, seat, seat.pair, self._pairing)

    def hear(self) -> None:
        """Note that the browser is still there."""
        self._heard_at = trio.current_time()
        self._heard.set()

    async def _follow_pair(self, seat: Seat, pair: Agreements, scope: trio.CancelScope) -> None:
        """Show the browser the offers and the presence of the other person."""
        with scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(pair.follow, seat, self._send)
                while True:
                    self._heard = trio.Event()
                    with pair.presence(seat):
                        while (rest := self._heard_at + SILENCE - trio.current_time()) > 0:  # noqa: ASYNC110
                            await trio.sleep(rest)
                    await self._heard.wait()

    async def _hint(self, player: WebPlayer) -> None:
        try:
            move, ply = await player.hint(self._address)
        except RefusedError as error:
            await self._send(refuse(error))
        else:
            await self._send(encode({"hint": {"move": str(move), "ply": ply}}))

    def _rematch(self) -> None:
        seat = self._own_seat()
        if seat.rematch is None or not self._board.live.is_over:
            raise RefusedError("not_possible", RefusalPhrase.NO_REMATCH())
        seat.rematch()

    def _own_seat(self) -> Seat:
        if self._seat is None:
            raise RefusedError("no_seat", RefusalPhrase.LOOKING_ON())
        return self._seat

    def _own_pair(self) -> tuple[Seat, Agreements]:
        seat = self._own_seat()
        if seat.pair is None:
            raise RefusedError("not_possible", RefusalPhrase.NO_FRIEND())
        return seat, seat.pair

    def _player(self) -> WebPlayer:
        player = self._own_seat().player
        if player is None or self._board.live.is_over:
            raise RefusedError("game_over", RefusalPhrase.NO_GAME_NOW())
        return player
