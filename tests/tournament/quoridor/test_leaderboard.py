"""The leaderboard of a league follows from the tables of its journal, and can be that of any date."""

from __future__ import annotations

import csv
import datetime as dt
import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quoridor_net.match import GameEnded, GameStarted, PlayerOut
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.players.ladder import LADDER, Rung
from quoridor_net.rules import Position
from quoridor_net.tournament import (
    EntrantAway,
    EntrantJoined,
    EntrantRenewed,
    EntrantReturned,
    EntrantWithdrawn,
    Event,
    GameEvent,
    Journal,
    JournalError,
    Pairing,
    RoundPaired,
    TournamentStarted,
    TournamentState,
)
from quoridor_net.tournament.journal.reading import back_up
from quoridor_net.tournament.quoridor.archive import verify
from quoridor_net.tournament.quoridor.leaderboard import ROW_FACTS, Leaderboard, format_time, is_league
from quoridor_net.tournament.quoridor.plan import LeagueTerms, Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.verdicts import VerdictPhrase
from tests.support.tournament_program import run_tournament

BEGIN = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)
LOST = VerdictPhrase.LOST()
NAMES = ("level 1", "ann", "bob", "cid")
ADDRESSES = ("engine:level=1", "h:1", "h:2", "qtp:./bot")


class Course:
    """A league of invented games, one each hour."""

    def __init__(
        self,
        path: Path,
        window: int = 200,
        addresses: tuple[str, ...] = ADDRESSES,
        size: int = 9,
    ) -> None:
        self.path = path
        self.now = BEGIN
        self.state = TournamentState()
        self.journal = Journal.create(path, lambda: self.now)
        plan = Plan("league", terms=GameTerms(size), title="Class 4b", league=LeagueTerms(window=window))
        self.apply(TournamentStarted("quoridor", NAMES, plan.settings(), addresses))

    def apply(self, *events: Event) -> None:
        for event in events:
            self.state.apply(event)
            self.journal.append(event)
        self.journal._write(self.journal._changes)
        self.journal._changes = []

    def play(self, first: int, second: int, winner: int, fault: str = "") -> None:
        self.now += dt.timedelta(hours=1)
        game, start = self.state.last_game + 1, Position()
        names = (self.state.entrants[first - 1], self.state.entrants[second - 1])
        self.apply(
            RoundPaired(self.state.rounds + 1, (Pairing(game, self.state.rounds + 1, (first, second)),))
        )
        self.apply(GameEvent(game, GameStarted(names, start, 30.0, 1000)))
        reason = Termination.UNPARSABLE_MOVE if fault else Termination.GOAL
        if fault:
            sentence = Translatable("sent junk", {"code": "verdict.junk", "values": {}})
            self.apply(
                GameEvent(game, PlayerOut(3 - winner, ForfeitError(reason, sentence, fault, "Hint."), start))
            )
            self.journal.keep_transcript(game, 3 - winner, f"< HELLO\n> {fault}\n")
        self.apply(GameEvent(game, GameEnded(Result(winner, reason, "It is over.", 9, fault), names, start)))


@pytest.fixture
def course(tmp_path: Path) -> Course:
    course = Course(tmp_path / "league.db")
    for _ in range(8):
        course.play(2, 1, 1)
        course.play(1, 2, 2)
        course.play(3, 1, 2)
        course.play(1, 3, 1)
        course.play(2, 3, 1)
        course.play(3, 2, 2)
    course.play(3, 2, 2, fault="JUNK")
    return course


@pytest.mark.parametrize("addresses", [("engine:level=1", "h:1"), ("h:1", "h:2")])
def test_csv_has_the_same_fields_with_and_without_games(addresses: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    with Journal.create(path) as journal:
        plan = Plan("league", title="Class 4b")
        journal.append(TournamentStarted("quoridor", ("ann", "bob"), plan.settings(), addresses))
        journal._write(journal._changes)
        shown = run_tournament("show", path, "--format", "csv").stdout
        rows = json.loads(run_tournament("show", path, "--format", "json").stdout)["entrants"]
    assert shown.splitlines()[0] == (
        "number,name,rank,movement,elo.value,elo.low,elo.high,level.value,level.error,reference,played,won,"
        "drawn,lost,forfeited,rated,version,presence,since,reason"
    )
    names = dict.fromkeys(name.partition(".")[0] for name in ROW_FACTS)
    # These are for pages.
    assert [*names, "phrase", "history"] == [*rows[0]]


def test_a_sentence_in_csv_has_the_names_of_its_row(tmp_path: Path) -> None:
    course = Course(tmp_path / "league.db")
    course.play(1, 2, 1)
    course.journal.close()
    with closing(sqlite3.connect(course.path)) as connection, connection:
        connection.execute(
            "UPDATE games SET sentence = 'level 1 (player 1) wins: ann (player 2) left, alas.'"
        )
    shown = run_tournament("show", course.path, "--format", "csv", "--table", "games").stdout
    (row,) = csv.DictReader(shown.splitlines())
    assert row["seats"] == "level_1 ann"
    assert row["sentence"] == "level_1 (player 1) wins: ann (player 2) left alas."


def test_references_have_no_versions(course: Course) -> None:
    course.journal.close()
    for words, reason in (
        (("level", "2.0"), "level 1 is a reference: its rating is fixed, so it has no versions"),
        (
            ("level", "2.0", "engine:level=2"),
            "level 1 is a reference: its rating is fixed, so it has no versions",
        ),
        (
            ("ann", "2.0", "engine:level=2"),
            "engine:level=2 would be a reference with a fixed rating: add it instead",
        ),
    ):
        done = run_tournament("renew", course.path, *words)
        assert (done.exit_code, done.stderr) == (1, f"Error: {reason}.\n")
    with Leaderboard.open(course.path) as board:
        assert not [*board.versions()]


def test_entrants_are_rated_on_the_scale_of_levels(course: Course) -> None:
    with Leaderboard.open(course.path) as board:
        assert board.title == "Class 4b"
        ann, level, bob, cid = board.read()
    assert [row.name for row in (ann, level, bob, cid)] == ["ann", "level 1", "bob", "cid"]
    assert [row.rank for row in (ann, level, bob, cid)] == [1, 2, 3, None]
    assert level.is_reference
    assert level.elo.value == 0
    assert level.level
    assert level.level.value == 1
    assert ann.elo.low > 0 > bob.elo.high
    assert ann.level
    assert ann.level.value > 1 > bob.level.value if bob.level else False
    assert (ann.played, ann.won, ann.lost, bob.forfeited) == (33, 33, 0, 1)
    # Without games, a rating is wide.
    assert cid.elo.high - cid.elo.low > 2000


@pytest.mark.parametrize(
    ("references", "winner", "levels"), [(LADDER[:3], 1, (-2.0, 0.0)), (LADDER[-3:], 2, (10.0, 13.0))]
)
def test_the_scale_of_levels_has_no_ends(
    tmp_path: Path, references: tuple[Rung, ...], winner: int, levels: tuple[float, float]
) -> None:
    first, *others = (rung.spec for rung in references)
    course = Course(tmp_path / "end.db", addresses=(first, "h:1", *others))
    for number in range(20):
        for reference in (1, 3, 4):
            won = winner if number % 10 else 3 - winner
            course.play(reference, 2, won)
            course.play(2, reference, 3 - won)
    with Leaderboard.open(course.path) as board:
        held, ann = sorted(board.read(), key=lambda row: row.entrant)[:2]
    assert held.level_error == 0
    assert ann.level_value is not None
    assert ann.level_error is not None
    assert levels[0] < ann.level_value < levels[1]
    # As wide as its rating, on the slope of the end.
    slope = 800 if winner == 1 else LADDER[-1].elo - LADDER[-2].elo
    assert ann.level_error == pytest.approx((ann.elo.high - ann.elo.low) / 2 / slope, abs=0.1)
    shown = run_tournament("show", course.path).stdout
    assert f"{ann.level_value} ± {ann.level_error}" in shown
    rows = csv.DictReader(run_tournament("show", course.path, "--format", "csv").stdout.splitlines())
    (told,) = (row for row in rows if row["name"] == "ann")
    assert (told["level.value"], told["level.error"]) == (f"{ann.level_value}", f"{ann.level_error}")


def test_a_date_is_frozen_for_entrants_that_return_later(course: Course) -> None:
    course.apply(EntrantWithdrawn(3))
    course.play(1, 2, 1)
    until = format_time(course.now)
    with Leaderboard.open(course.path) as board:
        before = board.read(until)
        assert {row.name for row in before if row.presence == "left"} == {"bob"}
    course.now += dt.timedelta(hours=1)
    course.apply(EntrantReturned(3, "h:3"))
    with Leaderboard.open(course.path) as board:
        assert board.read(until) == before
        assert {row.presence for row in board.read()} == {"here"}


def test_a_date_is_frozen(course: Course) -> None:
    until = format_time(course.now)
    with Leaderboard.open(course.path) as board:
        before = board.read(until)
        games = list(board.games(until))
    for _ in range(100):
        course.play(3, 2, 1)
    course.apply(EntrantAway(3, LOST), EntrantJoined("dan", "h:4"), EntrantWithdrawn(2))
    course.now += dt.timedelta(hours=1)
    course.apply(RoundPaired(course.state.rounds + 1, ()))
    with Leaderboard.open(course.path) as board:
        assert board.read(until) == before
        assert list(board.games(until)) == games
        now = {row.name: row for row in board.read()}
    assert now["bob"].presence == "away"
    assert (now["bob"].reason, now["bob"].phrase) == ("lost the connection", LOST.data)
    assert now["ann"].presence == "left"
    assert now["ann"].rank is None
    assert now["bob"].elo.value > before[2].elo.value


def test_movement_is_that_of_a_day(course: Course) -> None:
    course.now += dt.timedelta(days=2)
    frozen = course.now
    for _ in range(100):
        course.play(3, 1, 1)
        course.play(1, 3, 2)
        frozen = course.now
    with Leaderboard.open(course.path) as board:
        rows = {row.name: row for row in board.read(format_time(frozen))}
    assert rows["bob"].rank == 2
    # All of these games are from the last 40 hours.
    assert rows["bob"].movement in {0, 1}


def test_a_new_version_starts_with_the_rating_of_the_old_one(course: Course) -> None:
    with Leaderboard.open(course.path) as board:
        elo = board.rating(3)
        (before,) = (row for row in board.read() if row.name == "bob")
    course.now += dt.timedelta(hours=1)
    course.apply(EntrantRenewed(3, "2.0", "h:2", elo))
    with Leaderboard.open(course.path) as board:
        rows = {row.name: row for row in board.read()}
        # A third version before the first game of the second one would start with it, too.
        assert board.rating(3) == elo
        assert board.rating(4) is None
    assert rows["bob"].version == "2.0"
    assert rows["bob"].elo.value == pytest.approx(before.elo.value, abs=1)
    # As wide as its prior, of 200 Elo.
    assert rows["bob"].elo.high - rows["bob"].elo.low == pytest.approx(4 * 196, abs=1)
    assert (rows["bob"].played, rows["bob"].rated) == (33, 0)
    assert rows["bob"].rank == 3
    # The games of the old version still support the ratings of its opponents.
    assert rows["ann"].rated == 33
    for _ in range(16):
        course.play(3, 1, 1)
        course.play(1, 3, 2)
    with Leaderboard.open(course.path) as board:
        rows = {row.name: row for row in board.read()}
        record = board.describe(3)
    assert rows["bob"].elo.low > 0
    assert record is not None
    assert [each["version"] for each in record["versions"]] == ["2.0"]
    assert len(record["games"]) == 50


def test_a_record_says_why_games_were_lost(course: Course) -> None:
    with Leaderboard.open(course.path) as board:
        record = board.describe(3)
        assert board.describe(9) is None
    assert record is not None
    goal, junk = record["losses"]
    assert (goal["termination"], goal["count"], goal["fault"]) == ("goal", 32, False)
    assert (junk["termination"], junk["count"], junk["fault"]) == ("unparsable_move", 1, True)
    assert (junk["sentence"], junk["line"], junk["hint"]) == ("sent junk", "JUNK", "Hint.")
    assert (junk["phrase"], junk["hint_phrase"]) == ({"code": "verdict.junk", "values": {}}, None)
    assert junk["lines"] == ["< HELLO", "> JUNK"]
    assert record["check"] == "quoridor check server h:2"
    assert [(each["name"], each["won"], each["lost"]) for each in record["opponents"]] == [
        ("ann", 0, 17), ("level 1", 0, 16)
    ]  # fmt: skip
    assert len(record["entrant"]["history"]) == len(record["times"]) > 5


@pytest.mark.parametrize(
    ("entrant", "check"),
    [(1, ""), (2, "quoridor check server h:1"), (4, "quoridor check qtp -- COMMAND")],
)
def test_a_record_says_how_to_check_the_program(entrant: int, check: str, course: Course) -> None:
    with Leaderboard.open(course.path) as board:
        record = board.describe(entrant)
    assert record is not None
    assert record["check"] == check


def test_the_window_leaves_out_old_games(tmp_path: Path) -> None:
    course = Course(tmp_path / "league.db")
    for _ in range(150):
        course.play(2, 1, 1)
        course.play(1, 2, 1)
    with Leaderboard.open(course.path) as board:
        rows = {row.name: row for row in board.read()}
    assert (rows["ann"].played, rows["ann"].rated) == (300, 200)


def test_games_in_the_window_of_either_entrant_count_once(tmp_path: Path) -> None:
    course = Course(tmp_path / "league.db", window=10)
    chance = random.Random(6)
    for _ in range(60):
        first, second = chance.sample(range(1, 5), 2)
        course.play(first, second, chance.randint(1, 2))
    seats = [pairing.seats for pairing, _ in course.state.results()]
    games = {each: [game for game, pair in enumerate(seats) if each in pair] for each in range(1, 5)}
    window = {game for played in games.values() for game in played[-10:]}
    with Leaderboard.open(course.path) as board:
        rated = {row.entrant: row.rated for row in board.read()}
    assert rated == {entrant: len(window.intersection(played)) for entrant, played in games.items()}


def test_a_backup_is_a_journal(course: Course, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    for _ in range(2):
        back_up(course.path, copy)
        with Leaderboard.open(course.path) as board, Leaderboard.open(copy) as copied:
            assert board.read() == copied.read()
        course.play(2, 3, 1)
    # These games have no moves, which verification notices.
    assert not [sentence for sentence in verify(copy) if "table" in sentence]


def test_another_tournament_is_no_league(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Journal.create(path) as journal:
        journal.append(TournamentStarted("quoridor", ("ann", "bob"), Plan().settings()))
        journal._write(journal._changes)
    assert not is_league(path)
    with pytest.raises(JournalError, match="not the journal of a league"), Leaderboard.open(path):
        pass


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE tournaments SET settings = '{'", "Expecting property name"),
        (
            "UPDATE tournaments SET settings = replace(settings, 'league', 'ladder')",
            "unknown format 'ladder'",
        ),
        ("UPDATE entrants SET address = 'qtp:' WHERE number = 2", "the command is empty"),
    ],
)
def test_a_damaged_table_is_one_error(course: Course, change: str, reason: str) -> None:
    with closing(sqlite3.connect(course.path)) as connection, connection:
        connection.execute(change)
    with pytest.raises(JournalError, match=f"is damaged: .*{reason}"), Leaderboard.open(course.path):
        pass
