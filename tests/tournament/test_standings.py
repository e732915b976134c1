"""The table and the crosstable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import (
    GameResult,
    Pairing,
    crosstable,
    points_of,
    round_robin,
    standings,
)

NAMES = ("ann", "bob", "cid")


def ended(winner: int | None, termination: Termination = Termination.NO_MOVES) -> Result:
    return Result(winner, termination, "It ended.", 10)


def game(first: int, second: int, *points: float) -> GameResult:
    return Pairing(1, 1, (first, second)), ended(points.index(1) + 1 if 1 in points else None)


@pytest.mark.parametrize(
    ("winner", "termination", "points"),
    [
        (2, Termination.ILLEGAL_MOVE, (0.0, 1.0, 0.0, 0.0)),
        (None, Termination.PLY_LIMIT, (0.5, 0.5, 0.5, 0.5)),
        (None, Termination.ABORTED, (0.0, 0.0, 0.0, 0.0)),
        (None, Termination.DISCONNECTED, (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_points(winner: int | None, termination: Termination, points: tuple[float, ...]) -> None:
    assert points_of(Pairing(1, 1, (3, 1, 4, 2)), ended(winner, termination)) == points


def test_a_table_worked_out_by_hand() -> None:
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
    forfeit = Pairing(1, 1, (1, 2)), ended(2, Termination.TOO_SLOW)
    void = Pairing(2, 1, (1, 2)), ended(None, Termination.ABORTED)
    nobody = Pairing(3, 1, (1, 2)), ended(None, Termination.DISCONNECTED)
    rows = {row.name: row for row in standings(NAMES, [forfeit, void, nobody])}
    assert (rows["ann"].lost, rows["ann"].forfeited) == (2, 2)
    assert (rows["bob"].won, rows["bob"].lost, rows["bob"].forfeited, rows["bob"].played) == (1, 1, 1, 2)
    assert rows["cid"].played == 0


def test_crosstable() -> None:
    table = crosstable(NAMES, [game(1, 2, 1, 0), game(2, 1, 0.5, 0.5), game(3, 2, 0, 1)])
    assert table.cell(1, 2) == (1.0, 0.5)
    assert table.cell(2, 1) == (0.0, 0.5)
    assert table.cell(1, 3) == ()
    assert [row.name for row in table.rows] == ["ann", "bob", "cid"]


@given(st.integers(2, 8), st.integers(1, 3), st.data())
def test_points_are_neither_made_nor_lost(number: int, games: int, data: st.DataObject) -> None:
    winners = st.sampled_from([1, 2, None])
    results = [(pairing, ended(data.draw(winners))) for pairing in round_robin(number, games)]
    table = crosstable([f"e{entrant}" for entrant in range(number)], results)
    assert sum(row.points for row in table.rows) == len(results)
    assert [row.rank for row in table.rows] == sorted(row.rank for row in table.rows)
    for row in table.rows:
        assert row.won + row.drawn + row.lost == row.played == games * (number - 1)
        assert sum(sum(table.cell(row.entrant, other.entrant)) for other in table.rows) == row.points
