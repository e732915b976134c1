"""The time and memory of searches that keep a tree."""

from __future__ import annotations

import pytest

from quoridor_net.engine.trees import is_worth_keeping, table_beside


@pytest.mark.parametrize(
    ("cost", "seconds", "expected"), [(0.5, 2.0, True), (0.51, 2.0, False), (60.0, None, True)]
)
def test_a_tree_is_kept_if_that_takes_a_quarter_of_the_time_at_most(
    cost: float, seconds: float | None, expected: bool
) -> None:
    assert is_worth_keeping(cost, seconds) == expected


def test_the_table_gets_an_eighth_of_the_trees_memory() -> None:
    assert [table_beside(megabytes) for megabytes in (512, 8, 4)] == [64, 1, 1]
