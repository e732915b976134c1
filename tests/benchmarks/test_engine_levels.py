"""The ladder of levels: every pairing is played, and the table shows its score."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from benchmarks.engine_levels import PAIRINGS, SIMPLE, Pair, main, play
from quoridor_net.rules import Position

pytestmark = pytest.mark.compiled("engine")


def test_every_level_meets_the_one_below_and_the_simple_player_four_levels() -> None:
    done = CliRunner().invoke(main, ["--size", "5", "--nodes", "200", "--pairs", "1"])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[1] == "2 games each on 5x5"
    rows = lines[5:]
    assert len(rows) == len(PAIRINGS) == 13
    assert rows[0].startswith("level 2 over level 1 ")
    assert rows[8].startswith("level 10 over level 9 ")
    assert rows[-1].startswith("simple over level 4 ")
    for row in rows:
        assert sum(map(int, row.split("level")[-1].split()[1:4])) == 2


@pytest.mark.parametrize(("sides", "expected"), [((10, SIMPLE), 2), ((SIMPLE, 10), 0)])
def test_the_score_is_that_of_the_first_side(sides: tuple[int, int], expected: int) -> None:
    assert play(Pair(sides, Position().to_line(), 2000, 1)) == (expected, 0)


def test_a_pair_is_reproducible() -> None:
    pair = Pair((3, 2), Position(7).to_line(), 100, 5)
    assert play(pair) == play(pair)
