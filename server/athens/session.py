"""One Athens session over a pair of streams."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio
from trio.abc import ReceiveStream, SendStream

from quoridor_net.notation.athens import notation
from quoridor_net.outcome import ForfeitError
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.protocols.athens import (
    NEED_DATA,
    EngineRole,
    Farewell,
    MoveWanted,
    PrivateCommand,
    Reply,
)
from quoridor_net.protocols.athens.commands import SYNTAX_ERROR, CommandError
from quoridor_net.rules import IllegalMoveError, Move, Position
from quoridor_net.text import UnparsableError

from .private import PrivateCommands

CHUNK = 65536

#: Number of answered bytes to send before the next command is read.
MAX_UNSENT = 65536

#: Other sessions get a turn after this many commands of one read, which needed no waiting.
COMMANDS_PER_TURN = 16

#: Maximum number of bytes without a line end. Only a device or a mistake sends more.
MAX_UNENDED = 16 * 1024 * 1024


class ControllerSession:
    """An engine that answers one controller until ``quit`` or the end of its input."""

    def __init__(
        self, role: EngineRole, player: Player[Position, Move], private: PrivateCommands | None = None
    ) -> None:
        self._role = role
        self._player = player
        self._game_number = role.game.number
        self._private = private
        self._unended = 0

    async def run(
        self,
        receive: ReceiveStream,
        send: SendStream,
        gone: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Answer commands, each of them before reading more.

        Other sessions get a turn after a few commands, however many arrive at once.

        Args:
            receive: stream of commands.
            send: stream for answers.
            gone: returns when the controller no longer waits for the answer, which ends the session; None
                if that cannot be known.

        Raises:
            trio.BrokenResourceError: the controller is gone, or sends a line without an end.
        """
        game = self._role.game
        replies = bytearray()
        commands = 0
        try:
            while True:
                event = self._role.next_event()
                match event:
                    case Reply(data):
                        if game.number != self._game_number:
                            await self._begin()
                        replies += data
                        commands += 1
                        if commands % COMMANDS_PER_TURN == 0:
                            await trio.lowlevel.checkpoint()
                        if len(replies) < MAX_UNSENT:
                            continue
                    case Farewell(data):
                        await send.send_all(bytes(replies) + data)
                        return
                if replies:
                    await send.send_all(bytes(replies))
                    replies.clear()
                if isinstance(event, MoveWanted | PrivateCommand):
                    answer = await self._work(event, gone)
                    if answer is None:
                        return
                    replies += answer
                elif event is NEED_DATA:
                    commands = 0
                    if not await self._read(receive):
                        return
        finally:
            await self._player.leave()

    async def _begin(self) -> None:
        """Seat the player after the controller began a game, while no clock runs."""
        game = self._role.game
        self._game_number = game.number
        await self._player.ready()
        # The controller may ask for moves of either colour.
        await self._player.begin(Seating(1, ("black", "white"), game.position.copy()))

    async def _work(
        self, event: MoveWanted | PrivateCommand, gone: Callable[[], Awaitable[None]] | None
    ) -> bytes | None:
        """Return the answer to ``event``; None if the controller no longer waits for it."""
        if gone is None:
            return await self._respond(event)
        answer: bytes | None = None
        failure: Exception | None = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_cancel_after, gone, nursery.cancel_scope)
            try:
                answer = await self._respond(event)
            except Exception as error:
                # Raised below, because the nursery would wrap it.
                failure = error
            nursery.cancel_scope.cancel()
        if failure is not None:
            raise failure
        return answer

    async def _respond(self, event: MoveWanted | PrivateCommand) -> bytes:
        game = self._role.game
        try:
            if isinstance(event, MoveWanted):
                return self._role.play(await self._player.choose(event.position, Clock()))
            assert self._private is not None, "the role knows private commands only if there are any"
            lines = await self._private.run(event, game)
            if game.number != self._game_number:
                await self._begin()
            return self._role.succeed(lines)
        except ForfeitError as fault:
            return self._role.fail(fault.sentence)
        except CommandError as failure:
            return self._role.fail(str(failure))
        except UnparsableError:
            return self._role.fail(SYNTAX_ERROR)
        except IllegalMoveError as error:
            return self._role.fail(error.explain(notation(game.size)))

    async def _read(self, receive: ReceiveStream) -> bool:
        """Read more input; return False at its end when nothing is left to do."""
        data = bytes(await receive.receive_some(CHUNK))
        if data:
            self._role.receive_data(data)
            self._unended = 0 if b"\n" in data else self._unended + len(data)
            if self._unended > MAX_UNENDED:
                raise trio.BrokenResourceError("the input is one line without an end")
            return True
        return self._role.receive_end()


async def _cancel_after(gone: Callable[[], Awaitable[None]], scope: trio.CancelScope) -> None:
    await gone()
    scope.cancel()
