"""A move server of the 2016 protocol, seen from the display client, as a player."""

from __future__ import annotations

import math
import re

import trio
from trio.abc import Stream

from quoridor_net.events import Event, GameEnded, MoveMade, PlayerOut
from quoridor_net.net.connection import Connection
from quoridor_net.net.sockets import close_gently
from quoridor_net.outcome import ForfeitError
from quoridor_net.phrases import Translatable
from quoridor_net.players.answer import Answer
from quoridor_net.players.base import Clock, Player, Seating
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.protocols.lan import (
    NEED_DATA,
    Atari,
    ClientRole,
    Game,
    Gote,
    Hello,
    Iam,
    Ignored,
    Kikashi,
    Message,
    Myoushu,
    Tesuji,
)
from quoridor_net.rules import Move, Position
from quoridor_net.text import visible, wire_name
from quoridor_net.verdicts import VerdictPhrase

#: Seconds of silence before a lost connection from which on they are told.
SILENCE = 1.0

#: A connection that is lost at most so many messages after GAME or GOTE, and at most so many seconds after
#: the last of them, may well be lost because of those.
NEAR = 4
SOON = 2.0


#: The form of names that programs of the 2016 class demand.
_NAME = re.compile(r"[^:]{3}:.+")


class LanPlayer(Player[Position, Move]):
    """The player behind one connection.

    Args:
        stream: the connection; the player closes it.
        number: the player number it will have, for the transcript.
        gap: least seconds between two messages to the server if it said nothing in between. Servers of the
            2016 class read one line per socket read; this gives them the time to do so.
        transcript: where all lines are noted.
    """

    def __init__(
        self, stream: Stream, number: int, gap: float = 0.0, transcript: Transcript | None = None
    ) -> None:
        self.name = ""
        self._stream = stream
        self._gap = gap
        self._role = ClientRole()
        self._connection = Connection(stream, self._role, transcript, number)
        self._sent_at = -math.inf
        self._answer: Answer[Move] = Answer()
        self._names: tuple[str, ...] = ()
        # When the server said something last; the last GAME or GOTE that it did not answer since, and how
        # many messages followed it.
        self._heard_at = math.inf
        self._turning_point = ""
        self._followed = 0

    async def greet(self) -> None:
        """Say HELLO and take the name from IAM. The caller limits the time.

        Raises:
            ForfeitError: the server does not answer as it should.
        """
        await self._send(Hello())
        while True:
            event = self._next_event()
            if isinstance(event, Iam):
                self.name = event.name
                return
            await self._receive()

    async def begin(self, seating: Seating[Position]) -> None:
        """Send GAME, and the moves of the opening that the game begins with."""
        self._names = seating.names
        # A tournament may call somebody what this protocol cannot say.
        await self._send(Game(seating.player, tuple(map(wire_name, seating.names))))
        for ply in seating.position.history:
            if ply.move is not None:
                await self._send(Atari(ply.player, ply.move))

    async def ready(self) -> None:
        """Wait for the gap after what was sent last."""
        if self._gap and self._sent_at + self._gap > trio.current_time():
            await trio.sleep_until(self._sent_at + self._gap)

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Send MYOUSHU and return the move of the TESUJI, which :meth:`watch` receives."""
        self._answer = Answer()
        await self._send(Myoushu())
        return await self._answer.take()

    async def notify(self, event: Event) -> None:
        """Send ATARI, GOTE or KIKASHI. The protocol has no word for a draw."""
        match event:
            case MoveMade(player, move):
                await self._send(Atari(player, move))
            case PlayerOut(player):
                await self._send(Gote(player))
            case GameEnded(result) if result.winner is not None:
                await self._send(Kikashi(result.winner))

    async def watch(self) -> ForfeitError:
        """Receive answers; return the first fault, once the answer that came before it was taken."""
        try:
            while True:
                event = self._next_event()
                if isinstance(event, Tesuji):
                    self.last_answer = self._role.last_line
                    self._answer.give(event.move)
                    continue
                await self._receive()
        except ForfeitError as fault:
            await self._answer.settled()
            return fault

    async def leave(self) -> None:
        """Close the connection, but let the server read what was sent before."""
        await close_gently(self._stream)

    def _next_event(self) -> Message | Ignored | None:
        event = self._role.next_event()
        if event is NEED_DATA:
            return None
        self._heard_at = trio.current_time()
        return event

    async def _receive(self) -> None:
        try:
            if not await self._connection.receive():
                raise self._connection.closed
        except ForfeitError as fault:
            raise self._in_detail(fault) from None
        self._sent_at = -math.inf
        # It has got over GAME or GOTE if it says anything after it.
        self._turning_point = ""

    async def _send(self, message: Message) -> None:
        await self.ready()
        if isinstance(message, Game | Gote):
            self._turning_point = "GAME" if isinstance(message, Game) else str(message)
            self._followed = 0
        else:
            self._followed += 1
        try:
            await self._connection.send(message)
        except ForfeitError as fault:
            self._sent_at = trio.current_time()
            raise self._in_detail(fault) from None
        self._sent_at = trio.current_time()

    def _in_detail(self, fault: ForfeitError) -> ForfeitError:
        """Return the loss of the connection with what may have led to it."""
        now = trio.current_time()
        details: list[Translatable] = []
        hint = ""
        if now - self._heard_at >= SILENCE:
            details.append(VerdictPhrase.SILENT(seconds=round(now - self._heard_at)))
        if self._turning_point and self._followed <= NEAR and now - self._sent_at <= SOON:
            message = self._turning_point
            details.append(
                VerdictPhrase.SOON_AFTER(count=self._followed, message=message)
                if self._followed
                else VerdictPhrase.RIGHT_AFTER(message=message)
            )
            hint = self._hint() if self._turning_point == "GAME" else ""
        if not details:
            return fault
        sentence = VerdictPhrase.LOST_WHEN(did=fault.sentence, when=tuple(details))
        return ForfeitError(fault.termination, sentence, fault.line, hint)

    def _hint(self) -> str:
        """Return the usual causes for which programs of the 2016 class fail at GAME."""
        other = [visible(name) for name in self._names if not _NAME.fullmatch(name)]
        causes = [VerdictPhrase.CAUSE_NAMES(names=tuple(other))] if other else []
        causes += [VerdictPhrase.CAUSE_FOUR()] if len(self._names) == 4 else []
        last = VerdictPhrase.CAUSE_SECOND_LINE()
        if not causes:
            return VerdictPhrase.USUAL_CAUSE(cause=last)
        return VerdictPhrase.USUAL_CAUSES(causes=tuple(causes), last=last)
