"""Games in the logs of the referee: wire transcripts in which the client speaks the Athens protocol.

Each log is the conversation with one engine process, S1, and may tell several games one after another. What
the engine answered to ``genmove`` is read as the referee reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import Factory, define

from quoridor_net.notation.athens import format_move
from quoridor_net.protocols.athens import NEED_DATA, RESIGN, ControllerRole, Response, parse_genmove_answer
from quoridor_net.protocols.common.errors import LocalProtocolError, RemoteProtocolError
from quoridor_net.replay.athens import read_commands
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.game import Replay
from quoridor_net.replay.lan import unquoted
from quoridor_net.rules import MAX_SIZE, Jumps
from quoridor_net.text import UnparsableError

_ENTRY = re.compile(r"\[ *[0-9.]+\] (C->S1|S1->C) (b'.*'|b\".*\")", re.ASCII)

#: The commands that a game consists of.
_TELLING = {"boardsize", "clear_board", "walls", "playmove", "playwall"}


@define
class _Told:
    """One game: its commands, each on the line of the log that it has there."""

    commands: dict[int, str] = Factory(dict)
    #: The line of the last answer to ``genmove``.
    answered: int = 0

    def text(self, without: int = 0) -> str:
        last = max(self.commands, default=0)
        lines = (self.commands.get(line, "") if line != without else "" for line in range(1, last + 1))
        return "".join(f"{line}\n" for line in lines)


def is_athens_log(text: str) -> bool:
    """Return whether ``text`` is such a log, by the first thing that the client says in it."""
    for _, is_sent, data in _entries(text):
        if is_sent:
            return data.split()[:1] == [b"boardsize"]
    return False


def read_log(
    text: str, *, jumps: Jumps = Jumps.OFFICIAL, partial: bool = False, number: int | None = None
) -> Replay:
    """Return a game of a log.

    Args:
        text: the log.
        jumps: the jump rule of the game, which a log does not tell.
        partial: accept a game that is not played to its end; then a last answer that is no legal move, which
            lost the game, is left out.
        number: which game, from 1; needed when the log tells several.

    Raises:
        ReplayError: there is no such game, or it breaks the rules.
    """
    games = _games(text)
    if number is None and len(games) > 1:
        raise ReplayError(Fault.SEVERAL, f"the log tells {len(games)} games: say which", 1, 1)
    if not 1 <= (number or 1) <= len(games):
        raise ReplayError(Fault.SYNTAX, f"there is no game {number}: the log tells {len(games)}", 1, 1)
    told = games[(number or 1) - 1]
    try:
        return read_commands(told.text(), jumps=jumps, partial=partial)
    except ReplayError as error:
        if not partial or error.line != told.answered or told.answered != max(told.commands):
            raise
    return read_commands(told.text(without=told.answered), jumps=jumps, partial=True)


def _games(text: str) -> list[_Told]:
    games: list[_Told] = []
    role = ControllerRole()
    for line, is_sent, data in _entries(text):
        if is_sent:
            role.give_up()
            command = data.decode("latin-1").strip()
            try:
                role.send(command)
            except LocalProtocolError as error:
                raise ReplayError(Fault.SYNTAX, str(error), line, 1) from None
            name = command.partition(" ")[0]
            if name == "boardsize":
                games.append(_Told())
            if games and name in _TELLING:
                games[-1].commands[line] = command
            continue
        move = _answered(role, data, line)
        if move and games:
            colour = role.command.partition(" ")[2]
            games[-1].commands[line] = f"{'playwall' if ' ' in move else 'playmove'} {colour} {move}"
            games[-1].answered = line
    return games


def _answered(role: ControllerRole, data: bytes, line: int) -> str:
    """Return the move that an engine's ``data`` answers to ``genmove``; empty if it does not."""
    try:
        role.receive_data(data)
        while (event := role.next_event()) is not NEED_DATA:
            if isinstance(event, Response) and event.is_success and event.command.startswith("genmove "):
                move = parse_genmove_answer(event.text, MAX_SIZE)
                # On the largest board a move is written as on every other.
                return "" if move == RESIGN else format_move(move, MAX_SIZE)
    except UnparsableError:
        return ""
    except RemoteProtocolError as error:
        raise ReplayError(Fault.SYNTAX, f"the engine {error.sentence}", line, 1) from None
    return ""


def _entries(text: str) -> Iterator[tuple[int, bool, bytes]]:
    """Yield the line, whether the client sent it, and the bytes of every entry."""
    for number, line in enumerate(text.splitlines(), 1):
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            continue
        try:
            yield number, entry[1] == "C->S1", unquoted(entry[2])
        except UnicodeEncodeError:
            column = entry.start(2) + 1
            raise ReplayError(Fault.SYNTAX, "bytes are written in ASCII", number, column) from None
