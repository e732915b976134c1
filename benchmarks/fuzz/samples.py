"""Valid inputs: generated games, and recorded ones if their folders exist."""

from __future__ import annotations

import ast
import json
import random
import re
import tempfile
import zlib
from pathlib import Path

import trio

from benchmarks.fuzz import foreign
from quoridor_net.match import GameEnded, GameStarted, MoveMade
from quoridor_net.outcome import Result, Termination
from quoridor_net.replay import RecordFormat, Replay, ReplayError, Setting, format_game
from quoridor_net.rules import Jumps, Position, Square, Step
from quoridor_net.tournament import Journal, Pairing
from quoridor_net.tournament.events import GameEvent, RoundPaired, TournamentEnded, TournamentStarted

_ROOT = Path(__file__).parents[2]
#: Folders with recorded games and byte logs.
FOLDERS = (_ROOT / "tests" / "data", _ROOT.parent / "shared" / "data")

#: Pawns that step back and forth, so that the moves can be repeated.
ENDLESS = {
    RecordFormat.REPLAY: b"P 1 E2\nP 2 E8\nP 1 E1\nP 2 E9\n",
    RecordFormat.STANDARD: b"e2 e8\ne1 e9\n",
    RecordFormat.ATHENS: b"playmove b E8\nplaymove w E2\nplaymove b E9\nplaymove w E1\n",
    RecordFormat.LAN: rb"[0] C->S1 b'ATARI 1 (4, 1)\nATARI 2 (4, 7)\nATARI 1 (4, 0)\nATARI 2 (4, 8)\n'"
    b"\n",
}

_BYTES = re.compile(r" (C->S|S)\d+(?:->C)? (b'.*'|b\".*\")")

_SETTINGS = (
    Setting(),
    Setting(jumps=Jumps.CLASSROOM),
    Setting(4),
    Setting(2, 5, 3),
    Setting(2, 3, 0),
    Setting(4, 11, 9999),
    Setting(start="d4g7 / a2a8 / e4 e6 / 8 8 / 2"),
    Setting(4, start=" / c3 / a1 - c5 e3 / 2 0 2 2 / 4 / 5"),
)


def random_game(setting: Setting, source: random.Random, length: int) -> Replay:
    """Return a legal game of at most ``length`` plies, with more steps than walls."""
    position = setting.position()
    while position.turn and position.ply < length:
        if position.players > 2 and source.random() < 0.03:
            position.eliminate(source.choice(position.alive))
            continue
        steps = position.legal_steps
        moves = steps if steps and source.random() < 0.7 else position.legal_moves
        position.push(source.choice(moves))
    names = " vs ".join(f"xyz:p{player}" for player in range(1, position.players + 1))
    replay = Replay(setting, position.history, (("Players", names),))
    return replay.finish(replay.outcome)


def games(form: RecordFormat, source: random.Random) -> list[bytes]:
    """Return generated games in a format."""
    found = [ENDLESS[form]] if form in ENDLESS else []
    for setting in _SETTINGS * 4:
        replay = random_game(setting, source, source.choice((4, 12, 40)))
        try:
            if form not in foreign.WRITERS:
                found.append(format_game(replay, form).encode())
            elif foreign.can_write(replay):
                found.append(foreign.WRITERS[form](replay).encode())
        except ReplayError:
            continue
    return found


def read_recorded(pattern: str) -> list[bytes]:
    """Read the recorded files whose names match."""
    return [path.read_bytes() for folder in FOLDERS for path in sorted(folder.rglob(pattern))]


def extract_sent(direction: str, source: random.Random) -> list[bytes]:
    """Return the first bytes sent in one direction, ``C->S`` or ``S``, in each transcript."""
    texts = read_recorded("*.txt") + games(RecordFormat.LAN, source)
    found = []
    for text in texts:
        lines = _BYTES.findall(text.decode("latin-1"))
        said = b"".join(ast.literal_eval(literal) for way, literal in lines if way == direction)
        if said:
            found.append(said[: source.choice((100, 400, 2000))])
    return found


def clobber_lines(source: random.Random) -> list[bytes]:
    """Return messages of clients and servers in games of Clobber."""
    found = []
    for _ in range(20):
        lines = [b"play clobber xyz", b"5 6 %d" % source.randrange(2)]
        for _ in range(source.randrange(12)):
            column, row = source.randrange(1, 5), source.randrange(1, 6)
            lines.append(b"%c %d %c %d" % (96 + column, row, 97 + column, row))
        found.append(b"\n".join([*lines, source.choice((b"error", b"end", b"")), b""]))
    return found


def journals() -> list[bytes]:
    """Return the bytes of journals: one in SQLite, and truncated ones in the earlier line format."""
    start = {
        "event": "tournament_started", "time": "2026-03-15T13:02:10.000+00:00", "version": 3,
        "rules": "clobber", "entrants": ["ann", "bob"], "pairings": [[1, 1, 2], [2, 2, 1]],
        "settings": {"columns": 5, "rows": 6, "move_time": 2.5, "seed": None, "swap": True},
    }  # fmt: skip
    records: list[dict[str, object]] = [start]
    for game in (1, 2):
        result = {"winner": 1, "termination": "no_moves", "sentence": "ann wins", "plies": 1, "line": ""}
        records += [
            {"event": "game_started", "time": "", "game": game},
            {"event": "move_made", "time": "", "game": game, "player": 1, "move": "a1b1", "ply": 1},
            {"event": "game_ended", "time": "", "game": game, **result},
        ]
    records.append({"event": "tournament_ended", "time": ""})
    lines = [_add_checksum(json.dumps(record).encode()) for record in records]
    return [_database(), *(b"".join(lines[:count]) for count in (1, 2, 3, 5, len(lines)))]


def _add_checksum(line: bytes) -> bytes:
    """Add the checksum to a line."""
    return line[:-1] + b', "crc32": "%08x"}\n' % zlib.crc32(line[:-1])


def _database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal"

        async def write() -> None:
            with Journal.create(path) as journal:
                journal.append(TournamentStarted("quoridor", ("ann", "bob")))
                journal.append(RoundPaired(1, (Pairing(1, 1, (1, 2)),)))
                for event in (
                    GameStarted(("ann", "bob"), Position(), 2.5, 1000),
                    MoveMade(1, Step(Square(4, 1)), 1, 0.25, Position()),
                    GameEnded(Result(1, Termination.GOAL, "ann wins", 1), ("ann", "bob"), Position()),
                ):
                    journal.append(GameEvent(1, event))
                journal.append(TournamentEnded())
                await journal.flush()

        trio.run(write)
        return path.read_bytes()


def typed_moves(source: random.Random) -> list[bytes]:
    """Return moves in the notations of people and programs."""
    position = Position()
    found = []
    for move in source.sample(position.legal_moves, 60):
        found.append(str(move).encode())
        if isinstance(move, Step):
            continue
        found.append(f"{move.orientation} ({move.column}, {move.row})".encode())
    return found
