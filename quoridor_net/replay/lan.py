"""Games in wire transcripts of the 2016 protocol, and transcripts of recorded games.

A transcript is what :class:`quoridor_net.lan.transcript.Transcript` writes. Games are read from what the
client sent, which is the same for all players; lines that are no messages are skipped.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

from attrs import Factory, define

from quoridor_net.lan.messages import (
    Atari,
    Game,
    Gote,
    Hello,
    Iam,
    Kikashi,
    Message,
    Myoushu,
    Tesuji,
    UnparsableMessage,
    clean_name,
    encode,
    parse_message,
)
from quoridor_net.lan.transcript import Transcript
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.game import Outcome, Replay
from quoridor_net.replay.record import Place, Record
from quoridor_net.replay.setting import Setting
from quoridor_net.rules import STANDARD_SIZE, Jumps, Ply, Position, Termination
from quoridor_net.wire import LineBuffer, LineTooLong

_ENTRY = re.compile(r"\[ *[0-9.]+\] C->S([0-9]+) (b'.*'|b\".*\")", re.ASCII)

_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


@define
class _Told:
    """What one player was told about one game; messages with the line of the transcript."""

    game: Game
    line: int
    messages: list[tuple[int, Atari | Gote | Kikashi]] = Factory(list)

    def agrees(self, other: _Told) -> bool:
        """Whether both can be about one game: different players, the same news."""
        news = zip(self.messages, other.messages, strict=False)
        same = all(mine == theirs for (_, mine), (_, theirs) in news)
        return same and self.game.names == other.game.names and self.game.player != other.game.player


def read_transcript(
    text: str, *, jumps: Jumps = Jumps.OFFICIAL, partial: bool = False, number: int | None = None
) -> Replay:
    """Return the game that a transcript tells.

    Args:
        text: the transcript.
        jumps: the jump rule of the game, which a transcript does not tell.
        partial: accept a game that is not played to its end.
        number: which game, from 1; needed when the transcript tells several.

    Raises:
        ReplayError: there is no such game, or it breaks the rules.
    """
    games = _games(text)
    if not games:
        raise ReplayError(Fault.SYNTAX, "no game in this transcript: no GAME message was sent", 1, 1)
    if number is None and len(games) > 1:
        raise ReplayError(Fault.SYNTAX, f"the transcript tells {len(games)} games: say which one", 1, 1)
    if not 1 <= (number or 1) <= len(games):
        raise ReplayError(Fault.SYNTAX, f"there is no game {number}: the transcript tells {len(games)}", 1, 1)
    return _replay(games[(number or 1) - 1], jumps, partial)


def _games(text: str) -> list[_Told]:
    """Return the games of a transcript, each as the player that was told most heard it."""
    games: list[list[_Told]] = []
    for told in _everything_told(text):
        for tellings in games:
            if all(told.agrees(other) for other in tellings):
                tellings.append(told)
                break
        else:
            games.append([told])
    return [max(tellings, key=lambda told: len(told.messages)) for tellings in games]


def _everything_told(text: str) -> list[_Told]:
    open_games: dict[str, _Told] = {}
    found = []
    for line, server, message in _sent_messages(text):
        if isinstance(message, Game):
            open_games[server] = _Told(message, line)
            found.append(open_games[server])
        elif isinstance(message, (Atari, Gote, Kikashi)) and server in open_games:
            open_games[server].messages.append((line, message))
    return found


def _sent_messages(text: str) -> Iterator[tuple[int, str, Message]]:
    """Yield line, server and message for everything a client sent, however the bytes were cut."""
    buffers: dict[str, LineBuffer] = {}
    for number, line in enumerate(text.splitlines(), 1):
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            continue
        buffer = buffers.setdefault(entry[1], LineBuffer())
        try:
            buffer.receive(unquoted(entry[2]))
            while (data := buffer.next_line()) is not None:
                try:
                    yield number, entry[1], parse_message(data)
                except UnparsableMessage:
                    continue
        except UnicodeEncodeError:
            column = entry.start(2) + 1
            raise ReplayError(Fault.SYNTAX, "bytes are written in ASCII", number, column) from None
        except LineTooLong as error:
            raise ReplayError(Fault.SYNTAX, str(error), number, 1) from None


def unquoted(literal: str) -> bytes:
    """Return the bytes that a Python literal like ``b'HELLO'`` stands for.

    Raises:
        UnicodeEncodeError: it has letters that no byte stands for.
    """
    return _ESCAPE.sub(_unescaped, literal[2:-1]).encode("latin-1")


def _unescaped(escape: re.Match[str]) -> str:
    name = escape[1]
    return chr(int(name[1:], 16)) if len(name) > 1 else _ESCAPED.get(name, name)


def _replay(told: _Told, jumps: Jumps, partial: bool) -> Replay:
    names = told.game.names
    record = Record(Setting(len(names), jumps=jumps), str)
    metadata = [("Players", " vs ".join(names))]
    out: list[int] = []
    line = told.line
    for line, message in told.messages:
        if isinstance(message, Atari):
            record.add(Ply(message.player, message.move), Place(line))
        elif isinstance(message, Gote):
            out.append(message.player)
            if len(names) > 2:
                record.add(Ply(message.player, None), Place(line))
        else:
            metadata += _won(message.player, out, record.position, line)
    return record.finish(metadata, Place(line), partial=partial)


def _won(winner: int, out: Sequence[int], position: Position, line: int) -> list[tuple[str, str]]:
    """Return the outcome that KIKASHI tells when the board does not."""
    if position.turn is None and position.winner == winner:
        return []
    if position.players == 2 and position.turn is not None and list(out) == [3 - winner]:
        # GOTE: "Message sent ... informing them that <p> made an illegal move".
        outcome = Outcome(winner, str(Termination.ILLEGAL_MOVE))
        return [("Result", outcome.result), ("Termination", outcome.termination)]
    sentence = f"KIKASHI {winner}, but player {winner} has not won on the board"
    raise ReplayError(Fault.CONTRADICTION, sentence, line, 1)


def write_transcript(replay: Replay) -> str:
    """Return a transcript of a whole session in which this game is played; all times are zero.

    Raises:
        ReplayError: the 2016 protocol cannot tell such a game.
    """
    setting = replay.setting
    if setting.size != STANDARD_SIZE or setting.start is not None or setting.walls is not None:
        sentence = "the 2016 protocol tells only games from the usual start on the standard board"
        raise ReplayError(Fault.INEXPRESSIBLE, sentence)
    file = io.StringIO()
    session = _Session(Transcript(file, lambda: 0.0), replay)
    session.greet()
    session.play()
    session.close()
    return file.getvalue()


class _Session:
    """A client and its servers, talking into a transcript."""

    def __init__(self, transcript: Transcript, replay: Replay) -> None:
        self.transcript = transcript
        self.replay = replay
        self.names = tuple(clean_name(name) for name in replay.names)
        self.listening = list(range(1, len(self.names) + 1))

    def to(self, player: int, message: Message) -> None:
        self.transcript.to_server(player, encode(message))

    def by(self, player: int, message: Message) -> None:
        self.transcript.to_client(player, encode(message))

    def greet(self) -> None:
        for player in self.listening:
            self.to(player, Hello())
            self.by(player, Iam(self.names[player - 1]))
        for player in self.listening:
            self.to(player, Game(player, self.names))

    def play(self) -> None:
        for ply in self.replay.plies:
            if ply.move is None:
                self.send_off(ply.player)
                continue
            self.to(ply.player, Myoushu())
            self.by(ply.player, Tesuji(ply.move))
            for player in self.listening:
                self.to(player, Atari(ply.player, ply.move))

    def send_off(self, offender: int) -> None:
        """Tell everybody that a player is out, the offender last."""
        self.listening.remove(offender)
        for player in (*self.listening, offender):
            self.to(player, Gote(offender))

    def close(self) -> None:
        outcome = self.replay.outcome
        if outcome is None or outcome.winner is None:
            return
        if self.replay.position().turn is not None:
            for loser in [player for player in self.listening if player != outcome.winner]:
                self.send_off(loser)
        for player in self.listening:
            self.to(player, Kikashi(outcome.winner))
