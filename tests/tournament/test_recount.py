"""Every table follows from the exported CSV files: a script that shares no code with the project agrees."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings

from quoridor_net.cli.tournament.show import _csv
from quoridor_net.cli.tournament.show import show as show_command
from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament.events import EntrantJoined, EntrantRenewed, EntrantWithdrawn
from quoridor_net.tournament.formats import Format, FourPlayer, Gauntlet, Knockout, RoundRobin, Swiss
from quoridor_net.tournament.results import Results, rate_entrants
from quoridor_net.tournament.schedule import Pairing
from tests.support import recount as script
from tests.support.recount import Recount, read
from tests.support.recount_ratings import Leaderboard, Ratings
from tests.support.tournament_program import run_tournament
from tests.tournament.quoridor.test_leaderboard import Course as LeagueCourse
from tests.tournament.test_events_at_random import Course, Stage, courses, play
from tests.tournament.test_interrupted import PLANS
from tests.tournament.test_interrupted import play as play_for_real

FORMS: dict[str, tuple[type[Format], int, int]] = {
    "round robin": (RoundRobin, 2, 9),
    "gauntlet": (Gauntlet, 2, 9),
    "swiss": (Swiss, 2, 16),
    "knockout": (Knockout, 2, 16),
    "four-player": (FourPlayer, 4, 9),
}


class FaultyStage(Stage):
    """A tournament whose entrants also commit faults and stay away."""

    def draw_result(self, seats: int, chance: random.Random) -> Result:
        """Return a random result."""
        result = super().draw_result(seats, chance)
        if result.winner is None or chance.random() < 0.6:
            return result
        if seats == 2 and chance.random() < 0.2:
            return Result(None, Termination.DISCONNECTED, "Neither of them came.", 0)
        reason = chance.choice([Termination.TOO_SLOW, Termination.DISCONNECTED, Termination.REPETITION])
        if reason is Termination.REPETITION and seats == 2:
            return Result(None, reason, "Drawn.", 40)
        return Result(result.winner, Termination.TOO_SLOW, "It was slow.", chance.choice([0, 17]))


def name_opening(pairing: Pairing) -> str:
    return ("e2 e8", "d1 d9", "e2 d9")[(pairing.pair or pairing.number) % 3]


TABLES = ("games", "unfinished", "byes", "standings", "crosstable", "openings", "summary")

#: Maximum difference of two intervals from different samples, as a share of their width.
SAMPLING = 0.25


def make_form(name: str, course: Course) -> Format:
    games = course.seed % 3 + 1
    match name:
        case "round robin":
            return RoundRobin(games)
        case "gauntlet":
            return Gauntlet(games)
        case "swiss":
            rests = [(number % course.entrants + 1, 1 + number // 2) for number in range(course.seed % 4)]
            return Swiss(
                None, games, course.seed, tuple(rests), apart=((1, 2),), helps_late=course.seed % 2 == 0
            )
        case "knockout":
            return Knockout(games)
        case _:
            return FourPlayer(games + 2)


def tables_of(form: Format, course: Course) -> dict[str, str]:
    """Play a tournament with random results, and return its CSV files."""
    state = play(form, course, FaultyStage).state
    results = Results.of(state, form, ratings=rate_entrants(state), opening_of=name_opening)
    document = json.loads(json.dumps(results.document()))
    return {table: _csv(document, table) for table in TABLES}


def check(form: str, tables: dict[str, str], course: Course) -> None:
    """Compare the tables with the recount."""
    found = Recount(
        tables["games"],
        tables["unfinished"],
        tables["byes"],
        is_round_robin=form in {"round robin", "gauntlet"},
        is_swiss=form == "swiss",
    )
    compare_rows(found, tables["standings"])
    if form == "knockout":
        places = found.places(tables["standings"], course.seed % 3 + 1)
        assert places == ranks_of(tables["standings"])
    else:
        check_ranks(found, tables["standings"])
    check_crosstable(found, tables["crosstable"])
    check_openings(found, tables["openings"])
    check_summary(found, tables)
    check_ratings(tables)


def check_summary(found: Recount, tables: dict[str, str]) -> None:
    """Compare the facts next to the tables."""
    facts = {row["fact"]: row["value"] for row in read(tables["summary"])}
    void = sum(bool(game["sentence"]) for game in read(tables["unfinished"]))
    endings = Counter(game["termination"] for game in found.games) + Counter({"aborted": void})
    told = {
        name.partition(".")[2]: int(value)
        for name, value in facts.items()
        if "terminations." in name and value != "0"
    }
    assert told == endings
    names = [row["name"] for row in sorted(read(tables["standings"]), key=lambda row: int(row["number"]))]
    if len(names) == 2:
        assert int(facts["duel.score.void"]) == void
    if len(names) == 2 and found.games:
        for name, value in found.duel(names[0]).items():
            assert number_or_text(facts.get(name, "")) == pytest.approx(number_or_text(value)), name
        for row in read(tables["standings"]):
            duel = found.duel(row["name"])
            for end, name in (("value", "difference"), ("low", "low"), ("high", "high")):
                half = number_or_text(duel[f"duel.elo.{name}"])
                expected = half if half == "" else pytest.approx(half / 2, abs=0.11)
                assert number_or_text(row[f"elo.{end}"]) == expected, (row["name"], end)


def check_ratings(tables: dict[str, str]) -> Ratings:
    """Compare the strengths, and which intervals are open; samples are compared elsewhere."""
    rows = {row["name"]: row for row in read(tables["standings"])}
    ratings = Ratings(tables["games"], [*rows])
    for name, row in rows.items():
        if len(rows) == 2:
            # Half the difference of two entrants, which the summary has.
            continue
        assert float(row["elo.value"]) == pytest.approx(ratings.elo[name], abs=0.06)
        assert int(row["rated"]) == ratings.rated[name]
        assert (row.get("elo.low", "") == "") == ratings.is_open_below(name)
        assert (row.get("elo.high", "") == "") == ratings.is_open_above(name)
    facts = {row["fact"]: row["value"] for row in read(tables["summary"])}
    assert float(facts["first_move.value"]) == pytest.approx(ratings.elo[""], abs=0.06)
    told = [set(group.split()) for group in facts["groups"].split(" / ")]
    assert sorted(map(sorted, told)) == sorted(map(sorted, ratings.groups()))
    return ratings


def compare_rows(found: Recount, text: str) -> None:
    for row in read(text):
        own = found.rows.get(row["name"])
        if own is None:
            # Without games or byes.
            assert (row["played"], row["points"], row["byes"]) == ("0", "0.0", "0")
            continue
        for name, value in own.items():
            if name in row and name != "rank" and (name != "buchholz" or name in found.breaks):
                assert number_or_text(row[name]) == number_or_text(value), (row["name"], name)
        others = {name for name in row if name.startswith(("faults.", "terminations.")) and row[name] != "0"}
        assert others == {name for name in own if name.startswith(("faults.", "terminations."))}


def check_openings(found: Recount, text: str) -> None:
    openings = [(row["opening"], int(row["played"]), float(row["first"])) for row in read(text)]
    assert openings == found.openings()


def number_or_text(value: Any) -> Any:
    try:
        return float(value)
    except ValueError:
        return value


def ranks_of(text: str) -> dict[str, int]:
    return {row["name"]: int(row["rank"]) for row in read(text)}


def check_ranks(found: Recount, text: str) -> None:
    ranks = ranks_of(text)
    # The script does not know entrants without games and byes, which come after all others with points.
    if ranks.keys() == found.rows.keys():
        assert ranks == {name: row["rank"] for name, row in found.rows.items()}


def check_crosstable(found: Recount, text: str) -> None:
    for row in read(text):
        for other, cell in row.items():
            if other:
                assert [float(each) for each in cell.split()] == found.cells.get((row[""], other), [])


def show(path: Path, table: str) -> str:
    """Return a table of a journal as the command prints it."""
    done = CliRunner().invoke(show_command, [str(path), "--format", "csv", "--table", table])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("form", FORMS)
def test_tables_follow_from_the_exported_games(form: str) -> None:
    _, least, most = FORMS[form]

    @settings(max_examples=12, deadline=None)
    @given(courses(least, most, 2 if form != "knockout" else 0))
    def recount(course: Course) -> None:
        check(form, tables_of(make_form(form, course), course), course)

    recount()


def test_intervals_follow_from_samples_of_the_exported_games() -> None:
    tables = tables_of(RoundRobin(8), Course(6, {}, [], [], [], voids=False, seed=11))
    rows = sorted(read(tables["standings"]), key=lambda row: -float(row["elo.value"]))
    ratings = Ratings(tables["games"], [row["name"] for row in rows], samples=400)
    for row in rows:
        low, high = ratings.interval(row["name"])
        told = float(row["elo.low"]), float(row["elo.high"])
        assert told == pytest.approx((low, high), abs=SAMPLING * (high - low))
    for row, after in pairwise(rows):
        likelihood = ratings.superiority(row["name"], after["name"])
        assert float(row["superiority"]) == pytest.approx(likelihood, abs=0.1)
    assert "superiority" not in rows[-1] or rows[-1]["superiority"] == ""


@pytest.mark.parametrize("form", ["wishes", "openings", "sprt", "knockout"])
def test_tables_follow_from_what_the_command_exports(form: str, tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    play_for_real(path, *PLANS[form])
    tables = {table: show(path, table) for table in TABLES}
    found = Recount(tables["games"], tables["unfinished"], tables["byes"], is_swiss=form == "wishes")
    compare_rows(found, tables["standings"])
    if form == "knockout":
        assert found.places(tables["standings"], 1) == ranks_of(tables["standings"])
    else:
        check_ranks(found, tables["standings"])
    check_crosstable(found, tables["crosstable"])
    check_summary(found, tables)
    check_ratings(tables)
    if form == "openings":
        assert len(found.openings()) == 3
        check_openings(found, tables["openings"])


#: Names that are the same without separators, or look like formulas.
CLASHING = ("a;b", "a_b", "@SUM(1)", "+1")


def test_tables_are_joined_by_clashing_names(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    entrants = [f"{name}={kind}" for name, kind in zip(CLASHING, ["simple", "random"] * 2, strict=True)]
    assert run_tournament("run", path, *entrants, "--games", 1, "--size", 5, "--seed", 4).exit_code == 0
    tables = {table: show(path, table) for table in TABLES}
    found = Recount(tables["games"], "", "", is_round_robin=True)
    assert {*found.names} == {"a_b", "a_b#2", "'@SUM(1)", "'+1"} == {*ranks_of(tables["standings"])}
    compare_rows(found, tables["standings"])
    check_ranks(found, tables["standings"])
    check_crosstable(found, tables["crosstable"])
    check_ratings(tables)


def test_tables_of_a_league_are_joined_by_clashing_names(tmp_path: Path) -> None:
    course = LeagueCourse(tmp_path / "league.db")
    course.apply(EntrantJoined("a;b", "h:8"), EntrantJoined("a_b", "h:9"))
    for first, second in ((5, 6), (6, 5), (5, 2), (6, 5)):
        course.play(first, second, 1)
    for version in ("x,y", "x;y"):
        course.apply(EntrantRenewed(6, version, "h:7", None))
    rows = {row["name"]: row for row in read(show(course.path, "standings"))}
    found = Recount(show(course.path, "games"), "", "")
    for name, number, won in (("a_b", "5", 2), ("a_b#2", "6", 2)):
        assert (rows[name]["number"], rows[name]["won"]) == (number, str(won))
        assert found.rows[name]["won"] == won
    versions = [(row["name"], row["version"]) for row in read(show(course.path, "versions"))]
    assert versions == [("a_b#2", "x_y"), ("a_b#2", "x_y#2")]
    assert rows["a_b#2"]["version"] == "x_y#2"


def test_the_leaderboard_follows_from_the_exported_games(tmp_path: Path) -> None:
    course = LeagueCourse(tmp_path / "league.db", window=12)
    chance = random.Random(5)
    for number in range(60):
        first, second = chance.sample(range(1, 5), 2)
        course.play(first, second, chance.randint(1, 2), fault="JUNK" * (chance.random() < 0.2))
        if number in {20, 45, 58}:
            elo = None if number == 20 else 321.5
            course.apply(EntrantRenewed({20: 2, 45: 3, 58: 2}[number], f"v{number}", "h:7", elo))
    course.apply(EntrantJoined("dan", "h:4"), EntrantWithdrawn(4))
    tables = {table: show(course.path, table) for table in ("games", "standings", "versions", "summary")}
    found = Recount(tables["games"], "", "")
    facts = {row["fact"]: row["value"] for row in read(tables["summary"])}
    board = Leaderboard(tables["games"], tables["standings"], tables["versions"], int(facts["window"]))
    rows = read(tables["standings"])
    assert [row["rank"] for row in rows] == ["1", "2", "3", "", ""]
    for row in rows:
        name = row["name"]
        own = found.rows.get(name, Counter())
        for fact in ("played", "won", "drawn", "lost", "forfeited"):
            assert int(row[fact]) == own[fact]
        assert (int(row["rank"]) if row["rank"] else None) == board.ranks.get(name)
        assert int(row["rated"]) == board.rated[name]
        elo, half = board.elo[name], board.half[name]
        for fact, value in (("value", elo), ("low", elo - half), ("high", elo + half)):
            assert float(row[f"elo.{fact}"]) == pytest.approx(value, abs=0.06)


def test_the_script_uses_no_module_of_the_project(tmp_path: Path) -> None:
    games = "number,round,seats,points,termination,plies,left\n1,1,ann bob,0.5 0.5,ply_limit,9,\n"
    files = []
    for table, text in (
        ("games", games),
        ("unfinished", ""),
        ("byes", "round,name,games,points\n1,cid,1,1.0\n"),
    ):
        files.append(tmp_path / f"{table}.csv")
        files[-1].write_text(text, encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(Path(script.__file__)), *map(str, files)]
    shown = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    assert [line.split("\t")[:3] for line in shown.splitlines()] == [
        ["1", "cid", "1.0"], ["2", "ann", "0.5"], ["2", "bob", "0.5"]
    ]  # fmt: skip
