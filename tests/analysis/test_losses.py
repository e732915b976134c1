"""Losses of moves, by the scores of an engine that knows them beforehand."""

from __future__ import annotations

from typing import Any, cast

import pytest

from quoridor_net.analysis import PlyAnalysis, analyse_game, chance_of
from quoridor_net.engine import Choice, Engine
from quoridor_net.engine.scores import WIN
from quoridor_net.replay import parse_game
from quoridor_net.rules import Position, Square, Step

BEST, PLAYED, REPLY = Step(Square(3, 0)), Step(Square(4, 1)), Step(Square(4, 7))


class Oracle:
    """An engine that gives each searched position its scores, for the player to move, and counts searches.

    Args:
        before: score of the best move before the ply.
        played: score of player 1 after the played move.
        best: score of player 1 after the best move, when that is checked.
        wins_in: of the best move.
        reply_wins_in: of player 2 after the played move.
    """

    def __init__(
        self,
        before: int,
        played: int,
        best: int,
        wins_in: int | None = None,
        reply_wins_in: int | None = None,
    ) -> None:
        self.before = Choice(BEST, before, wins_in, (BEST,))
        self.after = {
            Square(4, 1): Choice(REPLY, -played, reply_wins_in, (REPLY,)),
            Square(3, 0): Choice(REPLY, -best, None, (REPLY,)),
        }
        self.searches = 0

    def analyse(self, position: Position, *_: Any, **_named: Any) -> list[Choice]:
        self.searches += 1
        pawn = position.pawn(1)
        assert pawn is not None
        return [self.after.get(pawn, self.before)]


def analyse(oracle: Oracle) -> PlyAnalysis:
    game = parse_game("P 1 E2\n", partial=True)
    [ply] = analyse_game(game, cast("Engine", oracle))
    assert ply.move == PLAYED
    return ply


def chance(score: int) -> float:
    return chance_of(score, Position())


@pytest.mark.parametrize(
    ("best", "loss"),
    [
        (400, chance(300) - chance(0)),
        (100, chance(100) - chance(0)),
        (0, 0.0),
        (-200, 0.0),
    ],
)
def test_a_loss_with_a_mark_is_checked_and_the_smaller_one_counts(best: int, loss: float) -> None:
    oracle = Oracle(300, 0, best)
    assert analyse(oracle).loss == pytest.approx(loss)
    assert oracle.searches == 3


def test_a_small_loss_is_not_checked() -> None:
    oracle = Oracle(10, 0, 0)
    assert analyse(oracle).loss == pytest.approx(chance(10) - chance(0))
    assert oracle.searches == 2


def test_a_missed_proven_win_is_not_checked() -> None:
    oracle = Oracle(WIN - 3, 0, 0, wins_in=3)
    assert analyse(oracle).loss == pytest.approx(0.5)
    assert oracle.searches == 2


@pytest.mark.parametrize("played", [300, 500])
def test_a_move_as_good_as_the_best_loses_nothing(played: int) -> None:
    oracle = Oracle(300, played, 0)
    assert analyse(oracle).loss == 0.0
    assert oracle.searches == 2


def test_a_move_has_the_score_and_the_moves_of_the_position_after_it() -> None:
    line = analyse(Oracle(300, 20, 0)).played
    assert line is not None
    assert (line.moves, line.score, line.wins_in) == ((PLAYED, REPLY), 20, None)
    assert line.chance == pytest.approx(chance(20))


@pytest.mark.parametrize(
    ("after", "reply_wins_in", "score", "wins_in"),
    [(WIN - 4, -4, WIN - 5, 5), (3 - WIN, 3, 4 - WIN, -4)],
)
def test_a_move_is_one_ply_further_from_the_end_than_the_reply(
    after: int, reply_wins_in: int, score: int, wins_in: int
) -> None:
    line = analyse(Oracle(0, after, 0, reply_wins_in=reply_wins_in)).played
    assert line is not None
    assert (line.score, line.wins_in) == (score, wins_in)
