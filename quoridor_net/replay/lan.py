"""Read games from wire transcripts of the 2016 protocol, and write recorded games as transcripts.

:class:`quoridor_net.protocols.common.transcript.Transcript` writes such files. Games are read from the
client's messages, which are the same for all players; other lines are skipped.
"""

from __future__ import annotations

import io
import re
from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache

from attrs import Factory, define

from quoridor_net.notation.lan import LAN
from quoridor_net.protocols.common.errors import MessageError
from quoridor_net.protocols.common.line_buffer import LineBuffer, LineTooLongError
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.protocols.lan.messages import (
    Atari,
    Game,
    Gote,
    Hello,
    Iam,
    Kikashi,
    Message,
    Myoushu,
    Tesuji,
    encode,
    parse_message,
)
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.replay import Outcome, Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.replay.text import text_lines
from quoridor_net.replay.wire import choose_game, entries
from quoridor_net.rules import STANDARD_SIZE, Jumps, Ply, Position, Termination
from quoridor_net.text import wire_name

#: Maximum number of connections and of GAME messages in a transcript.
MAX_CONNECTIONS = 10_000

_ENTRY = re.compile(r"\[ *[0-9.]+\] C->S([0-9]+) (b'.*'|b\".*\")", re.ASCII)

# Cached, because most messages in a transcript of many games are the same.
_parse = lru_cache(maxsize=4096)(parse_message)


@define(eq=False)
class _Told:
    """The messages to one player about one game.

    Attributes:
        game: the GAME message.
        line: its line.
        messages: the messages after it.
        lines: their lines.
        keys: hashes of the first 0, 1, 2, ... messages.
    """

    game: Game
    line: int
    messages: list[Atari | Gote | Kikashi] = Factory(list)
    lines: array[int] = Factory(lambda: array("q"))
    keys: array[int] = Factory(lambda: array("q", [0]))

    def add(self, line: int, message: Atari | Gote | Kikashi) -> None:
        self.keys.append(hash((self.keys[-1], message)))
        self.messages.append(message)
        self.lines.append(line)


#: The messages to the players of one game, the longest sequence first.
_Tellings = list[_Told]


def read_transcript(text: str, jumps: Jumps, partial: bool, number: int | None) -> Replay:
    """Return a game from a transcript; see :func:`parse_game`."""
    games = _games(text)
    if not games:
        raise ReplayError(Fault.SYNTAX, "no game in this transcript: no GAME message was sent", 1, 1)
    return _replay(choose_game(games, number, "transcript"), jumps, partial)


def _games(text: str) -> list[_Told]:
    """Return the games of a transcript, each from the player with the most messages."""
    by_names: defaultdict[tuple[str, ...], list[_Told]] = defaultdict(list)
    for told in _collect(text):
        by_names[told.game.names].append(told)
    games = [game for tellings in by_names.values() for game in _match(tellings)]
    return [game[0] for game in sorted(games, key=_first_line)]


def _first_line(game: _Tellings) -> int:
    return min(told.line for told in game)


def _match(tellings: list[_Told]) -> list[_Tellings]:
    """Group sequences of messages with the same names by game.

    The longest come first. Each other sequence is either the beginning of a known game, sent to another of
    its players, or a game of its own. A hash of the same number of messages finds the games that lack this
    player, because there may be thousands of games.
    """
    games: list[_Tellings] = []
    lacking: defaultdict[tuple[int, int], deque[_Tellings]] = defaultdict(deque)
    length = -1
    for told in sorted(tellings, key=lambda told: -len(told.messages)):
        if len(told.messages) != length:
            length = len(told.messages)
            lacking.clear()
            games.sort(key=_first_line)
            for game in games:
                for player in _find_lacking(game):
                    lacking[game[0].keys[length], player].append(game)
        candidates = lacking[told.keys[length], told.game.player]
        if candidates and candidates[0][0].messages[:length] == told.messages:
            candidates.popleft().append(told)
        else:
            games.append([told])
            for player in _find_lacking(games[-1]):
                lacking[told.keys[length], player].append(games[-1])
    return games


def _find_lacking(game: _Tellings) -> set[int]:
    """Return the players of a game for whom no messages are known."""
    return set(range(1, len(game[0].game.names) + 1)) - {told.game.player for told in game}


def _collect(text: str) -> list[_Told]:
    open_games: dict[str, _Told] = {}
    found: list[_Told] = []
    for line, server, message in _find_sent(text):
        if isinstance(message, Game):
            if len(found) == MAX_CONNECTIONS:
                raise ReplayError(Fault.SYNTAX, f"more than {MAX_CONNECTIONS} games: split the file", line, 1)
            open_games[server] = _Told(message, line)
            found.append(open_games[server])
        elif isinstance(message, (Atari, Gote, Kikashi)) and server in open_games:
            open_games[server].add(line, message)
    return found


def _find_sent(text: str) -> Iterator[tuple[int, str, Message]]:
    """Yield line, server and message for each message of a client, even if its bytes were split."""
    buffers: dict[str, LineBuffer] = {}
    lines = ((number, line) for number, line, _ in text_lines(text))
    for number, server, data in entries(lines, _ENTRY):
        if server not in buffers:
            if len(buffers) == MAX_CONNECTIONS:
                sentence = f"more than {MAX_CONNECTIONS} connections: split the file"
                raise ReplayError(Fault.SYNTAX, sentence, number, 1)
            buffers[server] = LineBuffer()
        buffers[server].receive(data)
        try:
            while (line := buffers[server].next_line()) is not None:
                with suppress(MessageError):
                    yield number, server, _parse(line)
        except LineTooLongError as error:
            raise ReplayError(Fault.SYNTAX, str(error), number, 1) from None


def _replay(told: _Told, jumps: Jumps, partial: bool) -> Replay:
    names = told.game.names
    record = Record(Setting(len(names), jumps=jumps), lambda _size: LAN)
    record.metadata.add("Players", " vs ".join(names), told.line)
    out: list[int] = []
    line = told.line
    for line, message in zip(told.lines, told.messages, strict=True):
        if isinstance(message, Atari):
            record.add(Ply(message.player, message.move), Place(line))
        elif isinstance(message, Gote):
            out.append(message.player)
            if len(names) > 2:
                record.add(Ply(message.player, None), Place(line))
        else:
            for key, value in _read_outcome(message.player, out, record.position, line):
                record.metadata.add(key, value, line)
    return record.finish(Place(line), partial=partial)


def _read_outcome(winner: int, out: list[int], position: Position, line: int) -> tuple[tuple[str, str], ...]:
    """Return the metadata of the outcome in KIKASHI, if the board does not show it."""
    if position.turn is None and position.winner == winner:
        return ()
    if position.players == 2 and position.turn is not None and out == [3 - winner]:
        # GOTE: "Message sent ... informing them that <p> made an illegal move".
        return Outcome(winner, str(Termination.ILLEGAL_MOVE)).metadata
    sentence = f"KIKASHI {winner}, but player {winner} has not won on the board"
    raise ReplayError(Fault.CONTRADICTION, sentence, line, 1)


def write_transcript(replay: Replay) -> str:
    """Return the transcript of a session with this game; all times are zero.

    Raises:
        ReplayError: the 2016 protocol cannot describe this game.
    """
    setting = replay.setting
    if setting.size != STANDARD_SIZE or setting.start is not None or setting.walls is not None:
        sentence = "the 2016 protocol can describe only games from the usual start on the standard board"
        raise ReplayError(Fault.INEXPRESSIBLE, sentence)
    outcome = replay.outcome
    winner = None if outcome is None else outcome.winner
    if winner is not None and setting.players > 2 and replay.position().turn is not None:
        # With two players GOTE names the loser. With four, GOTE is a ply of its own, and this game has none.
        sentence = (
            "the 2016 protocol can describe only games of four that end at a goal or with the last player"
        )
        raise ReplayError(Fault.INEXPRESSIBLE, sentence)
    file = io.StringIO()
    _hold(Transcript(file, lambda: 0.0), replay, winner)
    return file.getvalue()


def _hold(transcript: Transcript, replay: Replay, winner: int | None) -> None:
    """Write the session of a client and its servers to a transcript."""
    names = tuple(map(wire_name, replay.names))
    listening = list(range(1, len(names) + 1))

    def tell(players: Iterable[int], message: Message) -> None:
        for player in players:
            transcript.to_server(player, encode(message))

    def send_off(offender: int) -> None:
        listening.remove(offender)
        tell([*listening, offender], Gote(offender))

    for player, name in enumerate(names, 1):
        tell([player], Hello())
        transcript.to_client(player, encode(Iam(name)))
    for player in listening:
        tell([player], Game(player, names))
    for ply in replay.plies:
        if ply.move is None:
            send_off(ply.player)
            continue
        tell([ply.player], Myoushu())
        transcript.to_client(ply.player, encode(Tesuji(ply.move)))
        tell(listening, Atari(ply.player, ply.move))
    if winner is not None:
        if not replay.position().is_over:
            send_off(3 - winner)
        tell(listening, Kikashi(winner))
