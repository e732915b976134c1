"""The moves that the checker makes for the other players of a game."""

from __future__ import annotations

import random

import pytest

from quoridor_net.check.lan_server.cornering import VICTIM, Cornering
from quoridor_net.check.lan_server.opponents import Meeter, waste_move
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import Position, Step, Wall


@pytest.mark.parametrize(("turn", "expected"), [(1, "e3"), (2, "e7")])
def test_a_wasted_move_leads_away_from_the_goal(turn: int, expected: str) -> None:
    position = Position.from_line(f" /  / e4 e6 / 10 10 / {turn}")
    assert format_move(waste_move(position)) == expected


def test_a_pawn_in_the_way_with_a_wall_behind_it_leaves_only_sideways_jumps() -> None:
    position = Position.from_line(" /  / e4 e5 / 10 10 / 2")
    position.push(Meeter(1, builds=True)(position))
    assert sorted(map(format_move, position.legal_steps)) == ["d4", "d5", "e3", "f4", "f5"]


def choose_like_walker(position: Position, source: random.Random, walks: float) -> Step | Wall:
    """Return a wall anywhere or, with probability ``walks``, a step along a shortest path."""
    if source.random() >= walks and position.legal_walls:
        return source.choice(position.legal_walls)
    step = Step(position.shortest_path(VICTIM)[1])
    return step if step in position.legal_steps else position.legal_steps[0]


def is_cornered(seed: int, walks: float, *, is_early: bool) -> bool:
    """Return whether a sound server is left no step but one jump to the side, before it reaches its goal."""
    source, position, corner = random.Random(seed), Position(players=4), Cornering(is_early=is_early)
    while not position.is_over:
        if position.turn != VICTIM:
            position.push(corner(position))
            continue
        here, steps = position.pawn(VICTIM), [step.square for step in position.legal_steps]
        assert here is not None
        if len(steps) == 1 and steps[0].column != here.column and steps[0].row != here.row:
            return True
        position.push(choose_like_walker(position, source, walks))
    return False


@pytest.mark.parametrize("is_early", [True, False])
def test_server_on_its_way_is_cornered(is_early: bool) -> None:
    assert is_cornered(1, 1.0, is_early=is_early)


def test_server_that_places_walls_is_cornered_most_of_the_time() -> None:
    assert sum(is_cornered(seed, 0.7, is_early=True) for seed in range(20)) >= 17
