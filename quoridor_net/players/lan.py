"""The display client's player for a move server of the 2016 protocol."""

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

#: Shortest silence before a disconnect that the verdict mentions, in seconds.
SILENCE = 1.0

#: A disconnect may be caused by GAME or GOTE if at most this many messages followed it, and at most this many
#: seconds passed since the last message.
NEAR = 4
SOON = 2.0


#: The form of names that programs of the 2016 class require.
_NAME = re.compile(r"[^:]{3}:.+")


class LanPlayer(Player[Position, Move]):
    """The player behind one connection.

    Args:
        stream: the connection; the player closes it.
        number: its player number, for the transcript.
        gap: minimum delay between messages to a server that has sent nothing in between, in seconds. Servers
            of the 2016 class need it because they read one line per socket read.
        transcript: records all lines.
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
        # The time of the server's last message; the last GAME or GOTE after which it has sent nothing; and
        # the number of messages sent since then.
        self._heard_at = math.inf
        self._turning_point = ""
        self._followed = 0

    async def greet(self) -> None:
        """Send HELLO and take the name from IAM. The caller limits the time.

        Raises:
            ForfeitError: the server's answer is wrong, or it disconnects.
        """
        await self._send(Hello())
        while True:
            event = self._next_event()
            if isinstance(event, Iam):
                self.name = event.name
                return
            await self._receive()

    async def begin(self, seating: Seating[Position]) -> None:
        """Send GAME and the moves of the opening."""
        self._names = seating.names
        # A tournament may use names that this protocol cannot carry.
        await self._send(Game(seating.player, tuple(map(wire_name, seating.names))))
        for ply in seating.position.history:
            if ply.move is not None:
                await self._send(Atari(ply.player, ply.move))

    async def ready(self) -> None:
        """Wait until the minimum gap since the last message has passed."""
        if self._gap and self._sent_at + self._gap > trio.current_time():
            await trio.sleep_until(self._sent_at + self._gap)

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Send MYOUSHU and return the move of the TESUJI, which :meth:`watch` receives."""
        self._answer = Answer()
        await self._send(Myoushu())
        return await self._answer.take()

    async def notify(self, event: Event) -> None:
        """Send ATARI, GOTE or KIKASHI. The protocol has no message for a draw."""
        match event:
            case MoveMade(player, move):
                await self._send(Atari(player, move))
            case PlayerOut(player):
                await self._send(Gote(player))
            case GameEnded(result) if result.winner is not None:
                await self._send(Kikashi(result.winner))

    async def watch(self) -> ForfeitError:
        """Receive answers; return the first fault after the answer before it is taken."""
        try:
            while True:
                event = self._next_event()
                if isinstance(event, Tesuji):
                    self.last_answer = self._role.last_line
                    self._answer.give(event.move)
                    continue
                await self._receive()
        except ForfeitError as fault:
            await self._answer.wait_until_taken()
            return fault

    async def leave(self) -> None:
        """Close the connection gently, so that the server can read all messages."""
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
                raise self._connection.closing_fault
        except ForfeitError as fault:
            raise self._add_details(fault) from None
        self._sent_at = -math.inf
        # Any message after GAME or GOTE shows that the server survived it.
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
            raise self._add_details(fault) from None
        self._sent_at = trio.current_time()

    def _add_details(self, fault: ForfeitError) -> ForfeitError:
        """Return ``fault``, a lost connection, with its likely causes."""
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
        """Return the usual causes when programs of the 2016 class fail after GAME."""
        other = [visible(name) for name in self._names if not _NAME.fullmatch(name)]
        causes = [VerdictPhrase.CAUSE_NAMES(names=tuple(other))] if other else []
        causes += [VerdictPhrase.CAUSE_FOUR()] if len(self._names) == 4 else []
        last = VerdictPhrase.CAUSE_SECOND_LINE()
        if not causes:
            return VerdictPhrase.USUAL_CAUSE(cause=last)
        return VerdictPhrase.USUAL_CAUSES(causes=tuple(causes), last=last)
