"""The engine finds the moves that cost most in lost games."""

from __future__ import annotations

import pytest

from quoridor_net.grading.grade import GradedGame, Mistake
from quoridor_net.grading.mistakes import find_mistakes
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.ladder import LADDER
from quoridor_net.rules import Move, Ply, Position, Square, Step

pytestmark = pytest.mark.compiled("engine")


def walk(*squares: tuple[int, int], last: Move) -> tuple[Ply, ...]:
    """Return a game in which the pawns step to these squares in turn."""
    position = Position()
    for column, row in squares:
        position.push(Step(Square(column, row)))
    position.push(last)
    return tuple(position.history)


#: Both walk past each other, and player 1 turns round in front of its goal line.
LOST = walk(
    *(square for row in range(8) for square in ((5, row), (3, 8 - row))),
    (5, 6),
    last=Step(Square(3, 0)),
)


def game(
    plies: tuple[Ply, ...], ending: Termination = Termination.GOAL, winner: int = 2, opening: int = 4
) -> GradedGame:
    result = Result(winner, ending, "player 2 wins.", len(plies))
    return GradedGame(3, LADDER[1], 1, result, plies, opening)


async def mistakes_of(*games: GradedGame) -> list[Mistake]:
    found: list[Mistake] = []
    await find_mistakes(games, Position(), found)
    return found


async def test_the_move_that_gave_a_win_away_is_found() -> None:
    # The first move after the opening.
    (mistake,) = await mistakes_of(game(LOST, opening=16))
    assert mistake.ply == 17
    assert mistake.played == Step(Square(5, 6))
    # Any step onto the goal line wins.
    assert isinstance(mistake.better, Step)
    assert mistake.better.square.row == 8
    assert mistake.position.pawn(1) == Square(5, 7)
    assert mistake.chance == 1.0
    assert mistake.loss > 0.5


async def test_each_game_contributes_one_position_and_three_are_shown() -> None:
    found = await mistakes_of(*[game(LOST)] * 4)
    assert len(found) == 3
    assert len({mistake.loss for mistake in found}) == 1


async def test_games_won_or_lost_by_faults_are_not_analysed() -> None:
    won, fault = game(LOST, winner=1), game(LOST, Termination.ILLEGAL_MOVE)
    assert await mistakes_of(won, fault) == []


async def test_no_games_have_no_mistakes() -> None:
    assert await mistakes_of() == []
