"""The engine's end of an Athens session, sans-I/O.

Pass the controller's bytes to ``receive_data``. ``next_event`` returns finished replies, and requests that
the caller must answer: moves and the application's private commands.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

from attrs import frozen

from quoridor_net.notation.athens import format_move
from quoridor_net.protocols.athens.athens_game import AthensGame
from quoridor_net.protocols.athens.command_lines import MAX_COMMAND, CommandLines
from quoridor_net.protocols.athens.commands import (
    COMMANDS,
    GENMOVE,
    SYNTAX_ERROR,
    UNKNOWN_COMMAND,
    CommandError,
    EngineSetting,
    Words,
    parse_player,
)
from quoridor_net.protocols.athens.transitions import (
    ENGINE_RECEIVES,
    ENGINE_SENDS,
    EngineKind,
    EngineState,
)
from quoridor_net.protocols.common.role import NEED_DATA, Need, Role
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, Jumps, Move, Position
from quoridor_net.text import UnparsableError

#: The answer to genmove when the game is over or no move is legal. The protocol says that genmove never fails
#: and that its output is a vertex or a string.
PASS = "pass"  # noqa: S105 - no secret


@frozen
class Reply:
    """A complete response: write ``data``."""

    data: bytes


@frozen
class MoveWanted:
    """``genmove``: answer with :meth:`EngineRole.play`.

    Attributes:
        player: the player to move.
        position: the position, with that player on turn. It belongs to the receiver.
    """

    player: int
    position: Position


@frozen
class PrivateCommand:
    """One of the application's own commands: answer with :meth:`EngineRole.succeed`."""

    name: str
    words: tuple[str, ...]


@frozen
class Farewell:
    """``quit``: write ``data``, then close the connection."""

    data: bytes


EngineEvent = Reply | MoveWanted | PrivateCommand | Farewell


#: Maps control characters of a reply to question marks; characters beyond ASCII become question marks too.
_SHOWN: Final = bytes(
    code if code in b"\n" or ord(" ") <= code <= ord("~") else ord("?") for code in range(256)
)


def encode_reply(is_success: bool, lines: Iterable[str]) -> bytes:
    """Return the bytes of a response (sections 2.4 and 2.5): its only empty line is at the end."""
    first, *rest = list(lines) or [""]
    text = "\n".join([first, *(line for line in rest if line.strip())]) if rest else first
    shown = text.encode("ascii", "replace").translate(_SHOWN)
    sign = b"=" if is_success else b"?"
    space = b"" if not shown or shown.startswith(b"\n") else b" "
    return b"%b%b%b\n\n" % (sign, space, shown)


#: The response to the many commands without output.
_DONE: Final = Reply(encode_reply(True, []))


@lru_cache
def _failure(complaint: str) -> Reply:
    """Return the response for one of the few failures of the protocol."""
    return Reply(encode_reply(False, [complaint]))


class EngineRole(Role[EngineState, EngineKind, EngineEvent]):
    """The engine's end of the connection to one controller.

    Args:
        name: the answer to ``name``.
        private: names of the application's own commands, included in ``list_commands``.
        sizes: the supported board sizes.
        jumps: the jump rule.
    """

    NAME = "the engine"
    START = EngineState.READY
    SENDS = ENGINE_SENDS
    RECEIVES = ENGINE_RECEIVES

    _lines: CommandLines

    def __init__(
        self,
        name: str,
        private: Iterable[str] = (),
        sizes: range = range(MIN_SIZE, MAX_SIZE + 1),
        jumps: Jumps = Jumps.OFFICIAL,
    ) -> None:
        super().__init__(CommandLines())
        self.game = AthensGame(jumps)
        self._table = {command.name: command for command in COMMANDS}
        self._private = frozenset(private)
        names = (*self._table, *sorted(self._private))
        self._setting = EngineSetting(self.game, name, sizes, names)
        self._mover = 0

    def receive_end(self) -> bool:
        """Handle the end of the input; return whether a last line without newline still needs an answer."""
        return self._lines.end_line()

    def next_event(self) -> EngineEvent | Literal[Need.DATA]:
        """Run the next command; return its reply, its request, or NEED_DATA.

        Commands are answered in the order of their arrival (section 1.8).

        Raises:
            LocalProtocolError: the last event was not answered yet.
        """
        if self._state is not EngineState.READY:
            if self._state is EngineState.CLOSED and self.error is None:
                return NEED_DATA
            self._refuse(f"{self.NAME} cannot take a command while {self._state.value}")
        return super().next_event()

    def _read(self, line: bytes) -> EngineEvent:
        if len(line) > MAX_COMMAND:
            return _failure(SYNTAX_ERROR)
        # Section 1.1: 8-bit characters; Latin-1 maps each byte to one. Only SPACE separates words, but
        # str.split() would also split at the no-break space.
        name, *words = line.decode("latin-1").rstrip(" ").split(" ")
        try:
            kind, event = self._do(name, words)
        except (CommandError, UnparsableError) as failure:
            complaint = str(failure) if isinstance(failure, CommandError) else SYNTAX_ERROR
            kind, event = EngineKind.COMMAND, _failure(complaint)
        self._state = ENGINE_RECEIVES[self._state, kind]
        return event

    def _do(self, name: str, words: Words) -> tuple[EngineKind, EngineEvent]:
        if name in self._private:
            return EngineKind.PRIVATE, PrivateCommand(name, tuple(words))
        command = self._table.get(name)
        if command is None:
            return EngineKind.COMMAND, _failure(UNKNOWN_COMMAND)
        if command.run is None:
            if name == GENMOVE:
                return self._genmove(parse_player(words))
            return EngineKind.QUIT, Farewell(encode_reply(True, []))
        lines = command.run(self._setting, words)
        return EngineKind.COMMAND, Reply(encode_reply(True, lines)) if lines else _DONE

    def _genmove(self, player: int) -> tuple[EngineKind, EngineEvent]:
        position = self.game.position_for(player)
        if position is None:
            return EngineKind.COMMAND, Reply(encode_reply(True, [PASS]))
        self._mover = player
        return EngineKind.GENMOVE, MoveWanted(player, position.copy())

    def play(self, move: Move) -> bytes:
        """Make the move and return the answer to ``genmove``.

        Raises:
            LocalProtocolError: no ``genmove`` is pending.
            IllegalMoveError: the move is not legal; ``genmove`` stays pending.
        """
        state = self._state_after(EngineKind.MOVE)
        self.game.play(self._mover, move)
        self._state = state
        return encode_reply(True, [format_move(move, self.game.size)])

    def succeed(self, lines: Iterable[str] = ()) -> bytes:
        """Return the answer to a private command.

        Raises:
            LocalProtocolError: no private command is pending.
        """
        self._state = self._state_after(EngineKind.SUCCESS)
        return encode_reply(True, lines)

    def fail(self, message: str) -> bytes:
        """Return the failure of ``genmove`` or a private command; ``message`` is one line.

        Raises:
            LocalProtocolError: neither is pending.
        """
        self._state = self._state_after(EngineKind.FAILURE)
        return encode_reply(False, [message.replace("\n", " ")])
