"""Standings, tie-breaks and crosstable are correct."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import (
    SWISS_TIE_BREAKS,
    GameResult,
    Pairing,
    SeatScore,
    TieBreak,
    crosstable,
    points_of,
    seat_scores,
    standings,
)
from quoridor_net.tournament.formats import Bye
from tests.support.tournament_events import round_robin

NAMES = ("ann", "bob", "cid")


def end_game(winner: int | None, termination: Termination = Termination.NO_MOVES) -> Result:
    return Result(winner, termination, "It ended.", 10)


def game(first: int, second: int, *points: float) -> GameResult:
    return Pairing(1, 1, (first, second)), end_game(points.index(1) + 1 if 1 in points else None)


@pytest.mark.parametrize(
    ("winner", "termination", "points"),
    [
        (2, Termination.ILLEGAL_MOVE, (0.0, 1.0, 0.0, 0.0)),
        (None, Termination.PLY_LIMIT, (0.5, 0.5, 0.5, 0.5)),
        (None, Termination.ABORTED, (0.0, 0.0, 0.0, 0.0)),
        (None, Termination.DISCONNECTED, (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_points_follow_from_results(
    winner: int | None, termination: Termination, points: tuple[float, ...]
) -> None:
    assert points_of(Pairing(1, 1, (3, 1, 4, 2)), end_game(winner, termination)) == points


def test_a_table_computed_by_hand_is_reproduced() -> None:
    rows = standings(
        NAMES, [game(1, 2, 1, 0), game(2, 3, 1, 0), game(3, 1, 0.5, 0.5), game(2, 1, 1, 0), game(3, 2, 0, 1)]
    )
    # bob 3 points; ann 1½; cid ½. bob beat cid twice (½ each) and ann once (1½): 2½.
    shown = [
        (row.rank, row.name, row.points, row.won, row.drawn, row.lost, row.sonneborn_berger) for row in rows
    ]
    assert shown == [
        (1, "bob", 3, 3, 0, 1, 2.5),
        (2, "ann", 1.5, 1, 1, 1, 3.25),
        (3, "cid", 0.5, 0, 1, 2, 0.75),
    ]


def test_equal_rows_share_a_place() -> None:
    rows = standings(NAMES, [game(1, 2, 1, 0), game(2, 3, 1, 0), game(3, 1, 1, 0)])
    assert [row.rank for row in rows] == [1, 1, 1]
    assert [row.name for row in rows] == list(NAMES)


def test_a_forfeit_is_counted_and_a_void_game_is_not() -> None:
    forfeit = Pairing(1, 1, (1, 2)), end_game(2, Termination.TOO_SLOW)
    void = Pairing(2, 1, (1, 2)), end_game(None, Termination.ABORTED)
    nobody = Pairing(3, 1, (1, 2)), end_game(None, Termination.DISCONNECTED)
    rows = {row.name: row for row in standings(NAMES, [forfeit, void, nobody])}
    assert (rows["ann"].lost, rows["ann"].forfeited) == (2, 2)
    assert (rows["bob"].won, rows["bob"].lost, rows["bob"].forfeited, rows["bob"].played) == (1, 1, 1, 2)
    assert rows["cid"].played == 0


def test_the_crosstable_has_all_scores() -> None:
    table = crosstable(NAMES, [game(1, 2, 1, 0), game(2, 1, 0.5, 0.5), game(3, 2, 0, 1)])
    assert table.cell(1, 2) == (1.0, 0.5)
    assert table.cell(2, 1) == (0.0, 0.5)
    assert table.cell(1, 3) == ()
    assert [row.name for row in table.rows] == ["ann", "bob", "cid"]


def test_tie_breaks_match_those_of_lichess() -> None:
    """The crosstable in the tests of scalachess (test-kit, TiebreakTest.scala), with the values for A.

    Buchholz 7½, Sonneborn-Berger 4, two wins, direct encounter 0 for A and 1 for D, which have equal points.
    """
    names = ("A", "B", "C", "D", "E")
    half = 0.5
    results = [
        game(1, 2, 1, 0), game(1, 3, half, half), game(1, 4, 0, 1), game(1, 5, 1, 0),
        game(2, 3, 1, 0), game(2, 4, half, half), game(2, 5, 0, 1),
        game(3, 4, 1, 0), game(3, 5, half, half),
        game(4, 5, 1, 0),
    ]  # fmt: skip
    order = (TieBreak.HEAD_TO_HEAD,)
    rows = {row.name: row for row in standings(names, results, tie_breaks=order)}
    assert {name: row.points for name, row in rows.items()} == {
        "A": 2.5,
        "B": 1.5,
        "C": 2,
        "D": 2.5,
        "E": 1.5,
    }
    assert (rows["A"].buchholz, rows["A"].sonneborn_berger, rows["A"].won) == (7.5, 4, 2)
    assert (rows["A"].head_to_head, rows["D"].head_to_head) == (0, 1)
    assert [row.name for row in standings(names, results, tie_breaks=order)] == ["D", "A", "C", "E", "B"]


def test_sonneborn_berger_matches_the_example_of_senseis_library() -> None:
    """A double round robin from Sensei's Library, "Sonneborn-Berger"."""
    won = {1: ([2, 3, 4], [3]), 2: ([3, 4], [1, 4]), 3: ([4], [2, 4]), 4: ([], [1])}
    results = [game(one, other, 1, 0) for one, rounds in won.items() for each in rounds for other in each]
    rows = standings(("A", "B", "C", "D"), results)
    assert [(row.name, row.points, row.sonneborn_berger) for row in rows] == [
        ("A", 4, 11),
        ("B", 4, 9),
        ("C", 3, 6),
        ("D", 1, 4),
    ]


def test_byes_count_a_point_and_an_opponent_of_equal_strength() -> None:
    # Three rounds of a Swiss of three: each has a bye once.
    results = [game(1, 2, 1, 0), game(3, 1, 0, 1), game(2, 3, 0.5, 0.5)]
    rows = standings(NAMES, results, byes=(Bye(1, 3), Bye(2, 2), Bye(3, 1)), tie_breaks=SWISS_TIE_BREAKS)
    shown = [
        (row.name, row.points, row.played, row.byes, row.buchholz, row.sonneborn_berger, row.rank)
        for row in rows
    ]
    # ann met bob and cid, 1½ points each, and in her bye herself with 3.
    assert shown == [
        ("ann", 3, 2, 1, 6, 6, 1),
        ("bob", 1.5, 2, 1, 6, 2.25, 2),
        ("cid", 1.5, 2, 1, 6, 2.25, 2),
    ]


def test_buchholz_comes_first_in_a_swiss() -> None:
    names = ("ann", "bob", "cid", "dan", "eva", "fay")
    # ann and bob won once, bob against the stronger entrant.
    results = [game(1, 3, 1, 0), game(2, 4, 1, 0), game(4, 5, 1, 0), game(4, 6, 1, 0)]
    rows = standings(names, results, tie_breaks=SWISS_TIE_BREAKS)
    assert [row.name for row in rows[:3]] == ["dan", "bob", "ann"]
    assert (rows[1].buchholz, rows[2].buchholz) == (2, 0)


def test_head_to_head_counts_only_where_all_have_met() -> None:
    names = ("ann", "bob", "cid", "dan")
    order = (TieBreak.HEAD_TO_HEAD,)
    # ann beat bob; cid beat dan: ann and cid never met.
    rows = standings(names, [game(1, 2, 1, 0), game(3, 4, 1, 0)], tie_breaks=order)
    assert [row.rank for row in rows] == [1, 1, 3, 3]
    # One game each: the mean of both is a half.
    rows = standings(names[:2], [game(1, 2, 1, 0), game(2, 1, 1, 0)], tie_breaks=order)
    assert [(row.rank, row.head_to_head) for row in rows] == [(1, 0.5), (1, 0.5)]


def test_terminations_are_counted_for_each_entrant() -> None:
    results = [
        (Pairing(1, 1, (1, 2)), end_game(2, Termination.TOO_SLOW)),
        (Pairing(2, 1, (2, 1)), end_game(1, Termination.TOO_SLOW)),
        (Pairing(3, 1, (1, 2)), end_game(1, Termination.GOAL)),
        (Pairing(4, 1, (1, 2)), end_game(None, Termination.DISCONNECTED)),
        (Pairing(5, 1, (1, 2)), end_game(None, Termination.ABORTED)),
    ]
    ann, bob = sorted(standings(NAMES[:2], results), key=lambda row: row.name)
    assert ann.terminations == bob.terminations
    assert ann.terminations == {Termination.TOO_SLOW: 2, Termination.GOAL: 1, Termination.DISCONNECTED: 1}
    assert ann.faults == {Termination.TOO_SLOW: 2, Termination.DISCONNECTED: 1}
    assert bob.faults == {Termination.DISCONNECTED: 1}


def test_games_of_four_are_scored() -> None:
    names = ("ann", "bob", "cid", "dan")
    results = [
        (Pairing(1, 1, (1, 2, 3, 4)), end_game(1, Termination.GOAL)),
        (Pairing(2, 1, (4, 3, 2, 1)), end_game(4, Termination.LAST_PLAYER)),
        (Pairing(3, 1, (2, 1, 4, 3)), end_game(None, Termination.PLY_LIMIT)),
    ]
    table = crosstable(names, results)
    assert [(row.name, row.points, row.won, row.drawn, row.lost) for row in table.rows] == [
        ("ann", 2.5, 2, 1, 0),
        ("bob", 0.5, 0, 1, 2),
        ("cid", 0.5, 0, 1, 2),
        ("dan", 0.5, 0, 1, 2),
    ]
    assert table.cell(1, 4) == (1, 1, 0.5)
    assert table.cell(2, 3) == (0, 0, 0.5)
    # ann: twice 1 times the 1½ points of the others, once ½ times them.
    assert [row.sonneborn_berger for row in table.rows] == [3.75, 1.75, 1.75, 1.75]
    assert [row.buchholz for row in table.rows] == [4.5, 10.5, 10.5, 10.5]
    assert seat_scores(results) == [
        SeatScore(1, 3, 1.5),
        SeatScore(2, 3, 0.5),
        SeatScore(3, 3, 0.5),
        SeatScore(4, 3, 1.5),
    ]


def test_ratings_need_no_games_and_no_entrants() -> None:
    assert standings((), []) == []
    assert seat_scores([]) == []
    assert [row.rank for row in standings(NAMES, [], tie_breaks=SWISS_TIE_BREAKS)] == [1, 1, 1]


RESULTS = st.integers(2, 7).flatmap(
    lambda number: st.tuples(
        st.just(number),
        st.lists(
            st.tuples(st.permutations(range(1, number + 1)), st.sampled_from([1, 2, None])), max_size=30
        ),
        st.lists(st.integers(1, number), max_size=5),
        st.permutations(range(1, number + 1)),
    )
)


@given(RESULTS)
def test_another_order_of_the_entrants_changes_no_place(
    drawn: tuple[int, list[tuple[list[int], int | None]], list[int], list[int]],
) -> None:
    number, games, byes, permuted = drawn
    names = [f"e{entrant}" for entrant in range(1, number + 1)]
    renamed = [names[permuted.index(entrant)] for entrant in range(1, number + 1)]

    def table(names: list[str], numbers: list[int]) -> dict[str, tuple[float, ...]]:
        results = [
            (Pairing(1, 1, tuple(numbers[seat - 1] for seat in seats[:2])), end_game(winner))
            for seats, winner in games
        ]
        free = [Bye(turn, numbers[bye - 1]) for turn, bye in enumerate(byes, 1)]
        rows = standings(names, results, free, SWISS_TIE_BREAKS)
        assert sum(row.points for row in rows) == len(games) + len(byes)
        return {
            row.name: (row.rank, row.points, row.buchholz, row.sonneborn_berger, row.head_to_head)
            for row in rows
        }

    assert table(names, list(range(1, number + 1))) == table(renamed, permuted)


@given(st.integers(2, 8), st.integers(1, 3), st.data())
def test_points_are_conserved(number: int, games: int, data: st.DataObject) -> None:
    winners = st.sampled_from([1, 2, None])
    results = [(pairing, end_game(data.draw(winners))) for pairing in round_robin(number, games)]
    table = crosstable([f"e{entrant}" for entrant in range(number)], results)
    assert sum(row.points for row in table.rows) == len(results)
    assert [row.rank for row in table.rows] == sorted(row.rank for row in table.rows)
    for row in table.rows:
        assert row.won + row.drawn + row.lost == row.played == games * (number - 1)
        assert sum(sum(table.cell(row.entrant, other.entrant)) for other in table.rows) == row.points
