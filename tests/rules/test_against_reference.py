"""The rules against a slow and obvious second implementation, in random games."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoridor_net.rules import (
    MAX_SIZE,
    IllegalMoveError,
    Jumps,
    Ply,
    Position,
    Square,
    Step,
    Wall,
)
from tests.support.reference_rules import H, Reference, V, assert_same, assert_same_moves


def play_one_game(
    chance: random.Random, size: int, players: int, walls: int, jumps: Jumps, plies: int
) -> None:
    """Play at random, mostly walls, with eliminations and moves taken back, comparing at every ply."""
    position = Position(size, players, walls, jumps)
    reference = Reference(size, players, walls, jumps)
    for _ in range(plies):
        assert_same(position, reference)
        moves = assert_same_moves(position, reference)
        if reference.turn is None:
            return
        if players == 4 and chance.random() < 0.03:
            player = chance.choice(position.alive)
            position.eliminate(player)
            reference.eliminate(player)
            continue
        placeable = [move for move in moves if isinstance(move, Wall)]
        move = chance.choice(placeable if placeable and chance.random() < 0.6 else moves)
        key, history = position.key, position.history
        for other in chance.sample(moves, min(3, len(moves))):
            position.push(other)
            assert position.legal_moves or position.turn is None
            position.pop()
            assert (position.key, position.history) == (key, history)
        assert position.legal_moves == moves
        position.push(move)
        reference.play(move)
    assert_same(position, reference)


configurations = {
    "seed": st.integers(0, 2**32),
    "players": st.sampled_from([2, 4]),
    "jumps": st.sampled_from(list(Jumps)),
}


@settings(max_examples=80)
@given(size=st.integers(3, 6), walls=st.integers(0, 8), **configurations)
def test_random_games_agree_on_small_boards(
    seed: int, size: int, players: int, walls: int, jumps: Jumps
) -> None:
    play_one_game(random.Random(seed), size, players, walls, jumps, plies=60)


@settings(max_examples=5)
@given(size=st.integers(7, 12), walls=st.integers(4, 20), **configurations)
def test_random_games_agree_on_larger_boards(
    seed: int, size: int, players: int, walls: int, jumps: Jumps
) -> None:
    play_one_game(random.Random(seed), size, players, walls, jumps, plies=6)


@pytest.mark.slow
@settings(max_examples=500)
@given(size=st.integers(3, 9), walls=st.integers(0, 12), **configurations)
def test_many_random_games_agree(seed: int, size: int, players: int, walls: int, jumps: Jumps) -> None:
    play_one_game(random.Random(seed), size, players, walls, jumps, plies=120)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("jumps", list(Jumps))
def test_a_random_game_agrees_on_the_largest_board(players: int, jumps: Jumps) -> None:
    play_one_game(random.Random(players), MAX_SIZE, players, 60, jumps, plies=12)


@given(size=st.integers(3, 9), walls=st.integers(0, 10), **configurations)
def test_undo_restores_keys_histories_and_answers(
    seed: int, size: int, players: int, walls: int, jumps: Jumps
) -> None:
    """Undo restores keys, histories and answers, and caches never show through."""
    chance = random.Random(seed)
    position = Position(size, players, walls, jumps)
    seen: list[tuple[object, tuple[Ply, ...], Position]] = []
    while position.turn is not None and len(seen) < 40:
        seen.append((position.key, position.history, position.copy()))
        if players == 4 and chance.random() < 0.05:
            position.eliminate(chance.choice(position.alive))
        else:
            position.push(chance.choice(position.legal_moves))
        assert Position.from_line(position.to_line(), jumps) == position
    for key, history, copy in reversed(seen):
        last = position.history[-1]
        assert position.pop() == last
        assert position.key == key == copy.key
        assert position.history == history == copy.history
        fresh = Position.from_line(position.to_line(), jumps)
        assert position.legal_moves == fresh.legal_moves == copy.legal_moves
        assert (position.turn, position.winner, position.ending) == (fresh.turn, None, None)
    assert position == Position(size, players, walls, jumps)


@given(size=st.integers(3, 7), walls=st.integers(0, 6), **configurations)
def test_exactly_the_legal_moves_have_no_reason(
    seed: int, size: int, players: int, walls: int, jumps: Jumps
) -> None:
    chance = random.Random(seed)
    position = Position(size, players, walls, jumps)
    for _ in range(chance.randrange(25)):
        if position.turn is None:
            break
        position.push(chance.choice(position.legal_moves))
    legal = set(position.legal_moves)
    numbers = range(-1, size + 1)
    key = position.key
    for column in numbers:
        for row in numbers:
            for move in (Step(Square(column, row)), Wall(column, row, H), Wall(column, row, V)):
                assert position.is_legal(move) == (move in legal)
                reason = position.why_illegal(move)
                assert (reason is None) == (move in legal)
                if reason is not None:
                    with pytest.raises(IllegalMoveError) as caught:
                        position.push(move)
                    assert caught.value.reason == reason
                assert position.key == key


@given(
    size=st.integers(3, 9),
    walls=st.integers(0, 8),
    seed=st.integers(0, 2**32),
    players=st.sampled_from([2, 4]),
)
def test_official_moves_are_a_subset_of_classroom_moves(
    seed: int, size: int, players: int, walls: int
) -> None:
    chance = random.Random(seed)
    position = Position(size, players, walls)
    for _ in range(30):
        if position.turn is None:
            break
        twin = Position.from_line(position.to_line(), Jumps.CLASSROOM)
        assert set(position.legal_steps) <= set(twin.legal_steps)
        assert position.legal_walls == twin.legal_walls
        position.push(chance.choice(position.legal_moves))
