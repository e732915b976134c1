"""Node counts shared with several independent programs (tests/data/perft.json)."""

from __future__ import annotations

import pytest

from quoridor_net.rules import Jumps, Position
from tests.support.perft import ENDLESS, QUICK, VECTORS, plain_perft, vectors

#: Counts above this take the rules library half an hour and more each; the engine's kernel takes a minute.
SLOW = 300_000_000


@pytest.mark.parametrize(("line", "depth", "count"), vectors(0, QUICK))
def test_perft_reproduces_the_data(line: str, depth: int, count: int) -> None:
    assert Position.from_line(line).perft(depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("line", "depth", "count"), vectors(QUICK, SLOW))
def test_deep_perft_reproduces_the_data(line: str, depth: int, count: int) -> None:
    assert Position.from_line(line).perft(depth) == count


@pytest.mark.slow
@pytest.mark.hours
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("line", "depth", "count"), vectors(SLOW, ENDLESS))
def test_deepest_perft_reproduces_the_data(line: str, depth: int, count: int) -> None:
    assert Position.from_line(line).perft(depth) == count


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_vectors_are_read_as_they_are_meant(vector: dict[str, object]) -> None:
    position = Position.from_line(str(vector["position"]))
    assert (position.players, position.size) == (vector["players"], vector["size"])
    assert Position.from_line(position.to_line()) == position


@pytest.mark.parametrize("jumps", list(Jumps))
@pytest.mark.parametrize("players", [2, 4])
def test_counting_without_playing_equals_playing(players: int, jumps: Jumps) -> None:
    position = Position(3, players, 1, jumps)
    before = position.copy()
    for depth in range(5):
        assert position.perft(depth) == plain_perft(position, depth)
        assert position == before
        assert position.history == ()


def test_divide_splits_the_count_by_the_first_move() -> None:
    position = Position(5, walls=2)
    counts = position.divide(2)
    assert list(counts) == position.legal_moves
    assert sum(counts.values()) == position.perft(2)
    for move, count in counts.items():
        position.push(move)
        assert position.perft(1) == count
        position.pop()


def test_a_game_that_is_over_has_no_sequences() -> None:
    position = Position.from_line(" /  / e9 e5 / 3 3 / 0")
    assert [position.perft(depth) for depth in range(3)] == [1, 0, 0]
    assert position.divide(1) == {}


def test_depths_out_of_range_are_rejected() -> None:
    with pytest.raises(ValueError, match="the depth cannot be negative: -1"):
        Position().perft(-1)
    with pytest.raises(ValueError, match="the depth must be positive: 0"):
        Position().divide(0)
