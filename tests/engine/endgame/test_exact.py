"""Exact solutions agree with an independent solver, and the searcher with both."""

from __future__ import annotations

import random
from functools import cache

import pytest

from quoridor_net.engine import Limits
from quoridor_net.engine.endgame.exact import Exact
from quoridor_net.engine.searcher import Searcher
from quoridor_net.rules import Jumps, Move, Position
from quoridor_net.rules.position import PositionKey
from tests.support.small_boards import solve

pytestmark = pytest.mark.compiled("engine")


@cache
def solution(size: int, walls: int, jumps: Jumps) -> dict[PositionKey, int]:
    return solve(Position(size, 2, walls, jumps))


def random_positions(size: int, walls: int, jumps: Jumps, count: int) -> list[Position]:
    """Return positions met in random games, before the last move."""
    source = random.Random(f"{size} {walls} {jumps}")
    found: list[Position] = []
    while len(found) < count:
        position = Position(size, 2, walls, jumps)
        for _ in range(source.randrange(12)):
            if position.turn is not None:
                position.push(source.choice(position.legal_moves))
        if position.turn is not None:
            found.append(position)
    return found


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


CASES = [(3, 0), (3, 1), (3, 2), (4, 0), pytest.param(4, 1, marks=pytest.mark.slow)]


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize(("size", "walls"), CASES)
def test_every_start_and_random_positions_agree(size: int, walls: int, jumps: Jumps) -> None:
    known = solution(size, walls, jumps)
    exact = Exact(size)
    searcher = Searcher(size, 2, 1)
    for position in [Position(size, 2, walls, jumps), *random_positions(size, walls, jumps, 100)]:
        choices = exact.choices(position)
        assert choices is not None
        assert sign(choices[0].score) == sign(known[position.key])
        if choices[0].wins_in is not None:
            assert choices[0].wins_in == known[position.key]
        assert {choice.move for choice in choices} == set(position.legal_moves)
        answer = searcher.choose(position, Limits(nodes=1_000_000))
        position.push(answer.move)
        after = known[position.key] if position.turn is not None else -1
        position.pop()
        assert -sign(after) == sign(known[position.key])


@pytest.mark.slow
@pytest.mark.parametrize("walls", [0, 1])
def test_five_by_five_agrees(walls: int) -> None:
    known = solution(5, walls, Jumps.OFFICIAL)
    searcher = Searcher(5, 2, 1)
    for position in [Position(5, 2, walls), *random_positions(5, walls, Jumps.OFFICIAL, 200)]:
        answer = searcher.choose(position, Limits(nodes=1_000_000))
        assert sign(answer.score) == sign(known[position.key])
        assert answer.choices[0].wins_in in {known[position.key], None}


def test_a_solution_can_be_given_up() -> None:
    exact = Exact(5)
    assert exact.choices(Position(5, 2, 1), lambda: True) is None
    assert exact.choices(Position(5, 2, 1)) is not None


def test_a_stop_after_the_solution_does_no_harm() -> None:
    exact = Exact(3)
    assert exact.choices(Position(3, 2, 1)) is not None
    # Solved positions need no time.
    assert exact.choices(Position(3, 2, 1), lambda: True) is not None


def test_a_cancel_before_the_solution_begins_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = Searcher(5)

    def cancel(position: Position) -> list[Move]:
        searcher.cancel()
        return [*position.legal_steps, *position.legal_walls]

    monkeypatch.setattr(Position, "legal_moves", property(cancel))
    found = searcher.choose(Position(5, 2, 1), Limits(nodes=10**12))
    assert found.choices[0].wins_in is None
