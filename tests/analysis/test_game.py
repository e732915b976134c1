"""A recorded game gets the scores, lines and marks that its moves deserve."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from quoridor_net.analysis import Mark, PlyAnalysis, analyse_game
from quoridor_net.engine import Engine, Limits
from quoridor_net.engine.scores import PROVEN, WIN
from quoridor_net.replay import Replay, parse_game
from quoridor_net.rules import Jumps, Square, Step

pytestmark = pytest.mark.compiled("engine")

FEW = Limits(nodes=300)

#: Both run; then each has one step to go, and player 1 steps aside instead of winning: player 2 wins.
MISSED = (
    "# Extension: size 5\n# Extension: walls 0\n# Players: ann vs bob\n"
    "P 1 D1\nP 2 B5\nP 1 D2\nP 2 B4\nP 1 D3\nP 2 B3\nP 1 D4\nP 2 B2\nP 1 E4\nP 2 B1\n"
)
FOUR = (
    "# Extension: players 4\n# Extension: size 5\n# Extension: walls 1\n"
    "P 1 C2\nP 4 D3\nP 2 C4\nP 3 B3\nP 1 C3\nP 4 D4\nW 2 B2 v\nP 3 B4\n"
)


def game_of(text: str) -> Replay:
    return parse_game(text, partial=True)


def analyse(text: str, limits: Limits = FEW, **options: Any) -> list[PlyAnalysis]:
    with Engine(table_mb=16) as engine:
        return list(analyse_game(game_of(text), engine, limits, **options))


def test_a_missed_win_is_a_blunder_and_its_punishment_is_not() -> None:
    plies = analyse(MISSED)
    missed, punished = plies[8], plies[9]
    assert missed.move == Step(Square(4, 3))
    assert (missed.mark, missed.loss) == (Mark.BLUNDER, 1.0)
    assert (missed.best[0].moves, missed.best[0].wins_in) == ((Step(Square(3, 4)),), 1)
    assert missed.played is not None
    assert (missed.played.score, missed.played.chance, missed.played.wins_in) == (2 - WIN, 0.0, -2)
    assert missed.played.moves[0] == missed.move
    assert punished.played is not None
    assert (punished.mark, punished.loss, punished.played.score) == (None, 0.0, WIN - 1)
    assert (punished.played.chance, punished.played.wins_in) == (1.0, 1)


def test_every_ply_is_yielded_in_order_with_its_player_and_move() -> None:
    plies = analyse(MISSED)
    game = game_of(MISSED)
    assert [ply.ply for ply in plies] == list(range(1, 11))
    assert [(ply.player, ply.move) for ply in plies] == [(ply.player, ply.move) for ply in game.plies]


def test_proven_scores_and_plies_to_the_end_go_together() -> None:
    for ply in analyse(MISSED):
        for line in (*ply.best, ply.played):
            assert line is not None
            if abs(line.score) > PROVEN:
                assert line.wins_in is not None
                assert abs(line.score) == WIN - abs(line.wins_in)
                assert (line.wins_in > 0) == (line.score > 0)


@pytest.mark.parametrize("limits", [FEW, Limits(depth=2)], ids=["nodes", "depth"])
def test_an_analysis_repeats_itself(limits: Limits) -> None:
    game = "e2 e8 e3 e7 e4 e6 a3h e5"
    assert analyse(game, limits) == analyse(game, limits)


def test_the_best_move_loses_nothing_and_no_loss_is_negative() -> None:
    for ply in analyse("e2 e8 e3 e7 e4 e6 a3h e5 e3 d5", lines=3):
        assert 1 <= len(ply.best) <= 3
        assert ply.loss is not None
        assert 0 <= ply.loss <= 1
        if ply.best[0].moves[0] == ply.move:
            assert ply.loss == 0
        assert [line.score for line in ply.best] == sorted((line.score for line in ply.best), reverse=True)


def test_repeated_positions_are_not_draws() -> None:
    squares = ["D2", "C7", "D3", "B7", "D4", "A7", "D3", "B7", "D4", "A7", "D3", "B7", "D4"]
    moves = "".join(f"P {1 + number % 2} {square}\n" for number, square in enumerate(squares))
    plies = analyse(f"# Extension: size 7\n# Extension: walls 8\n{moves}", Limits(depth=3))
    scores = [ply.played.score for ply in plies if ply.played is not None]
    # The same position after plies 5, 9 and 13: player 1 is ahead. By how much can change a little with what
    # the table still knows.
    assert min(scores[4], scores[8], scores[12]) > 100


def test_walls_that_help_the_other_player_are_marked() -> None:
    # Player 1 makes its own way longer, twice, with walls before its own pawn.
    plies = analyse("e2 e8 e3 e7 e3h e6 c3h e5", Limits(nodes=1000))
    own = [ply.mark for ply in plies if ply.player == 1]
    assert Mark.BLUNDER in own[2:]
    assert all(ply.mark is None for ply in plies[:4])


@pytest.mark.parametrize("jumps", Jumps)
def test_games_of_four_players_are_analysed(jumps: Jumps) -> None:
    plies = analyse(f"# Extension: jumps {jumps}\n{FOUR}", lines=2)
    assert [ply.player for ply in plies] == [1, 4, 2, 3, 1, 4, 2, 3]
    for ply in plies:
        assert ply.played is not None
        assert ply.played.moves[0] == ply.move
        # A move that was not among the best lines got a search of its own, which may find more in it.
        assert ply.loss == pytest.approx(max(ply.best[0].chance - ply.played.chance, 0))


def test_an_elimination_has_no_score() -> None:
    plies = analyse("# Extension: players 4\nP 1 E2\nX 4\nP 2 E8\nP 3 B5\n")
    assert [(ply.ply, ply.player, ply.move is None) for ply in plies] == [
        (1, 1, False),
        (2, 4, True),
        (3, 2, False),
        (4, 3, False),
    ]
    assert plies[1] == PlyAnalysis(2, 4, None)


def test_a_board_beyond_the_kernel_can_be_analysed() -> None:
    plies = analyse("# Extension: size 12\nP 1 G2\nP 2 G11\n", Limits(nodes=50))
    assert [ply.best[0].moves[0] for ply in plies] == [ply.move for ply in plies]


def test_a_part_of_a_game_can_be_analysed() -> None:
    plies = analyse(MISSED, first=9, last=9)
    assert [(ply.ply, ply.mark) for ply in plies] == [(9, Mark.BLUNDER)]


def test_a_game_without_plies_has_an_empty_analysis() -> None:
    with Engine(table_mb=1) as engine:
        assert list(analyse_game(Replay(), engine)) == []


@pytest.mark.parametrize(("first", "last"), [(0, 3), (3, 1), (1, 11), (12, 12)])
def test_plies_beyond_the_game_are_rejected(first: int, last: int) -> None:
    with (
        Engine() as engine,
        pytest.raises(ValueError, match="the game has 10 plies, so plies "),
    ):
        analyse_game(game_of(MISSED), engine, first=first, last=last)


def test_fewer_lines_than_one_are_rejected() -> None:
    with Engine() as engine, pytest.raises(ValueError, match="the number of lines must be at least 1, not 0"):
        analyse_game(game_of(MISSED), engine, lines=0)


def test_an_abandoned_analysis_ends_with_the_search_that_runs() -> None:
    abandoned = threading.Event()
    with Engine(table_mb=16) as engine:
        # No search of this one ends by itself.
        endless = analyse_game(game_of("e2 e8"), engine, Limits(time=1e5), abandoned=abandoned)
        found: list[PlyAnalysis] = []
        thread = threading.Thread(target=lambda: found.extend(endless))
        thread.start()
        abandoned.set()
        engine.stop()
        thread.join()
    assert found == []
