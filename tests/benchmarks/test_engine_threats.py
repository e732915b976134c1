"""The measurement of how often rivals stop a player that is about to win."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.engine_threats import Threat, follow_game, list_threats, main
from quoridor_net.engine.maxn.max_n import MaxN
from quoridor_net.replay import Replay, Setting
from quoridor_net.rules import Move, Position, Square, Step, Wall
from tests.support.class_games import write_games

pytestmark = pytest.mark.compiled("engine")


def test_threats_are_near_their_goals_and_others_move_first() -> None:
    # Players 1 and 2 have one step to go, player 3 has two and player 4 three. The order is 1, 4, 2, 3.
    pawns = [Square(0, 5), Square(6, 1), Square(4, 3), Square(3, 4)]

    def found(turn: int) -> list[Threat]:
        return list(list_threats(Position.setup(pawns, [2] * 4, turn=turn, size=7)))

    assert found(1) == [Threat(2, 1, 2, 0.0)]
    assert found(4) == [Threat(2, 1, 1, 0.0), Threat(3, 2, 2, 0.0)]
    assert found(2) == [Threat(3, 2, 1, 0.0), Threat(1, 1, 2, 0.0)]
    assert found(3) == [Threat(1, 1, 1, 0.0)]


@pytest.mark.parametrize("is_stopped", [False, True])
def test_threats_are_followed_to_their_turn(is_stopped: bool) -> None:
    # Player 1 walks down, while the others step to and fro; then player 3 may place a wall in front of it.
    setting = Setting(size=7, players=4, walls=3)
    position = Position(7, 4, 3)
    moves: list[Move] = []
    for row in range(1, 5):
        odd = row % 2
        others = Square(6, 3 - odd), Square(5 - odd, 6), Square(0, 3 - odd)
        moves += map(Step, (Square(3, row), *others))
    if is_stopped:
        moves[-1] = Wall(3, 4, "h")
    moves.append(Step(Square(2, 4)))
    for move in moves:
        position.push(move)
    replay = Replay(setting, tuple(position.history), ())
    threats = list(follow_game(replay, MaxN(7, 4, 4), 50))
    assert [(each.player, each.distance, each.seats, stopped) for each, stopped in threats] == [
        (1, 2, 2, is_stopped),
        (1, 2, 1, is_stopped),
    ]
    assert all(0 <= each.expected <= 1 for each, _ in threats)


def test_the_table_has_the_distance_and_the_seats(tmp_path: Path) -> None:
    write_games(tmp_path)
    done = CliRunner().invoke(main, ["--nodes", "20", str(tmp_path)])
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.output.splitlines()[5:]]
    *groups, total = rows
    assert total[0] == "all"
    assert {(row[0], row[1]) for row in groups} <= {("1,", "1"), ("1,", "2"), ("2,", "1"), ("2,", "2")}
    assert sum(int(row[2]) for row in groups) == int(total[1]) > 0
