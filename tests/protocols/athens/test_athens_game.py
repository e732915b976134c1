"""The game of an engine session: any colour at any time, undone and changed in any order."""

from __future__ import annotations

import random
from collections.abc import Callable

from quoridor_net.protocols.athens import NEED_DATA, AthensGame, EngineRole, MoveWanted, Reply
from quoridor_net.protocols.athens.athens_game import MAX_PLIES
from quoridor_net.protocols.athens.drawing import draw_board
from quoridor_net.rules import Orientation, Ply, Square, Step, Wall


def show_position(game: AthensGame) -> str:
    """Return the position without whose turn it is, which means nothing."""
    return game.position.to_line().rpartition(" / ")[0]


def replay_plies(history: list[Ply], walls: int) -> AthensGame:
    game = AthensGame()
    game.set_walls(walls)
    for ply in history:
        assert ply.move is not None
        game.play(ply.player, ply.move)
    return game


def test_undoing_and_changing_walls_equals_replaying_the_game() -> None:
    source = random.Random(7)
    for _ in range(30):
        game = AthensGame()
        history: list[Ply] = []
        for _ in range(40):
            action = source.random()
            if action < 0.2 and history:
                count = source.randrange(len(history) + 1)
                game.undo(count)
                del history[len(history) - count :]
            elif action < 0.3:
                game.set_walls(source.randrange(8, 20))
            else:
                player = source.choice((1, 2))
                position = game.position_for(player)
                if position is None:
                    continue
                move = source.choice(position.legal_moves)
                game.play(player, move)
                history.append(Ply(player, move))
            assert list(game.history) == history
            if sum(not isinstance(ply.move, Step) for ply in history) <= 8:
                assert show_position(game) == show_position(replay_plies(history, game.walls))


def test_undo_keeps_the_history_before_the_undone_moves() -> None:
    game = AthensGame()
    for row in (1, 2, 3):
        game.play(1, Step(Square(4, row)))
        game.play(2, Step(Square(4, 8 - row)))
    game.undo(2)
    assert game.position.ply == len(game.history) == 4


def test_another_move_after_undo_is_drawn() -> None:
    game = AthensGame()
    for column, row in ((4, 1), (3, 0), (5, 0)):
        game.play(1, Step(Square(column, row)))
        assert game.draw() == draw_board(game.position)
        game.undo(1)
    assert game.draw() == draw_board(AthensGame().position)


def test_a_game_has_a_maximum_number_of_moves() -> None:
    role = EngineRole("Test")
    moves = b"playmove black E8\nplaymove white E2\nplaymove black E9\nplaymove white E1\n"
    role.receive_data(moves * (MAX_PLIES // 4) + b"playmove black E8\ngenmove black\nundo\ngenmove white\n")
    replies = []
    while isinstance(event := role.next_event(), Reply):
        replies.append(event.data)
    assert replies[:MAX_PLIES] == [b"=\n\n"] * MAX_PLIES
    assert replies[MAX_PLIES:] == [b"? a game has at most 10000 moves\n\n", b"= pass\n\n", b"=\n\n"]
    assert isinstance(event, MoveWanted)


def test_changing_the_position_of_genmove_leaves_the_game_unchanged() -> None:
    role = EngineRole("Test")
    role.receive_data(b"genmove black\nqn\n")
    wanted = role.next_event()
    assert isinstance(wanted, MoveWanted)
    wanted.position.push(Step(Square(4, 1)))
    assert show_position(role.game) == show_position(AthensGame())
    assert role.play(Step(Square(3, 0))) == b"= D9\n\n"
    assert isinstance(role.next_event(), Reply)
    assert role.next_event() is NEED_DATA


def test_a_board_is_redrawn_after_any_change() -> None:
    game = AthensGame()
    changes: tuple[Callable[[], object], ...] = (
        lambda: game.set_walls(3),
        lambda: game.play(1, Wall(4, 4, Orientation.HORIZONTAL)),
        lambda: game.play(2, Step(Square(4, 7))),
        lambda: game.undo(1),
        lambda: game.undo(1),
        lambda: game.resize(5),
        game.clear,
    )
    for change in changes:
        assert game.draw() is game.draw()
        change()
        assert game.draw() == draw_board(game.position)
