"""Players of the league keep to their styles, and their games to the rules."""

from __future__ import annotations

import random

import pytest

from quoridor_net.engine import Limits
from quoridor_net.rules import Jumps, Position, Wall
from training.league import KINDS, FourPlayer, opening, play

pytestmark = pytest.mark.compiled("engine")


def players(*kinds: str) -> list[FourPlayer]:
    return [KINDS[kind](7, Limits(nodes=5), number, {}) for number, kind in enumerate(kinds)]


def last(seated: list[FourPlayer], start: Position) -> Position:
    *_, position = play(seated, start)
    return position


@pytest.mark.parametrize("jumps", Jumps)
def test_games_of_all_kinds_end(jumps: Jumps) -> None:
    for kinds in (("maxn", "best_reply", "simple", "early_walls"), ("runner", "maxn", "runner", "simple")):
        position = last(players(*kinds), Position(7, 4, 3, jumps))
        assert position.winner is not None


def test_runners_keep_their_walls_and_builders_spend_theirs_early() -> None:
    position = last(players("runner", "early_walls", "runner", "runner"), Position(7, 4, 3))
    builder = position.order[1]
    assert {position.walls_left(player) for player in position.order if player != builder} == {3}
    assert position.walls_left(builder) < 3
    assert max(number for number, ply in enumerate(position.history) if isinstance(ply.move, Wall)) < 24


def test_openings_are_drawn_from_the_seed_and_are_not_over() -> None:
    one, two = (opening(random.Random(4), 7, Jumps.CLASSROOM, 10) for _ in range(2))
    assert one == two
    assert one.ply == 10
    assert one.turn is not None
