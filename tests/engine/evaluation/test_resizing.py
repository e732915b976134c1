"""The tables of the network are those of the file on 9x9, and fit other boards."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from quoridor_net.engine.board.moves import LARGEST
from quoridor_net.engine.evaluation import network
from quoridor_net.engine.evaluation.resizing import align
from tests.support.network_file import FILE, columns, wall_numbers

pytestmark = pytest.mark.compiled("engine")

#: Tables with another place in the record than in the file, or with other columns unless the board is 9x9.
SIZED = {"walls", "own", "other", "apart", "by_own", "by_other", "wall_moves", "wall_by_own", "wall_by_other"}
SIZED |= {"wall_bias", "own_bias", "other_bias", "step_moves", "step_bias"}
#: Offsets between rows, or columns, of the largest board.
OFFSETS = range(1 - LARGEST, LARGEST)


def number_of_offset(down: int, right: int) -> int:
    """Return the number that the record gives an offset of places."""
    return (down + LARGEST - 1) * len(OFFSETS) + right + LARGEST - 1


@pytest.mark.parametrize("size", [5, 9, 11])
def test_parts_independent_of_the_board_equal_the_file(size: int) -> None:
    net = network.new_network(size)
    fields = network.TABLES | network.SCALARS
    assert set(fields) > SIZED
    for name in set(fields) - SIZED:
        assert (np.ravel(getattr(net, fields[name])) == FILE[name]).all()


def test_squares_and_walls_of_9x9_are_those_of_the_file() -> None:
    net = network.new_network(9)
    assert (np.asarray(net.own_pawn)[:81] == columns("own")).all()
    assert (np.asarray(net.other_pawn)[:81] == columns("other")).all()
    walls = wall_numbers()
    assert (np.asarray(net.walls)[walls] == columns("walls")[walls]).all()
    assert (np.asarray(net.policy_walls)[walls] == columns("wall_moves")[walls]).all()
    assert (np.asarray(net.wall_bias)[walls] == FILE["wall_bias"][walls]).all()


@pytest.mark.parametrize("size", [5, 8, 9, 11])
def test_offsets_have_the_column_of_the_nearest_in_the_file(size: int) -> None:
    net = network.new_network(size)
    by_own, policy, bias = map(
        np.asarray, (net.walls_by_own, net.policy_walls_by_other, net.wall_by_own_bias)
    )
    apart, steps = np.asarray(net.pawn_offsets), np.asarray(net.policy_steps)
    for down, right in product(OFFSETS, repeat=2):
        number = number_of_offset(down, right)
        row, column = (min(max(offset, -8), 8) + 8 for offset in (down, right))
        assert (apart[number] == columns("apart")[17 * row + column]).all()
        row, column = (min(max(offset, -8), 7) + 8 for offset in (down, right))
        for is_vertical in range(2):
            here, there = 441 * is_vertical + number, 256 * is_vertical + 16 * row + column
            assert (by_own[here] == columns("by_own")[there]).all()
            assert (policy[here] == columns("wall_by_other")[there]).all()
            assert bias[here] == FILE["own_bias"][there]
    for down, right in product(range(-2, 3), repeat=2):
        place = 21 * (down + 2) + right + 2
        assert (steps[place] == columns("step_moves")[5 * (down + 2) + right + 2]).all()


def test_values_between_known_ones_are_interpolated() -> None:
    net = network.new_network(5)
    own, known = np.asarray(net.own_pawn).astype(int), columns("own")
    # Every second square of 9x9 is one of 5x5.
    for row, column in product(range(5), repeat=2):
        assert (own[5 * row + column] == known[18 * row + 2 * column]).all()
    # The middle anchors of 5x5 lie at 2/3 of the way from corner to corner on 9x9 twice.
    assert align(8, 4) == pytest.approx(
        np.array(
            [[1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 2, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 2, 0, 0], [0] * 7 + [1]]
        )
        / np.array([[1], [3], [3], [1]])
    )


@pytest.mark.parametrize(("before", "after"), list(product((8, 9), range(4, 12))))
def test_ends_meet_ends_and_shares_are_complete(before: int, after: int) -> None:
    shares = align(before, after)
    assert shares.shape == (after, before)
    assert shares.min() >= 0
    assert shares.sum(axis=1) == pytest.approx(np.ones(after))
    assert shares[0, 0] == shares[-1, -1] == 1
    assert shares == pytest.approx(shares[::-1, ::-1])
