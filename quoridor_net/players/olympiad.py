"""The server's player for a client of the 2006 Clobber protocol, for a series of games."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress

import trio
from trio.abc import Stream

from quoridor_net.clobber import ClobberPosition, Colour, Move
from quoridor_net.events import GameEnded, MatchEvent, MoveMade, PlayerOut
from quoridor_net.net import deadlines
from quoridor_net.net.connection import Connection
from quoridor_net.net.sockets import close_gently
from quoridor_net.outcome import ForfeitError
from quoridor_net.output import ignore
from quoridor_net.players.answer import Answer
from quoridor_net.players.base import Clock, Player, Seating
from quoridor_net.protocols.common.errors import RemoteProtocolError
from quoridor_net.protocols.common.role import NEED_DATA, Ignored
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.protocols.olympiad.messages import End, Error, Play, Played, Settings
from quoridor_net.protocols.olympiad.roles import ClobberServerRole
from quoridor_net.protocols.olympiad.transitions import ClobberServerState
from quoridor_net.rules import Termination
from quoridor_net.text import visible

#: Pause between two games of a client, in seconds. Stray lines that arrive during it are dropped.
SETTLE_TIME = 0.1

#: Time beyond the move time to wait for a late move before the next game, in seconds.
LATE_TIME = 1.0


class OlympiadPlayer(Player[ClobberPosition, Move]):
    """The player behind one connection.

    Call :meth:`greet` once, then run :meth:`listen` for the lifetime of the connection. A fault of the client
    ends only its own game, or its own part in the tournament.

    Args:
        stream: the connection; the player closes it.
        number: number of the connection, for the transcript.
        move_time: time limit for a move, in seconds; it also bounds the wait for a late move.
        rows_first: send the rows before the columns in ``m n b``.
        transcript: records all lines.
        report: gets a line about each dropped line.

    Attributes:
        gone: why the client can no longer play; None while it can.
    """

    def __init__(
        self,
        stream: Stream,
        number: int,
        *,
        move_time: float,
        rows_first: bool = False,
        transcript: Transcript | None = None,
        report: Callable[[str], None] = ignore,
    ) -> None:
        self.name = ""
        self.gone: ForfeitError | None = None
        self._stream = stream
        self._move_time = move_time
        self._report = report
        self._role = ClobberServerRole(rows_first=rows_first)
        self._connection = Connection(stream, self._role, transcript, number, is_server=True)
        self._colour: Colour | None = None
        self._asked_at = -math.inf
        self._ended_at = -math.inf
        self._answer: Answer[Move] = Answer()
        self._was_idle = False
        self._fault: ForfeitError | None = None
        self._faulted = trio.Event()
        self._heard = trio.Event()
        self._closed = trio.Event()

    async def greet(self) -> None:
        """Receive the handshake with the name (step 1). The caller limits the time.

        Raises:
            ForfeitError: the client did not send ``play clobber name``; the caller must close the connection.
        """
        event = await self._connection.next_event()
        if event is None:
            raise self._connection.closing_fault
        assert isinstance(event, Play), "any other first message is a fault"
        # Names are only shown and compared, because no client learns the name of another.
        self.name = visible(event.name)

    async def refuse(self) -> None:
        """Send ``error`` instead of a game, and close the connection."""
        # The client may already be gone.
        with suppress(ForfeitError):
            await self._connection.send(Error())
        await self.close()

    async def listen(self) -> None:
        """Receive until the client is gone, set :attr:`gone`, and close the connection."""
        try:
            while True:
                self._read_lines()
                if not await self._connection.receive():
                    raise self._connection.closing_fault
        except ForfeitError as fault:
            self.gone = fault
            self._offend(fault)
        # A client in a game gets the verdict first. When this method returns, the server closes the
        # connection forcefully, which could destroy that last message.
        if self._colour is not None:
            await self._closed.wait()
        elif self.gone.termination is Termination.FLOODING and self._was_idle:
            await self.refuse()
        else:
            await self.close()

    async def ready(self) -> None:
        """Wait before a game until late moves have arrived and been dropped.

        Raises:
            ForfeitError: the client is gone.
        """
        if self._colour is not None:
            return
        late_until = self._asked_at + self._move_time + LATE_TIME
        with deadlines.move_on_after(max(late_until - trio.current_time(), 0.0)):
            while self._role.state is ClobberServerState.LATE and self.gone is None:
                self._heard = trio.Event()
                await self._heard.wait()
        await trio.sleep_until(max(self._ended_at + SETTLE_TIME, trio.current_time()))
        self._fault = None
        self._faulted = trio.Event()
        if self.gone is not None:
            raise self.gone

    async def begin(self, seating: Seating[ClobberPosition]) -> None:
        """Send ``m n b`` (step 2)."""
        if self.gone is not None:
            raise self.gone
        self._expect_answer()
        position, colour = seating.position, Colour(seating.player)
        self._colour = colour
        await self._connection.send(Settings(position.columns, position.rows, begins=colour is Colour.BLACK))

    async def choose(self, position: ClobberPosition, clock: Clock) -> Move:
        """Return the next move (step 3) from :meth:`listen`."""
        return await self._answer.take()

    async def notify(self, event: MatchEvent[ClobberPosition, Move]) -> None:
        """Send the opponent's move or a verdict (step 4)."""
        match event:
            case MoveMade(player, move) if player != self._colour:
                self._expect_answer()
                await self._connection.send(Played(move))
            case PlayerOut(player) if self._colour is not None:
                await self._end_game(Error() if player == self._colour else End())
            case GameEnded() if self._colour is not None:
                await self._end_game(None)

    async def watch(self) -> ForfeitError:
        """Return the client's first fault in this game after the answer before it is taken."""
        await self._faulted.wait()
        await self._answer.wait_until_taken()
        assert self._fault is not None
        return self._fault

    async def close(self) -> None:
        """Close the connection gently, so that the client can read all messages."""
        try:
            await close_gently(self._stream)
        finally:
            self._closed.set()

    def _expect_answer(self) -> None:
        self._asked_at = trio.current_time()
        self._answer = Answer()

    async def _end_game(self, verdict: Error | End | None) -> None:
        try:
            if verdict is None:
                # No message is needed: the loser has received the final move, and the winner has made it.
                self._role.finish()
            else:
                await self._connection.send(verdict)
        finally:
            # Only now, because ``listen`` keeps the connection open until a game has ended.
            self._colour = None
            self._ended_at = trio.current_time()
            if self.gone is not None:
                await self.close()

    def _read_lines(self) -> None:
        while True:
            # A flood changes the state, which decides whether ``error`` can still be sent.
            self._was_idle = self._role.state is ClobberServerState.IDLE
            try:
                event = self._role.next_event()
            except RemoteProtocolError as fault:
                if fault.termination is Termination.FLOODING:
                    raise
                self._offend(fault)
                continue
            if event is NEED_DATA:
                return
            self._heard.set()
            if isinstance(event, Played):
                self.last_answer = self._role.last_line
                self._answer.give(event.move)
            elif isinstance(event, Ignored):
                self._report(f"{self.name}: dropped '{event.line}', {event.sentence}")

    def _offend(self, fault: ForfeitError) -> None:
        self._heard.set()
        if self._fault is None:
            self._fault = fault
            self._faulted.set()
