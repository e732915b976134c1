"""The recorded games of a Quoridor tournament: reading, conversion to replays, and verification."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

from attrs import evolve, frozen

from quoridor_net.match import Event, GameEnded, MoveMade
from quoridor_net.match.replaying import events_of
from quoridor_net.moves import Move
from quoridor_net.notation.lan import LAN, parse_move
from quoridor_net.outcome import Result, Termination
from quoridor_net.replay import Outcome, Replay, Setting
from quoridor_net.replay.writer import describe_thinking
from quoridor_net.rules import IllegalMoveError, Position
from quoridor_net.text import UnparsableError, count_things
from quoridor_net.tournament.encoding import RecordError, parse_event, parse_object
from quoridor_net.tournament.events import GameEvent
from quoridor_net.tournament.journal.errors import JournalError
from quoridor_net.tournament.journal.reading import explain_errors, open_to_read, records_of
from quoridor_net.tournament.journal.schema import new_tables
from quoridor_net.tournament.journal.tables import (
    SELECT_MOVES,
    RecordedMove,
    Tables,
    checksum_of_moves,
    checksum_of_transcript,
)
from quoridor_net.tournament.quoridor.plan import Plan, PlanError
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.state import TournamentState

#: Tables derived from the events and the moves.
_DERIVED = ("tournaments", "entrants", "rounds", "byes", "games", "seats", "faults", "absences", "versions")

# Moves are written together with the result.
_STRAY_MOVES = """
SELECT 1 FROM moves WHERE game NOT IN (SELECT number FROM games WHERE termination IS NOT NULL)
"""


class GameError(ValueError):
    """A recorded game is inconsistent; the message says why, without naming the game."""


@frozen
class JournalGame:
    """A game with a result, as recorded.

    Attributes:
        names: of the entrants, by seat.
        outs: the eliminated seats, each with the number of moves before its elimination.
        checksum: of the moves.
    """

    pairing: Pairing
    names: tuple[str, ...]
    result: Result
    moves: tuple[RecordedMove, ...]
    outs: tuple[tuple[int, int], ...]
    checksum: int
    ended_at: str

    def replay(self, plan: Plan) -> Replay:
        """Replay the game by the rules, and return it with its opening.

        Raises:
            GameError: it breaks the rules, or is damaged; the message names the game.
        """
        try:
            return self._replay(plan)
        except GameError as error:
            raise GameError(f"Game {self.pairing.number}: {error}") from None

    def _replay(self, plan: Plan) -> Replay:
        if checksum_of_moves(self.moves) != self.checksum:
            raise GameError("its moves are damaged: their checksum does not match")
        position = plan.terms.position(self.pairing)
        outs = list(self.outs)
        for ply, (seat, text, *_) in enumerate(self.moves):
            self._eliminate(position, outs, ply)
            if position.turn != seat:
                raise GameError(f"player {seat} made ply {ply + 1}, but it was not its turn")
            try:
                position.push(_parse(text))
            except IllegalMoveError as error:
                raise GameError(f"ply {ply + 1}, {text}, is illegal: {error.explain(LAN)}") from None
        self._eliminate(position, outs, len(self.moves))
        if outs:
            raise GameError(f"player {outs[0][0]} was eliminated at an impossible time")
        self._check_result(position, plan.terms)
        metadata = (
            ("Game-ID", f"{self.pairing.number}"),
            ("Date", self.ended_at[:10]),
            ("Players", " vs ".join(self.names)),
            ("Round", f"{self.pairing.round}"),
        )
        outcome = Outcome(self.result.winner, str(self.result.termination))
        replay = Replay(Setting.of(position.root()), tuple(position.history), metadata)
        return replay.finish(outcome)

    def events(self, plan: Plan) -> Iterator[Event]:
        """Yield the events of the game, from its opening on, with the times and scores of its moves.

        Raises:
            GameError: it breaks the rules, or is damaged.
        """
        replay = self.replay(plan)
        made = sum(ply.move is not None for ply in replay.plies) - len(self.moves)
        for event in events_of(replay):
            match event:
                case MoveMade(ply=ply) if ply > made:
                    move = self.moves[ply - made - 1]
                    yield evolve(event, seconds=move.seconds, left=move.time_left, score=move.score)
                case GameEnded():
                    yield evolve(event, result=self.result)
                case _:
                    yield event

    def comments(self, replay: Replay) -> list[str]:
        """Return the comments on the plies of ``replay``, this game as replayed: times and scores."""
        found = ["" if ply.move is None else None for ply in replay.plies]
        opening = found.count(None) - len(self.moves)
        told = [describe_thinking(move.seconds, move.time_left, move.score) for move in self.moves]
        comments = iter([*[""] * opening, *told])
        return [next(comments) if comment is None else comment for comment in found]

    def _eliminate(self, position: Position, outs: list[tuple[int, int]], ply: int) -> None:
        while outs and outs[0][1] == ply:
            seat, _ = outs.pop(0)
            # Pawns stay on the board if a fault ended the game, or if no player showed up.
            if position.players > 2 and not self._is_lost_by_all:
                try:
                    position.eliminate(seat)
                except ValueError as error:
                    raise GameError(f"player {seat} was eliminated after ply {ply}, but {error}") from None

    @property
    def _is_lost_by_all(self) -> bool:
        return {seat for seat, _ in self.outs} == set(range(1, len(self.names) + 1))

    def _check_result(self, position: Position, terms: GameTerms) -> None:
        result, ply_limit = self.result, terms.ply_limit
        if len(self.moves) != result.plies:
            raise GameError(f"it has {count_things(len(self.moves), 'move')} instead of {result.plies}")
        if position.ending is not None:
            if (position.winner, position.ending) != (result.winner, result.termination):
                raise GameError(f"on the board it ended by {position.ending}, won by {position.winner}")
        elif result.termination.is_fault and (position.players == 2 or self._is_lost_by_all):
            at_fault = {seat for seat, _ in self.outs}
            if not at_fault or result.winner in at_fault or (result.winner is None) != self._is_lost_by_all:
                raise GameError("the eliminated players and the winner contradict each other")
        elif result.termination is Termination.REPETITION and result.winner is None:
            if _count_last(position, len(self.moves)) != terms.repetition:
                raise GameError("its last position did not occur as often as the rule demands")
        elif (result.termination, result.winner) != (Termination.PLY_LIMIT, None):
            raise GameError(f"on the board it did not end by {result.termination}")
        elif result.plies != ply_limit:
            raise GameError(
                f"it was drawn after {count_things(result.plies, 'ply')}, but the limit is {ply_limit}"
            )


def _count_last(position: Position, moves: int) -> int:
    """Return how often a position has occurred since the start of the game, ``moves`` moves ago."""
    position = position.copy()
    lines = [position.to_line()]
    while moves:
        moves -= position.pop().move is not None
        # Positions count after moves, not after eliminations.
        if not moves or position.history[-1].move is not None:
            lines.append(position.to_line())
    return lines.count(lines[0])


def _parse(text: str) -> Move:
    try:
        return parse_move(text)
    except UnparsableError:
        raise GameError(f"{text!r} is not a move") from None


def read_games(
    path: Path, state: TournamentState, only: int | None = None
) -> Generator[JournalGame, None, None]:
    """Yield the games with a result, by number.

    Args:
        path: the journal.
        state: read from it.
        only: the number of a single game to yield, if it has a result; None for all games.

    Raises:
        JournalError: the file cannot be read.
    """
    numbers = range(1, state.last_game + 1) if only is None else range(only, only + 1)
    with explain_errors(path), closing(open_to_read(path)) as connection:
        ends = _find_ends(connection, numbers)
        for number in filter(state.is_decided, numbers):
            pairing = state.pairing(number)
            row = connection.execute(
                "SELECT moves_checksum FROM games WHERE number = ?", (number,)
            ).fetchone()
            if row is None or number not in ends:
                raise JournalError(f"{path} is damaged: game {number} is missing")
            time, result = _read_end(path, connection, ends[number])
            moves = map(RecordedMove._make, connection.execute(SELECT_MOVES, (number,)))
            outs = connection.execute(
                "SELECT seat, ply FROM faults WHERE game = ?"
                " AND time >= (SELECT coalesce(started_at, '') FROM games WHERE number = ?) ORDER BY rowid",
                (number, number),
            )
            names = tuple(state.entrants[entrant - 1] for entrant in pairing.seats)
            yield JournalGame(pairing, names, result, tuple(moves), tuple(outs), row[0], time)


def read_results(path: Path, numbers: range) -> dict[int, Result]:
    """Return the last result of each game that has one, by number.

    Raises:
        JournalError: the file cannot be read.
    """
    with explain_errors(path), closing(open_to_read(path)) as connection:
        ends = _find_ends(connection, numbers)
        return {game: _read_end(path, connection, event)[1] for game, event in ends.items()}


def _find_ends(connection: sqlite3.Connection, numbers: range) -> dict[int, int]:
    """Return the number of the event that ended each of these games, by game number."""
    query = (
        "SELECT game, max(number) FROM events WHERE event = 'game_ended' AND game BETWEEN ? AND ?"
        " GROUP BY game"
    )
    return dict(connection.execute(query, (numbers.start, numbers.stop - 1)))


def _read_end(path: Path, connection: sqlite3.Connection, number: int) -> tuple[str, Result]:
    """Return when a game ended, and its result, from the event with this number.

    They are read from the event because no checksum covers the table of games.
    """
    time, line = connection.execute("SELECT time, object FROM events WHERE number = ?", (number,)).fetchone()
    try:
        event = parse_event(parse_object(line))
    except RecordError as error:
        raise JournalError(f"{path} is damaged: {error}") from None
    assert isinstance(event, GameEvent)
    assert isinstance(event.event, GameEnded)
    return time, event.event.result


def verify(path: Path) -> list[str]:
    """Return the faults of a journal, one sentence each.

    Reads every event, replays every game by the rules, and compares every table with a rebuilt one.

    Raises:
        JournalError: the file cannot be read, or its events are damaged, so that nothing can be compared.
    """
    state = TournamentState()
    with explain_errors(path), closing(open_to_read(path)) as connection, closing(new_tables()) as made:
        # One snapshot, even if the tournament is being played.
        connection.execute("BEGIN")
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        wrong = [] if found == "ok" else [f"The file is damaged: {found}."]
        _rebuild(path, connection, state, made)
        wrong += _compare(connection, made)
    try:
        plan = Plan.of_state(state)
    except PlanError as error:
        raise JournalError(f"{path}: {error}") from None
    return wrong + _check_games(path, state, plan)


def _rebuild(
    path: Path, connection: sqlite3.Connection, state: TournamentState, made: sqlite3.Connection
) -> None:
    """Read all events into ``state``, and rebuild the tables ``made`` from them and the moves."""
    tables = Tables()
    for record in records_of(path, connection, state):
        if record["event"] == "game_ended":
            for row in connection.execute(SELECT_MOVES, (record["game"],)):
                tables.add_move(record["game"], RecordedMove._make(row))
        for statement, values in tables.changes(record):
            made.execute(statement, values)


def _compare(connection: sqlite3.Connection, made: sqlite3.Connection) -> list[str]:
    """Return a sentence for each difference of the tables from the rebuilt ones."""
    wrong = []
    for table in _DERIVED:
        query = f"SELECT * FROM {table}"  # noqa: S608 - one of a fixed list
        found, expected = (sorted(each.execute(query), key=repr) for each in (connection, made))
        if found != expected:
            wrong.append(f"The table {table} does not match the events.")
    if connection.execute(_STRAY_MOVES).fetchone() is not None:
        wrong.append("The table moves contains moves of games without a result.")
    for game, seat, text, checksum in connection.execute("SELECT * FROM transcripts"):
        if checksum_of_transcript(game, seat, text) != checksum:
            wrong.append(f"The transcript of game {game}, seat {seat}, is damaged.")
    return wrong


def _check_games(path: Path, state: TournamentState, plan: Plan) -> list[str]:
    """Return a sentence for each game that is damaged or breaks the rules."""
    wrong: list[str] = []
    for game in read_games(path, state):
        try:
            game.replay(plan)
        except GameError as error:
            wrong.append(f"{error}.")
    return wrong
