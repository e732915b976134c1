"""The moves that the checker makes for the other players of a game."""

from __future__ import annotations

import pytest

from quoridor_net.check.lan_server.opponents import Meeter, waste_move
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import Position


@pytest.mark.parametrize(("turn", "expected"), [(1, "e3"), (2, "e7")])
def test_a_wasted_move_leads_away_from_the_goal(turn: int, expected: str) -> None:
    position = Position.from_line(f" /  / e4 e6 / 10 10 / {turn}")
    assert format_move(waste_move(position)) == expected


def test_a_pawn_in_the_way_with_a_wall_behind_it_leaves_only_sideways_jumps() -> None:
    position = Position.from_line(" /  / e4 e5 / 10 10 / 2")
    position.push(Meeter(1, builds=True)(position))
    assert sorted(map(format_move, position.legal_steps)) == ["d4", "d5", "e3", "f4", "f5"]
