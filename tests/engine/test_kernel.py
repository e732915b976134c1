"""The kernel and the rules library agree on every position of random games."""

from __future__ import annotations

import random

import pytest

from quoridor_net.engine import layout
from quoridor_net.engine.floods import flood_all
from quoridor_net.engine.memory import load, move_of, new_memory, number_of, numbers_in
from quoridor_net.engine.plays import find_paths, legal_walls, play_step, play_wall
from quoridor_net.engine.sets import steps
from quoridor_net.engine.words import Words
from quoridor_net.rules import Jumps, Move, Position, Step

pytestmark = pytest.mark.compiled("engine")


ROW = layout.ROWS


def kernel_moves(memory: Words, size: int) -> set[Move]:
    """Return the legal moves of the first row as the kernel sees them."""
    find_paths(memory, 0)
    numbers = numbers_in(*(int(word) for word in steps(memory, ROW)))
    h_low, h_high, v_low, v_high = (int(word) for word in legal_walls(memory, 0))
    numbers += [layout.HORIZONTAL + anchor for anchor in numbers_in(h_low, h_high)]
    numbers += [layout.VERTICAL + anchor for anchor in numbers_in(v_low, v_high)]
    return {move_of(number, size) for number in numbers}


def advance(memory: Words, number: int) -> None:
    """Play a move from the first row by the kernel's own means and bring the result back to it."""
    flood_all(memory, 0)
    if number < layout.HORIZONTAL:
        play_step(memory, 0, number)
    else:
        assert play_wall(memory, 0, number) == 1
    memory[ROW : ROW + layout.ROW] = memory[ROW + layout.ROW : ROW + 2 * layout.ROW]
    memory[ROW + layout.FOUND_AT : ROW + layout.FOUND_AT + layout.SEATS] = -1


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", range(3, 12))
def test_random_games_agree(size: int, players: int, jumps: Jumps) -> None:
    source = random.Random(f"{size} {players} {jumps}")
    memory = new_memory(size, players)
    played = new_memory(size, players)
    for _ in range(3):
        position = Position(size, players, source.randrange(size), jumps)
        load(played, position)
        played[layout.JUMPS] = jumps is Jumps.CLASSROOM
        for _ in range(60):
            if position.turn is None:
                break
            load(memory, position)
            moves = position.legal_moves
            assert kernel_moves(memory, size) == set(moves)
            assert flood_all(memory, 0) == 1
            for seat, player in enumerate(position.order):
                assert memory[ROW + layout.DISTANCE + seat] == position.distance(player)
            assert position.order[int(played[ROW + layout.TURN])] == position.turn
            for offset in (*range(layout.SLOT), layout.WALL_KEY):
                assert played[ROW + offset] == memory[ROW + offset], offset
            steps_only = [move for move in moves if isinstance(move, Step)]
            move = source.choice(steps_only if steps_only and source.random() < 0.5 else moves)
            position.push(move)
            # Whoever has no move is passed over by the rules, which the kernel leaves to its caller.
            turn: int | None = position.turn
            if turn is None or turn != _following(position):
                break
            advance(played, number_of(move, size))


def _following(position: Position) -> int:
    """Return who moves next if nobody is passed over."""
    order = position.order
    return order[(order.index(position.history[-1].player) + 1) % len(order)]


def test_moves_translate_both_ways() -> None:
    for size in (3, 9, 11):
        for move in Position(size).legal_moves:
            assert move_of(number_of(move, size), size) == move


def test_an_eliminated_player_has_no_pawn() -> None:
    position = Position(9, 4)
    position.eliminate(4)
    memory = new_memory(9, 4)
    load(memory, position)
    assert memory[ROW + layout.PAWN + 1] == -1
    assert kernel_moves(memory, 9) == set(position.legal_moves)


def test_boards_beyond_the_kernel_are_refused() -> None:
    with pytest.raises(ValueError, match="boards of 3 to 11 squares, not 12"):
        new_memory(12, 2)
