"""The tables of a journal for queries, derived from its events."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from quoridor_net.events import MoveMade
from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament.encoding import Record
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.standings import DRAW, points_of

#: A statement and its values.
Change = tuple[str, tuple[Any, ...]]


_END_GAME = """
UPDATE games
SET ended_at = ?, winner = ?, termination = ?, sentence = ?, line = ?, plies = ?, moves_checksum = ?
WHERE number = ?
"""

_KEEP_DEPARTURE = (
    "INSERT INTO absences SELECT number, withdrawn_at, ?, '' FROM entrants"
    " WHERE number = ? AND withdrawn_at IS NOT NULL"
)
_COME_BACK = "UPDATE absences SET back_at = ? WHERE entrant = ? AND back_at IS NULL"


class RecordedMove(NamedTuple):
    """A row of ``moves``: of whom, in 2016 notation, with its times in seconds and the player's own score."""

    seat: int
    text: str
    seconds: float
    time_left: float | None = None
    score: int | None = None

    @classmethod
    def of(cls, made: MoveMade[Any, Any]) -> RecordedMove:
        """Return the row of ``made``, as SQLite gives it back: its checksum tells 9 and 9.0 apart."""
        left = None if made.left is None else round(float(made.left), 6)
        return cls(made.player, str(made.move), round(float(made.seconds), 6), left, made.score)


#: The moves of a game, in the order of the fields of :class:`RecordedMove`.
SELECT_MOVES = "SELECT seat, move, seconds, time_left, score FROM moves WHERE game = ? ORDER BY ply"


class Tables:
    """A follower of the events; it collects the moves of a game, which are written when the game is over."""

    def __init__(self) -> None:
        self._seats: dict[int, tuple[int, ...]] = {}
        # The moves of running games.
        self._moves: dict[int, list[RecordedMove]] = {}
        self._rounds = 0
        self._settings: dict[str, Any] = {}
        self._last_game = 0

    def follow(self, record: Record) -> None:
        """Follow an event whose changes are already in the tables."""
        for _ in self.changes(record):
            pass

    def add_move(self, game: int, move: RecordedMove) -> None:
        """Collect a move of a running game."""
        self._moves.setdefault(game, []).append(move)

    def changes(self, record: Record) -> Iterator[Change]:
        """Yield the changes of an event, which must be as the encoder writes it."""
        time = record["time"]
        match record["event"]:
            case "tournament_started":
                self._settings = dict(record["settings"])
                yield (
                    "INSERT INTO tournaments (rules, settings, started_at) VALUES (?, ?, ?)",
                    (record["rules"], json.dumps(self._settings), time),
                )
                addresses = record["addresses"] or [""] * len(record["entrants"])
                for number, (name, address) in enumerate(zip(record["entrants"], addresses, strict=True), 1):
                    yield "INSERT INTO entrants VALUES (?, ?, ?, 1, NULL)", (number, name, address)
            case "setting_changed":
                self._settings[record["name"]] = record["value"]
                yield "UPDATE tournaments SET settings = ?", (json.dumps(self._settings),)
            case "round_paired":
                yield from self._add_round(record)
            case "game_started" | "player_out" | "game_ended":
                yield from self._change_game(record)
            case "tournament_ended":
                yield "UPDATE tournaments SET ended_at = ?", (time,)
            case _:
                yield from self._change_entrant(record)

    def _change_entrant(self, record: Record) -> Iterator[Change]:
        time = record["time"]
        match record["event"]:
            case "entrant_joined":
                yield (
                    "INSERT INTO entrants SELECT max(number) + 1, ?, ?, ?, NULL FROM entrants",
                    (record["name"], record["address"], self._rounds + 1),
                )
                half_byes: Counter[int] = Counter(record.get("half_byes", ()))
                for number, count in half_byes.items():
                    yield "INSERT INTO byes SELECT ?, max(number), ? FROM entrants", (number, DRAW * count)
            case "entrant_withdrawn":
                yield "UPDATE entrants SET withdrawn_at = ? WHERE number = ?", (time, record["entrant"])
                yield _COME_BACK, (time, record["entrant"])
            case "entrant_returned":
                yield _KEEP_DEPARTURE, (time, record["entrant"])
                yield (
                    "UPDATE entrants SET withdrawn_at = NULL, address = ? WHERE number = ?",
                    (record["address"], record["entrant"]),
                )
            case "entrant_away":
                row = (record["entrant"], time, record["sentence"])
                yield "INSERT INTO absences VALUES (?, ?, NULL, ?)", row
            case "entrant_back":
                yield _COME_BACK, (time, record["entrant"])
            case "entrant_renewed":
                entrant, address = record["entrant"], record["address"]
                yield "UPDATE entrants SET address = ? WHERE number = ?", (address, entrant)
                told = (entrant, self._last_game + 1, time, record["version"], record["elo"])
                yield "INSERT INTO versions VALUES (?, ?, ?, ?, ?)", told

    def _add_round(self, record: Record) -> Iterator[Change]:
        self._rounds = record["round"]
        yield "INSERT INTO rounds VALUES (?, ?)", (self._rounds, record["time"])
        byes: Counter[int] = Counter(record["byes"])
        for entrant, points in byes.items():
            yield "INSERT INTO byes VALUES (?, ?, ?)", (self._rounds, entrant, points)
        for entrant, count in Counter(record.get("half_byes", ())).items():
            yield "INSERT INTO byes VALUES (?, ?, ?)", (self._rounds, entrant, DRAW * count)
        for game, pair, *seats in record["games"]:
            self._seats[game] = tuple(seats)
            self._last_game = game
            yield "INSERT INTO games (number, round, pair) VALUES (?, ?, ?)", (game, self._rounds, pair)
            for seat, entrant in enumerate(seats, 1):
                yield "INSERT INTO seats VALUES (?, ?, ?, NULL)", (game, seat, entrant)

    def _change_game(self, record: Record) -> Iterator[Change]:
        game, time = record["game"], record["time"]
        match record["event"]:
            case "game_started":
                self._moves[game] = []
                yield (
                    "UPDATE games SET attempts = attempts + 1, started_at = ? WHERE number = ?",
                    (time, game),
                )
            case "player_out":
                words = (record["termination"], record["sentence"], record["line"], record["hint"])
                yield (
                    "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (game, record["player"], record["ply"], time, *words),
                )
            case "game_ended":
                yield from self._end_game(game, record)

    def _end_game(self, game: int, record: Record) -> Iterator[Change]:
        moves = self._moves.pop(game, [])
        if record["termination"] == str(Termination.ABORTED):
            return
        told = tuple(record[name] for name in ("winner", "termination", "sentence", "line", "plies"))
        yield _END_GAME, (record["time"], *told, checksum_of_moves(moves), game)
        pairing = Pairing(game, 1, self._seats.pop(game))
        result = Result(record["winner"], Termination(record["termination"]), "", record["plies"])
        for seat, points in enumerate(points_of(pairing, result), 1):
            yield "UPDATE seats SET points = ? WHERE game = ? AND seat = ?", (points, game, seat)
        for ply, move in enumerate(moves, 1):
            yield "INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?)", (game, ply, *move)


def checksum_of_moves(moves: Iterable[RecordedMove]) -> int:
    """Return the checksum of the moves of a game, from all fields of each."""
    lines = (" ".join("" if field is None else str(field) for field in move) for move in moves)
    return zlib.crc32("".join(f"{line}\n" for line in lines).encode())


def checksum_of_transcript(game: int, seat: int, text: str) -> int:
    """Return the checksum of a row of ``transcripts``."""
    return zlib.crc32(f"{game} {seat} {text}".encode())
