"""Proven scores are true; a win that ignores some moves of the loser does not count as proven."""

from __future__ import annotations

import random
from functools import cache

import pytest

from quoridor_net.engine import Choice, Limits
from quoridor_net.engine.scores import DECIDED, DOUBTFUL, WIN
from quoridor_net.engine.searcher import Searcher
from quoridor_net.rules import Position

pytestmark = pytest.mark.compiled("engine")


#: In each of them a wall off all shortest paths, which stops a jump or a step aside, refutes what looks like
#: a win.
TRAPS = [
    "c1 / a1 / e1 e3 / 2 1 / 2 / 5",
    "c1c2d3d4 / a1a3c4 / a1 b5 / 1 0 / 2 / 5",
    "c1b4 / b1a4 / a1 a4 / 0 1 / 1 / 5",
    "a1a2c2b3d3 / b1 / c2 b4 / 2 1 / 1 / 5",
    "d1d2 / b1a2c2b3 / c1 c5 / 1 1 / 1 / 5",
    "a1c1g1b2d2g2c3f3h3c4b5f5h5b6d6h6d7g7c8e8 / e1f1h2d3a4b4g4c5d5a6e7f7a8d8g8h8 / e2 a7 / 0 1 / 1",
]


@cache
def solve(line: str) -> list[Choice]:
    """Return all moves of a position with the exact truth about them."""
    position = Position.from_line(line)
    solved = Searcher(position.size).choose(position, Limits(nodes=10**9), 300)
    assert solved.nodes == 0
    return list(solved.choices)


@pytest.mark.parametrize("line", TRAPS)
@pytest.mark.parametrize("limits", [Limits(depth=14, nodes=20_000), Limits(level=9), Limits(depth=6)])
def test_every_proven_win_is_a_win(line: str, limits: Limits) -> None:
    position = Position.from_line(line)
    answer = Searcher(position.size).choose(position, limits).choices[0]
    truth = next(choice for choice in solve(line) if choice.move == answer.move).wins_in
    assert truth is not None
    if answer.wins_in is not None:
        assert (answer.wins_in > 0) == (truth > 0)
        if truth > 0:
            assert answer.wins_in >= truth


@pytest.mark.parametrize("seed", range(12))
def test_a_proven_win_stays_one_whatever_is_played(seed: int) -> None:
    source = random.Random(seed)
    size = source.choice([5, 6, 7, 8])
    position = Position(size, 2, source.choice([3, 4, 6]))
    searchers = [Searcher(size, 2, 1, seed=seed), Searcher(size, 2, 1, seed=seed + 1)]
    claims: dict[int, int] = {}
    while position.turn is not None and len(position.history) < 100:
        turn = position.turn
        found = searchers[turn - 1].choose(position, Limits(nodes=2000)).choices[0]
        if turn in claims:
            assert found.wins_in is not None
            assert 0 < found.wins_in <= claims[turn] - 2
        if found.wins_in is not None and found.wins_in > 0:
            claims[turn] = found.wins_in
        position.push(found.move)
    assert all(position.winner == player for player in claims)


def test_best_reply_search_proves_no_more_than_the_next_move() -> None:
    searcher = Searcher(5, 4, 1)
    scores = []
    for seed in range(12):
        source = random.Random(seed)
        position = Position(5, 4, 2)
        while position.turn is not None and len(position.history) < 60:
            found = searcher.choose(position, Limits(depth=3, nodes=300)).choices[0]
            assert found.wins_in in {None, 1}
            assert (found.wins_in == 1) == (found.score == WIN - 1)
            scores.append(found.score)
            moves = position.legal_moves
            position.push(found.move if source.random() < 0.7 else source.choice(moves))
    assert any(DECIDED < score < DOUBTFUL for score in scores)


@pytest.mark.parametrize("seed", range(12))
def test_a_proven_win_of_one_of_four_stays_one_whatever_the_others_play(seed: int) -> None:
    source = random.Random(seed)
    position = Position(5, 4, 2)
    searchers = [Searcher(5, 4, 1, seed=seat) for seat in range(4)]
    claims: dict[int, int] = {}
    while position.turn is not None and len(position.history) < 60:
        turn = position.turn
        found = searchers[turn - 1].choose(position, Limits(nodes=1500)).choices[0]
        if turn in claims:
            assert found.wins_in is not None
            assert 0 < found.wins_in < claims[turn]
        if found.wins_in is not None and found.wins_in > 0:
            claims[turn] = found.wins_in
        position.push(found.move if turn in claims else source.choice([found.move, *position.legal_moves]))
    assert position.turn is not None or set(claims) == {position.winner}
