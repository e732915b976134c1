"""Swiss tournaments with the wishes that organisers have, from the command line to the tables."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest

from quoridor_net.cli.tournament.settings import with_wishes
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import read_journal
from quoridor_net.tournament.quoridor.plan import Plan
from tests.cli.test_tournament_entrants import document, forget_results, tournament

pytestmark = pytest.mark.end_to_end

ENTRANTS = ("ann=simple", "anton=simple", "bob=simple", "cid=random", "dan=random")
SWISS = ("--format", "swiss", "--games", 1, "--size", 3, "--quiet", "--seed", 4)


def forget_second_round(path: Path) -> None:
    """Remove the second round from the tables, because its events are gone."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM seats WHERE game IN (SELECT number FROM games WHERE round = 2)")
        connection.execute("DELETE FROM games WHERE round = 2")
        connection.execute("DELETE FROM rounds WHERE number = 2")
        connection.execute("UPDATE tournaments SET ended_at = NULL")


def test_byes_and_forbidden_pairings_are_kept_in_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    wishes = ("--bye", "bob=1,3", "--bye", "ci=2", "--apart", "ann,anton,bob", "--pair", "dan,ann")
    result = tournament("run", path, *ENTRANTS, *SWISS, "--rounds", 3, *wishes)
    assert result.exit_code == 0, result.output
    state = read_journal(path)
    assert state.pairing(1).seats == (5, 1)
    assert {(bye.entrant, bye.round) for bye in state.byes if bye.points == 0.5} == {(3, 1), (3, 3), (4, 2)}
    together = [{"ann", "anton"}, {"ann", "bob"}, {"anton", "bob"}]
    shown = document(path)
    assert all(set(game["seats"]) not in together for game in shown["games"])
    rows = {row["name"]: row for row in shown["entrants"]}
    assert {name: row["half_byes"] for name, row in rows.items() if row["half_byes"]} == {"bob": 2, "cid": 1}
    for row in rows.values():
        assert row["points"] == row["won"] + row["drawn"] / 2 + row["byes"] + row["half_byes"] / 2
    assert "½ byes" in tournament("show", path).stdout
    assert "no faults found" in tournament("verify", path).stdout


def test_byes_are_counted_in_rounds(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    words = ("--bye", "ann=1", "--apart", "bob,cid", "--rounds", 1, "--games", 2)
    three = (ENTRANTS[0], *ENTRANTS[2:4])
    assert tournament("run", path, *three, *SWISS, *words).exit_code == 0
    shown = document(path)
    assert shown["byes"] == [
        {"round": 1, "name": "bob", "games": 2, "points": 2.0},
        {"round": 1, "name": "cid", "games": 2, "points": 2.0},
        {"round": 1, "name": "ann", "games": 2, "points": 1.0},
    ]
    rows = {row["name"]: row for row in shown["entrants"]}
    for name, byes, half_byes, points in (("ann", 0, 1, 1), ("bob", 1, 0, 2), ("cid", 1, 0, 2)):
        row = rows[name]
        assert (row["byes"], row["half_byes"], row["points"]) == (byes, half_byes, points)
        # Each game counts as one against an opponent with the same points.
        assert (row["buchholz"], row["sonneborn_berger"]) == (2 * points, points * points)
    lines = tournament("show", path, "--format", "csv", "--table", "byes").stdout.splitlines()
    assert lines == ["round,name,games,points", "1,bob,2,2.0", "1,cid,2,2.0", "1,ann,2,1.0"]
    assert "no faults found" in tournament("verify", path).stdout


def test_a_round_is_chosen_and_a_game_awarded_before_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    four = ENTRANTS[:4]
    assert tournament("run", path, *four, *SWISS, "--rounds", 2, "--late-half-byes").exit_code == 0
    forget_results(path, 3)
    forget_second_round(path)
    state = read_journal(path)
    (first,) = [pairing for pairing in state.pending if pairing.number == 2]
    winner = state.entrants[first.seats[1] - 1]
    refused = tournament("award", path, 1, state.entrants[state.pairing(1).seats[0] - 1])
    only = "only a game that has not started can be awarded"
    assert (refused.exit_code, refused.stderr) == (1, f"Error: game 1 is over: {only}.\n")
    done = tournament("award", path, 2, winner)
    assert done.stdout.startswith(f"{winner} wins game 2; "), done.output
    done = tournament("pair", path, "bob,ann")
    assert done.stdout.startswith("Round 2 will have bob - ann; "), done.output
    refused = tournament("pair", path, "an,bob")
    assert refused.stderr == "Error: the names of several entrants begin with 'an': ann, anton.\n"
    assert tournament("add", path, "eve=simple").exit_code == 0
    assert tournament("resume", path, "--quiet").exit_code == 0
    state, shown = read_journal(path), document(path)
    assert (3, 1) in {pairing.seats for pairing, _ in state.results() if pairing.round == 2}
    game = shown["games"][1]
    assert game["sentence"].endswith("lost by a decision of the organiser.")
    (eve,) = [row for row in shown["entrants"] if row["name"] == "eve"]
    assert eve["half_byes"] == 1
    assert "no faults found" in tournament("verify", path).stdout


def test_pairings_that_need_a_second_look_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    wishes = ("--pair", "ann,bob", "--apart", "ann,bob,anton")
    assert tournament("run", path, *ENTRANTS[:4], *SWISS, "--rounds", 2, *wishes).exit_code == 0
    forget_results(path, 3)
    forget_second_round(path)
    again = tournament("pair", path, "bob,ann").stdout
    parts = "Round 2 will have bob - ann", "have met before: bob - ann", "to be kept apart: bob - ann"
    assert again.startswith("; ".join(parts)), again
    other = tournament("pair", path, "ann,cid").stdout
    assert other.startswith("Round 2 will have ann - cid, no longer bob - ann; the tournament"), other


def test_no_pairing_is_chosen_after_the_last_round(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert tournament("run", path, *ENTRANTS[:4], *SWISS, "--rounds", 2).exit_code == 0
    forget_results(path, 1)
    refused = tournament("pair", path, "ann,bob")
    last = "Error: round 2 is the last one, and its games are already paired.\n"
    assert (refused.exit_code, refused.stderr) == (1, last)


def test_a_game_of_an_entrant_that_left_is_not_awarded(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert tournament("run", path, *ENTRANTS[:3], "--quiet", "--size", 3, "--games", 2).exit_code == 0
    forget_results(path, 6)
    assert tournament("withdraw", path, "bob").exit_code == 0
    state = read_journal(path)
    game = state.list_cancelled()[0].number
    refused = tournament("award", path, game, "bob")
    assert refused.stderr.startswith(f"Error: game {game} is cancelled: only a game"), refused.output


def test_an_entrant_that_asked_for_a_bye_is_not_paired(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert tournament("run", path, *ENTRANTS[:4], *SWISS, "--rounds", 2, "--bye", "cid=2").exit_code == 0
    forget_results(path, 2)
    forget_second_round(path)
    refused = tournament("pair", path, "bob,cid")
    assert (refused.exit_code, refused.stderr) == (1, "Error: cid asked for a bye in round 2.\n")


def test_the_beginning_of_a_name_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert tournament("run", path, *ENTRANTS, "--size", 3, "--quiet", "--seed", 1).exit_code == 0
    forget_results(path, 12)
    refused = tournament("withdraw", path, "an")
    assert refused.stderr == "Error: the names of several entrants begin with 'an': ann, anton.\n"
    assert tournament("withdraw", path, "ann").stdout.startswith("ann plays no more games; ")
    assert tournament("withdraw", path, "b").stdout.startswith("bob plays no more games; ")
    assert tournament("withdraw", path, "bo").stderr == "Error: bob has already left.\n"
    assert tournament("add", path, "bo").stdout.startswith("bob is back and keeps its games; ")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--bye", "eve=1"), "no entrant is called 'eve': there are ann, anton, bob, cid, dan"),
        (("--bye", "ann"), "expected NAME=ROUND, not 'ann'"),
        (("--bye", "ann=0"), "'--bye'"),
        (("--bye", "ann=99"), "'--bye'"),
        (("--bye", "ann=1", "--pair", "ann,bob"), "ann asked for a bye in round 1"),
        (("--apart", "ann"), "'ann' does not name two entrants"),
        (("--apart", "an,bob"), "the names of several entrants begin with 'an'"),
        (("--pair", "ann,bob", "--pair", "bob,cid"), "each entrant can have only one opponent"),
        (("--pair", "ann"), "'ann' is not a pair of names like ann,bob"),
    ],
)
def test_a_wish_that_cannot_be_read_is_one_line(
    tmp_path: Path, words: tuple[str, ...], expected: str
) -> None:
    result = tournament("run", tmp_path / "a.db", *ENTRANTS, *SWISS, *words)
    assert (result.exit_code, expected in result.stderr) == (2, True), result.stderr
    other = tournament("run", tmp_path / "a.db", *ENTRANTS, *words)
    assert "works only with --format swiss" in other.stderr


def test_a_file_of_settings_has_lists_of_wishes(tmp_path: Path) -> None:
    config = tmp_path / "event.toml"
    config.write_text(
        'format = "swiss"\nrounds = 1\ngames = 1\nsize = 3\nbye = ["ann=1"]\napart = ["bob,cid", "bob,dan"]\n'
        f"entrants = {list(ENTRANTS)}\n".replace("'", '"'),
        encoding="utf-8",
    )
    path = tmp_path / "a.db"
    result = tournament("run", path, "--config", config, "--quiet")
    assert result.exit_code == 0, result.output
    (bob,) = [game for game in document(path)["games"] if "bob" in game["seats"]]
    assert set(bob["seats"]) == {"anton", "bob"}


def test_byes_of_entrants_kept_apart_are_explained(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    words = ("run", path, *ENTRANTS, "--format", "swiss", "--games", 1, "--size", 3, "--rounds", 2)
    apart = ("--apart", "ann,anton,bob,cid")
    foreseen = "In each round, at least 3 of 5 entrants have byes: --apart leaves them no opponents."
    assert tournament(*words, *apart, "--dry-run").stdout.splitlines()[1] == foreseen
    played = tournament(*words, *apart).stdout.splitlines()
    assert played[1] == foreseen
    told = [line for line in played if line.startswith("Round ")]
    assert [line.partition(" have byes: ")[2] for line in told] == 4 * ["--apart leaves them no opponents."]
    # When each round is paired, and once more below the tables.
    assert told[:2] == told[2:]
    # The table and the last line agree, also about entrants that had only byes.
    best = [row["name"] for row in document(path)["entrants"] if row["rank"] == 1]
    assert played[-1].startswith(f"{', '.join(best)} {'wins' if len(best) == 1 else 'share'}")
    for form in ("text", "markdown", "html"):
        assert all(line in tournament("show", path, "--format", form).stdout for line in told)
    # A usual bye is not explained.
    usual = tmp_path / "b.db"
    assert "have byes" not in tournament("run", usual, *words[2:], "--apart", "ann,anton").stdout


@pytest.mark.parametrize(
    ("apart", "name"),
    [(("ann,anton,bob",), "ann"), (("bob,ann", "anton,bob"), "bob"), (("anton,ann", "anton,bob"), "anton")],
)
def test_an_entrant_without_any_opponent_is_refused(
    apart: tuple[str, ...], name: str, tmp_path: Path
) -> None:
    options = [word for group in apart for word in ("--apart", group)]
    for more in ((), ("--dry-run",)):
        refused = tournament("run", tmp_path / "a.db", *ENTRANTS[:3], *SWISS, *options, *more)
        assert refused.exit_code == 2
        assert refused.stderr.endswith(f"Error: --apart leaves no opponent for {name}.\n")
    assert not [*tmp_path.iterdir()]


def test_teams_that_sign_up_later_leave_the_number_of_rounds_open() -> None:
    field = [parse_spec("ann=simple")]
    plan = with_wishes(Plan("swiss"), field, ["ann=3"], [], [], is_whole=False)
    assert plan.rests == ((1, 3),)
    with pytest.raises(click.BadParameter, match="expected a number from 1 to 1, not '3'"):
        with_wishes(Plan("swiss"), field, ["ann=3"], [], [], is_whole=True)
    with pytest.raises(click.BadParameter, match="no entrant is called 'ann': there are none yet"):
        with_wishes(Plan("swiss"), [], ["ann=3"], [], [], is_whole=False)
