"""The kernel counts the same move sequences as the verified vectors."""

from __future__ import annotations

import pytest

from quoridor_net.engine.board.perft import count_sequences
from quoridor_net.rules import Position
from tests.support.perft import ENDLESS, QUICK, vectors

pytestmark = pytest.mark.compiled("engine")


@pytest.mark.parametrize(("line", "depth", "count"), vectors(0, QUICK))
def test_perft_has_the_known_counts(line: str, depth: int, count: int) -> None:
    assert count_sequences(Position.from_line(line), depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("line", "depth", "count"), vectors(QUICK, ENDLESS))
def test_deeper_perft_has_the_known_counts(line: str, depth: int, count: int) -> None:
    assert count_sequences(Position.from_line(line), depth) == count


def test_a_finished_game_has_no_sequences() -> None:
    assert count_sequences(Position.from_line(" /  / e9 e5 / 10 10 / 0"), 2) == 0


@pytest.mark.parametrize(("size", "depth", "words"), [(5, 0, "positive"), (12, 1, "boards of 3 to 11")])
def test_counts_out_of_range_are_rejected(size: int, depth: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        count_sequences(Position(size), depth)
