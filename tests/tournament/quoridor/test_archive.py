"""JournalGame games are replayed by the rules, and every change is noticed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio

from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.players.source import SourceSettings
from quoridor_net.players.spec import PlayerSpec, parse_spec
from quoridor_net.replay import RecordFormat, format_game
from quoridor_net.rules import Move, Position
from quoridor_net.tournament import (
    EntrantAway,
    EntrantBack,
    EntrantRenewed,
    Journal,
    JournalError,
    Tournament,
    TournamentStarted,
    TournamentState,
    read_journal,
)
from quoridor_net.tournament.quoridor.archive import GameError, JournalGame, read_games, verify
from quoridor_net.tournament.quoridor.plan import RULES, Plan
from quoridor_net.tournament.quoridor.roster import open_roster
from quoridor_net.tournament.quoridor.terms import GameTerms
from tests.support.loopback import reserve_port

Make = Callable[[], Player[Position, Move]]


class Quitter(Player[Position, Move]):
    """A player that resigns after some moves."""

    name = "quitter"

    async def choose(self, position: Position, clock: Clock) -> Move:
        if position.ply > 12:
            raise ForfeitError(Termination.RESIGNED, Translatable("gave up"), "resign")
        return position.legal_moves[0]


def quitter() -> Player[Position, Move]:
    return Quitter()


def stayer() -> Player[Position, Move]:
    return SimplePlayer(1)


def play(path: Path, plan: Plan, *entrants: Make | str) -> TournamentState:
    """Play a tournament between players from these factories or addresses."""

    async def run() -> TournamentState:
        with Journal.create(path) as journal:
            made = {
                str(number): partial(_call_make, each)
                for number, each in enumerate(entrants)
                if callable(each)
            }
            settings = SourceSettings(own=made)
            async with open_roster(plan.terms, journal.keep_transcript, settings) as roster:
                for number, entrant in enumerate(entrants, 1):
                    if isinstance(entrant, str):
                        await roster.add(parse_spec(entrant), f"e{number}")
                    else:
                        await roster.add(PlayerSpec(str(number - 1), "made"), f"e{number}")
                start = TournamentStarted(RULES, roster.names, plan.settings())
                tournament = Tournament(start, plan.format, roster.play, record=journal)
                assert await tournament.run()
        return tournament.state

    return trio.run(run)


def _call_make(make: Make, _seed: int | None) -> Player[Position, Move]:
    return make()


FOUR = Plan("four-player", rounds=2, terms=GameTerms(players=4, no_show_time=0.05, seed=1))
TWO = Plan(games=2, terms=GameTerms(no_show_time=0.05, seed=1))


@pytest.fixture(scope="module")
def eliminations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Replay four-player games with resignations, one of them down to one player."""
    path = tmp_path_factory.mktemp("four") / "a.db"
    play(path, FOUR, quitter, stayer, quitter, quitter, quitter)
    return path


def test_games_of_four_with_eliminations_are_replayed(eliminations: Path) -> None:
    assert verify(eliminations) == []
    state = read_journal(eliminations)
    ends = {result.termination for result in state.decided.values()}
    assert Termination.LAST_PLAYER in ends
    for game in read_games(eliminations, state):
        assert len(game.outs) >= 3
        replay = game.replay(FOUR)
        assert len(replay.plies) == len(game.moves) + len(game.outs)
        assert format_game(replay, RecordFormat.REPLAY)


def test_any_thread_may_close_an_iterator_that_is_abandoned(eliminations: Path) -> None:
    games = read_games(eliminations, read_journal(eliminations))
    next(games)
    with ThreadPoolExecutor() as threads:
        threads.submit(games.close).result()


def first_of(path: Path) -> JournalGame:
    return next(read_games(path, read_journal(path)))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda game: {"outs": game.outs[1:]}, "ply|board"),
        (lambda game: {"outs": (*game.outs, game.outs[0])}, "was eliminated"),
        (lambda game: {"outs": (*game.outs, (2, 999))}, "was eliminated"),
        (lambda game: {"result": attrs.evolve(game.result, winner=None)}, "on the board it ended by"),
        (
            lambda game: {"result": attrs.evolve(game.result, termination=Termination.GOAL)},
            "on the board it ended by",
        ),
        (lambda game: {"result": attrs.evolve(game.result, plies=3)}, "moves instead of 3"),
    ],
)
def test_results_that_contradict_eliminations_are_reported(
    eliminations: Path, change: Callable[[JournalGame], dict[str, Any]], reason: str
) -> None:
    game = first_of(eliminations)
    with pytest.raises(GameError, match=reason):
        attrs.evolve(game, **change(game)).replay(FOUR)


@pytest.mark.parametrize(("plan", "players"), [(TWO, 2), (FOUR, 4)])
def test_a_game_that_all_missed_has_no_winner(plan: Plan, players: int, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with reserve_port() as port:
        state = play(path, plan, *[f"127.0.0.1:{port}"] * players)
    assert {result.winner for result in state.decided.values()} == {None}
    assert {result.termination for result in state.decided.values()} == {Termination.DISCONNECTED}
    assert all(result.sentence.startswith("Nobody wins: ") for result in state.decided.values())
    assert verify(path) == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT sum(points) FROM results").fetchone() == (0.0,)


def test_a_postponed_game_passes_verification(tmp_path: Path) -> None:
    calls = 0

    def late() -> Player[Position, Move]:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise ForfeitError(Termination.DISCONNECTED, Translatable("cannot be reached"))
        return stayer()

    path = tmp_path / "a.db"
    state = play(path, Plan(games=1, terms=GameTerms(seed=1)), late, stayer)
    assert (calls, len(state.decided)) == (2, 1)
    assert verify(path) == []


def test_a_draw_before_its_limit_is_noticed(tmp_path: Path) -> None:
    plan = attrs.evolve(TWO, terms=attrs.evolve(TWO.terms, ply_limit=10))
    play(tmp_path / "a.db", plan, stayer, stayer)
    assert verify(tmp_path / "a.db") == []
    with pytest.raises(GameError, match="drawn after 10 plies, but the limit is 1000"):
        first_of(tmp_path / "a.db").replay(TWO)


def cells(path: Path) -> list[tuple[str, str]]:
    """Return all columns of all tables with rows except requests, which are not part of the record."""
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return [
            (table, column[1])
            for (table,) in tables
            if table not in {"requests", "sqlite_sequence"}
            and connection.execute(f"SELECT 1 FROM {table}").fetchone()
            for column in connection.execute(f"PRAGMA table_info({table})")
        ]


def test_every_cell_that_is_changed_is_reported(tmp_path: Path) -> None:
    path, changed = tmp_path / "a.db", tmp_path / "changed.db"
    plan = attrs.evolve(TWO, form="swiss", rounds=2, games=1)
    with reserve_port() as port:
        play(path, plan, quitter, stayer, f"127.0.0.1:{port}")
    with closing(sqlite3.connect(path)) as connection, connection:
        ((game,),) = connection.execute("SELECT max(number) FROM games")
    journal, _ = Journal.resume(path)
    with journal:
        journal.keep_transcript(game, 1, "HELLO")
        journal._write(journal._changes)
    assert verify(path) == []
    found = cells(path)
    assert {table for table, _ in found} >= {"events", "moves", "transcripts", "byes", "faults"}
    check_cells(path, changed, found)


def test_every_cell_of_a_league_that_is_changed_is_reported(tmp_path: Path) -> None:
    path, changed = tmp_path / "a.db", tmp_path / "changed.db"
    settings = Plan("league").settings()
    with Journal.create(path) as journal:
        for event in (
            TournamentStarted("quoridor", ("ann", "bob"), settings, ("h:1", "h:2")),
            EntrantAway(1, "It does not answer."),
            EntrantBack(1),
            EntrantRenewed(2, "2.0", "h:3", 12.5),
        ):
            journal.append(event)
        journal._write(journal._changes)
    assert verify(path) == []
    found = cells(path)
    assert {table for table, _ in found} >= {"absences", "versions"}
    check_cells(path, changed, found)


def check_cells(path: Path, changed: Path, found: list[tuple[str, str]]) -> None:
    """Check that a change of any cell of these columns is reported."""
    for table, column in found:
        changed.write_bytes(path.read_bytes())
        with closing(sqlite3.connect(changed)) as connection, connection:
            kind = connection.execute(f"SELECT typeof({column}) FROM {table}").fetchone()[0]
            other = {"null": "1", "text": f"{column} || 'x'"}.get(kind, f"{column} + 50")
            # The first row, in tables with and without rowid.
            first = f"{column} IS (SELECT {column} FROM {table} LIMIT 1)"
            assert connection.execute(f"UPDATE {table} SET {column} = {other} WHERE {first}").rowcount
        with suppress(JournalError):
            assert verify(changed), (table, column)
