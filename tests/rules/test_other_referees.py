"""Positions in games whose referee keeps another order of play or jump rule."""

from __future__ import annotations

import pytest

from quoridor_net.rules import IllegalMoveError, Jumps, Position, Square, Step, Termination


def face_pawns() -> Position:
    """Return a position with player 1 to move and its pawn right above that of player 2."""
    return Position.setup([Square(4, 4), Square(4, 5)], [10, 10])


def test_one_move_can_follow_the_other_jump_rule() -> None:
    position = face_pawns()
    sideways = Step(Square(3, 5))
    with pytest.raises(IllegalMoveError, match="the classroom jump rule would"):
        position.push(sideways)
    with pytest.raises(IllegalMoveError):
        position.push(sideways, Jumps.OFFICIAL)
    with pytest.raises(IllegalMoveError):
        position.push(Step(Square(0, 0)), Jumps.CLASSROOM)
    before = position.key
    position.push(sideways, Jumps.CLASSROOM)
    assert (position.pawn(1), position.turn, position.jumps) == (Square(3, 5), 2, Jumps.OFFICIAL)
    position.pop()
    assert position.key == before


def test_a_copy_can_have_another_jump_rule() -> None:
    position = face_pawns()
    twin = position.copy(Jumps.CLASSROOM)
    assert twin.is_legal(Step(Square(3, 5)))
    assert not position.is_legal(Step(Square(3, 5)))
    assert not position.copy().is_legal(Step(Square(3, 5)))


def test_the_turn_can_be_given() -> None:
    position = Position(players=4)
    position.push(Step(Square(4, 1)))
    assert position.turn == 4
    position.give_turn(4)
    assert position.ply == 1, "nothing changes for the player whose turn it is"
    position.give_turn(2)
    assert (position.turn, position.ply) == (2, 0)
    position.push(Step(Square(4, 7)))
    assert position.turn == 3
    position.pop()
    with pytest.raises(IndexError):
        position.pop()


def test_a_last_player_can_continue() -> None:
    position = Position()
    position.eliminate(2)
    assert (position.turn, position.winner, position.ending) == (None, 1, Termination.LAST_PLAYER)
    position.give_turn(1)
    assert (position.turn, position.winner, position.ending) == (1, None, None)
    for row in range(1, 9):
        assert position.turn == 1
        position.push(Step(Square(4, row)))
    assert (position.turn, position.winner, position.ending) == (None, 1, Termination.GOAL)


def test_the_turn_goes_only_to_a_player_in_the_game() -> None:
    position = Position(players=4)
    position.eliminate(3)
    with pytest.raises(ValueError, match="player 3 is not in the game any more"):
        position.give_turn(3)
    with pytest.raises(ValueError, match="there is no player 5 in a game of 4"):
        position.give_turn(5)
    over = Position.setup([Square(4, 8), Square(3, 5)], [0, 0], turn=0)
    with pytest.raises(ValueError, match="the game is over"):
        over.give_turn(2)
