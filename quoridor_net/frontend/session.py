"""One Athens session over a pair of streams."""

from __future__ import annotations

import abc
from collections.abc import Iterable

from trio.abc import ReceiveStream, SendStream

from quoridor_net.frontend.private import PrivateCommands
from quoridor_net.players import PlayerFault
from quoridor_net.qtp import (
    EngineRole,
    Farewell,
    MoveWanted,
    PrivateCommand,
    QtpGame,
    Reply,
)
from quoridor_net.qtp.commands import CommandFailed
from quoridor_net.rules import IllegalMove, Move

CHUNK = 65536


class MoveSource(abc.ABC):
    """What answers ``genmove``."""

    @abc.abstractmethod
    async def choose(self, wanted: MoveWanted, game: QtpGame) -> Move:
        """Return a legal move for ``wanted``; ``game`` is the session's and not to be changed.

        Raises:
            PlayerFault: there is none to be had; the sentence says why.
        """

    @abc.abstractmethod
    async def leave(self) -> None:
        """Release what is held. Called once, at the end of the session."""


class Session:
    """An engine that answers one controller until ``quit`` or the end of its input.

    Args:
        role: the protocol.
        source: where moves come from.
        private: the answers to the role's private commands.
    """

    def __init__(self, role: EngineRole, source: MoveSource, private: PrivateCommands | None = None) -> None:
        self._role = role
        self._source = source
        self._private = private

    async def run(self, receive: ReceiveStream, send: SendStream) -> None:
        """Answer commands. Reads on only after everything read before is answered.

        Raises:
            trio.BrokenResourceError: the controller is gone.
        """
        replies = bytearray()
        try:
            while True:
                event = self._role.next_event()
                match event:
                    case Reply(data):
                        replies += data
                        continue
                    case Farewell(data):
                        await send.send_all(bytes(replies) + data)
                        return
                if replies:
                    await send.send_all(bytes(replies))
                    replies.clear()
                if isinstance(event, MoveWanted):
                    replies += await self._genmove(event)
                elif isinstance(event, PrivateCommand):
                    replies += await self._answer(event)
                elif not await self._read(receive):
                    return
        finally:
            await self._source.leave()

    async def _read(self, receive: ReceiveStream) -> bool:
        """Feed what comes next; return False when the input is over and nothing is left to do."""
        data = bytes(await receive.receive_some(CHUNK))
        if data:
            self._role.receive_data(data)
            return True
        return self._role.receive_end()

    async def _genmove(self, wanted: MoveWanted) -> bytes:
        try:
            return self._role.play(await self._source.choose(wanted, self._role.game))
        except PlayerFault as fault:
            return self._role.fail(fault.sentence)
        except IllegalMove as error:
            return self._role.fail(str(error))

    async def _answer(self, command: PrivateCommand) -> bytes:
        assert self._private is not None, "the role knows private commands only if there are any"
        try:
            lines: Iterable[str] = await self._private.run(command, self._role.game)
        except CommandFailed as failure:
            return self._role.fail(str(failure))
        return self._role.succeed(lines)
