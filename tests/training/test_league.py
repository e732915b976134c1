"""Players of the league follow their styles, and their games follow the rules."""

from __future__ import annotations

import random

import pytest
import trio

from quoridor_net.engine import Limits
from quoridor_net.players import Clock
from quoridor_net.rules import Jumps, Move, Orientation, Position, Square, Step, Wall
from training.league import KINDS, FourPlayer, opening, play

pytestmark = pytest.mark.compiled("engine")


def players(*kinds: str) -> list[FourPlayer]:
    return [KINDS[kind](7, Limits(nodes=5), number, {}) for number, kind in enumerate(kinds)]


def last(seated: list[FourPlayer], start: Position) -> Position:
    *_, position = play(seated, start)
    return position


@pytest.mark.parametrize("jumps", Jumps)
def test_games_of_all_kinds_end(jumps: Jumps) -> None:
    kinds = list(KINDS)
    for first in range(0, len(kinds), 3):
        seated = (kinds + kinds)[first : first + 4]
        assert last(players(*seated), Position(7, 4, 3, jumps)).winner is not None


def test_runners_keep_their_walls_and_builders_spend_theirs_early() -> None:
    position = last(players("runner", "early_walls", "runner", "runner"), Position(7, 4, 3))
    builder = position.order[1]
    assert {position.walls_left(player) for player in position.order if player != builder} == {3}
    assert position.walls_left(builder) < 3
    assert max(number for number, ply in enumerate(position.history) if isinstance(ply.move, Wall)) < 24


def choose_moves(kind: str, position: Position) -> list[Move]:
    """Return the moves that players of a kind choose with different seeds."""
    found = []
    for seed in range(12):
        player = KINDS[kind](position.size, Limits(nodes=5), seed, {})
        found.append(trio.run(player.choose, position, Clock()))
    return found


def test_each_kind_of_blocker_chooses_different_walls() -> None:
    # Player 2, to move, has four steps to go, player 1 two. Because of the placed wall, the wall directly in
    # front of player 1 costs it two steps; the others across its path cost one.
    pawns = [Square(3, 4), Square(0, 4), Square(0, 0), Square(6, 0)]
    beside = Wall(4, 4, Orientation.HORIZONTAL)
    behind = Position.setup(pawns, [3] * 4, [beside], turn=2, size=7)
    in_front = Wall(2, 4, Orientation.HORIZONTAL)
    farther = {Wall(column, 5, Orientation.HORIZONTAL) for column in (2, 3)}
    assert set(choose_moves("front", behind)) == {in_front}
    assert set(choose_moves("late", behind)) == {in_front}
    careless = set(choose_moves("careless", behind))
    assert careless & farther
    assert careless <= {in_front, *farther}
    assert set(choose_moves("fickle", behind)) == {in_front, Step(Square(0, 3))}
    assert any(isinstance(move, Wall) for move in set(choose_moves("stray", behind)) - {in_front, *farther})


def test_blockers_that_lead_step() -> None:
    ahead = Position.setup([Square(4, 1), Square(4, 3), Square(0, 3), Square(8, 5)], [3] * 4, turn=2, size=9)
    for kind in ("front", "careless", "stray"):
        assert set(choose_moves(kind, ahead)) == {Step(Square(4, 2))}


def test_late_blockers_mostly_step_until_a_rival_is_near() -> None:
    early = Position.setup([Square(4, 3), Square(4, 8), Square(0, 3), Square(8, 5)], [3] * 4, turn=2, size=9)
    moves = choose_moves("late", early)
    assert moves.count(Step(Square(4, 7))) > len(moves) / 2


def test_openings_are_drawn_from_the_seed_and_are_not_over() -> None:
    one, two = (opening(random.Random(4), 7, Jumps.CLASSROOM, 10) for _ in range(2))
    assert one == two
    assert one.ply == 10
    assert one.turn is not None
