"""Read games from the referee's logs, which are wire transcripts of the Athens protocol.

Each log is the conversation with one engine process, S1, and may contain several games. Answers to
``genmove`` are read as the referee reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import Factory, define

from quoridor_net.notation.athens import format_play, parse_colour
from quoridor_net.protocols.athens import NEED_DATA, RESIGN, ControllerRole, Response, parse_genmove_answer
from quoridor_net.protocols.common.errors import LocalProtocolError, RemoteProtocolError
from quoridor_net.replay.athens import read_commands
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.replay import Replay
from quoridor_net.replay.wire import choose_game, entries
from quoridor_net.rules import MAX_SIZE, Jumps
from quoridor_net.text import UnparsableError

#: The commands that describe a game.
_TELLING = {"boardsize", "clear_board", "walls", "playmove", "playwall"}

_ENTRY = re.compile(r"\[ *[0-9.]+\] (C->S1|S1->C) (b'.*'|b\".*\")", re.ASCII)


@define
class _Told:
    """One game: its commands, by line of the log."""

    commands: dict[int, str] = Factory(dict)
    #: The line of the last answer to ``genmove``.
    answered: int = 0

    def text(self, without: int = 0) -> str:
        last = max(self.commands, default=0)
        lines = (self.commands.get(line, "") if line != without else "" for line in range(1, last + 1))
        return "".join(f"{line}\n" for line in lines)


def is_athens_log(text: str) -> bool:
    """Return whether ``text`` is such a log, judged by the client's first line."""
    for _, direction, data in _entries(text):
        if direction == "C->S1":
            return data.split()[:1] == [b"boardsize"]
    return False


def read_log(text: str, jumps: Jumps, partial: bool, number: int | None) -> Replay:
    """Return a game from a log; see :func:`parse_game`.

    With ``partial``, drop an illegal last answer, which lost the game.
    """
    told = choose_game(_games(text), number, "log")
    try:
        return read_commands(told.text(), jumps, partial)
    except ReplayError as error:
        if not partial or error.line != told.answered or told.answered != max(told.commands):
            raise
    return read_commands(told.text(without=told.answered), jumps, partial)


def _games(text: str) -> list[_Told]:
    games: list[_Told] = []
    role = ControllerRole()
    for line, direction, data in _entries(text):
        if direction == "C->S1":
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
        played = _find_move(role, data, line)
        if played and games:
            games[-1].commands[line] = played
            games[-1].answered = line
    return games


def _find_move(role: ControllerRole, data: bytes, line: int) -> str:
    """Return the command for the move in ``data``, an answer to ``genmove``; empty if it has none."""
    try:
        role.receive_data(data)
        while (event := role.next_event()) is not NEED_DATA:
            if isinstance(event, Response) and event.is_success and event.command.startswith("genmove "):
                move = parse_genmove_answer(event.text, MAX_SIZE)
                if move == RESIGN:
                    return ""
                # The size does not matter here, because reading and writing use the same one.
                return format_play(parse_colour(event.command.partition(" ")[2]), move, MAX_SIZE)
    except UnparsableError:
        return ""
    except RemoteProtocolError as error:
        raise ReplayError(Fault.SYNTAX, f"the engine {error.sentence}", line, 1) from None
    return ""


def _entries(text: str) -> Iterator[tuple[int, str, bytes]]:
    return entries(enumerate(text.splitlines(), 1), _ENTRY)
