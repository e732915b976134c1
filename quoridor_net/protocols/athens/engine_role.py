"""The engine's end of an Athens session, without any input or output.

Bytes of the controller go into ``receive_data``; ``next_event`` hands out finished replies and what somebody
else has to answer: moves, and the private commands of an application.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Final, Literal

from attrs import frozen

from quoridor_net.notation.athens import format_move
from quoridor_net.protocols.athens.command_lines import CommandLines, CommandTooLongError
from quoridor_net.protocols.athens.commands import (
    COMMANDS,
    GENMOVE,
    QUIT,
    SYNTAX_ERROR,
    UNKNOWN_COMMAND,
    CommandError,
    Setting,
    Words,
    parse_player,
)
from quoridor_net.protocols.athens.game import AthensGame
from quoridor_net.protocols.common.errors import LocalProtocolError
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, Jumps, Move, Ply, Position


class Need(enum.Enum):
    """What ``next_event`` returns when there is no event."""

    #: More bytes have to be read first.
    DATA = "data"


NEED_DATA: Final[Literal[Need.DATA]] = Need.DATA


class EngineState(enum.Enum):
    """Where an engine's session stands."""

    #: The next command is awaited.
    READY = "ready"
    #: ``genmove`` came; :meth:`EngineRole.play` or :meth:`EngineRole.fail` is awaited.
    THINKING = "thinking"
    #: A private command came; :meth:`EngineRole.succeed` or :meth:`EngineRole.fail` is awaited.
    WORKING = "working"
    #: ``quit`` was answered. What comes after it is ignored.
    CLOSED = "closed"


class Action(enum.Enum):
    """What moves a session from one state to another."""

    COMMAND = "a command of the table"
    GENMOVE = "genmove"
    PRIVATE = "a private command"
    QUIT = "quit"
    PLAY = "play"
    SUCCEED = "succeed"
    FAIL = "fail"


#: All that can happen, by state; the state that follows. The documentation's diagram is drawn from it.
TRANSITIONS: dict[tuple[EngineState, Action], EngineState] = {
    (EngineState.READY, Action.COMMAND): EngineState.READY,
    (EngineState.READY, Action.GENMOVE): EngineState.THINKING,
    (EngineState.READY, Action.PRIVATE): EngineState.WORKING,
    (EngineState.READY, Action.QUIT): EngineState.CLOSED,
    (EngineState.THINKING, Action.PLAY): EngineState.READY,
    (EngineState.THINKING, Action.FAIL): EngineState.READY,
    (EngineState.WORKING, Action.SUCCEED): EngineState.READY,
    (EngineState.WORKING, Action.FAIL): EngineState.READY,
}

#: What genmove answers when there is nothing to play: the game is over or no move is legal. The protocol
#: says that genmove never fails and that its output is a vertex or a string.
PASS = "pass"  # noqa: S105 - no secret


@frozen
class Reply:
    """A whole response; ``data`` is to be written."""

    data: bytes


@frozen
class MoveWanted:
    """``genmove``: answer with :meth:`EngineRole.play`.

    Attributes:
        player: whose move is wanted.
        position: the position, in which it is that player's turn. It belongs to the receiver.
        history: everything played, oldest first, in whatever order the colours came.
    """

    player: int
    position: Position
    history: tuple[Ply, ...]


@frozen
class PrivateCommand:
    """A command of the application: answer with :meth:`EngineRole.succeed`."""

    name: str
    words: tuple[str, ...]


@frozen
class Farewell:
    """``quit``: ``data`` is to be written before the connection is closed."""

    data: bytes


EngineEvent = Reply | MoveWanted | PrivateCommand | Farewell


#: Control characters of a reply become question marks, as characters that are not ASCII do.
_SHOWN: Final = bytes(
    code if code in b"\n" or ord(" ") <= code <= ord("~") else ord("?") for code in range(256)
)


def encode_reply(is_success: bool, lines: Iterable[str]) -> bytes:
    """Return the bytes of a response (sections 2.4 and 2.5): one blank line ends it, and none is inside."""
    first, *rest = list(lines) or [""]
    text = "\n".join([first, *(line for line in rest if line.strip())]) if rest else first
    shown = text.encode("ascii", "replace").translate(_SHOWN)
    sign = b"=" if is_success else b"?"
    blank = b"" if not shown or shown.startswith(b"\n") else b" "
    return b"%b%b%b\n\n" % (sign, blank, shown)


class EngineRole:
    """An engine towards one controller.

    Args:
        name: what ``name`` answers.
        private: names of the application's own commands, which ``list_commands`` shows.
        sizes: the board sizes that are accepted.
        jumps: the jump rule.

    Attributes:
        state: where the session stands.
        game: what is played.
    """

    def __init__(
        self,
        name: str,
        private: Iterable[str] = (),
        sizes: range = range(MIN_SIZE, MAX_SIZE + 1),
        jumps: Jumps = Jumps.OFFICIAL,
    ) -> None:
        self.state = EngineState.READY
        self.game = AthensGame(jumps)
        self._lines = CommandLines()
        self._table = {command.name: command for command in COMMANDS}
        self._private = frozenset(private)
        names = (*self._table, *sorted(self._private))
        self._setting = Setting(self.game, name, sizes, names)
        self._mover = 0

    def receive_data(self, data: bytes) -> None:
        """Take what was read from the controller, in chunks of any size."""
        self._lines.receive(data)

    def receive_end(self) -> bool:
        """Note the end of the input; return whether a last line without a newline is to be answered."""
        return self._lines.end_line()

    def next_event(self) -> EngineEvent | Literal[Need.DATA]:
        """Do the next command; return its reply, what it asks for, or NEED_DATA.

        Commands are answered in the order in which they came (section 1.8).

        Raises:
            LocalProtocolError: the last event was not answered yet.
        """
        if self.state is EngineState.CLOSED:
            return NEED_DATA
        if self.state is not EngineState.READY:
            raise LocalProtocolError(f"the engine cannot take a command while {self.state.value}")
        try:
            words = self._lines.next_command()
        except CommandTooLongError:
            return Reply(encode_reply(False, [SYNTAX_ERROR]))
        if words is None:
            return NEED_DATA
        try:
            return self._do(words[0], words[1:])
        except CommandError as failure:
            return Reply(encode_reply(False, [str(failure)]))

    def _do(self, name: str, words: Words) -> EngineEvent:
        if name in self._private:
            self._go(Action.PRIVATE)
            return PrivateCommand(name, tuple(words))
        command = self._table.get(name)
        if command is None:
            raise CommandError(UNKNOWN_COMMAND)
        if name == QUIT:
            self._go(Action.QUIT)
            return Farewell(encode_reply(True, []))
        if name == GENMOVE:
            return self._genmove(parse_player(words))
        assert command.run is not None
        reply = Reply(encode_reply(True, command.run(self._setting, words)))
        self._go(Action.COMMAND)
        return reply

    def _genmove(self, player: int) -> Reply | MoveWanted:
        position = self.game.position_for(player)
        if position is None:
            return Reply(encode_reply(True, [PASS]))
        self._go(Action.GENMOVE)
        self._mover = player
        return MoveWanted(player, position.copy(), self.game.history)

    def play(self, move: Move) -> bytes:
        """Return the answer to ``genmove`` and make the move.

        Raises:
            LocalProtocolError: no move is wanted.
            IllegalMoveError: the move is not legal; it is still wanted.
        """
        if self.state is not EngineState.THINKING:
            raise LocalProtocolError(f"nobody asked for a move while {self.state.value}")
        self.game.play(self._mover, move)
        self._go(Action.PLAY)
        return encode_reply(True, [format_move(move, self.game.size)])

    def succeed(self, lines: Iterable[str] = ()) -> bytes:
        """Return the answer to a private command.

        Raises:
            LocalProtocolError: no private command waits for an answer.
        """
        self._go(Action.SUCCEED)
        return encode_reply(True, lines)

    def fail(self, message: str) -> bytes:
        """Return the failure of ``genmove`` or a private command; ``message`` is one line.

        Raises:
            LocalProtocolError: neither waits for an answer.
        """
        self._go(Action.FAIL)
        return encode_reply(False, [message.replace("\n", " ")])

    def _go(self, action: Action) -> None:
        state = TRANSITIONS.get((self.state, action))
        if state is None:
            raise LocalProtocolError(f"the engine cannot do {action.value} while {self.state.value}")
        self.state = state
