"""A move server accepts its client's reports if either jump rule allows them, in any order of play."""

from __future__ import annotations

import pytest

from quoridor_net.notation.lan import parse_move
from quoridor_net.protocols.lan import Atari, FollowedGame, Game, Gote, ImpossibleReportError, Kikashi
from quoridor_net.protocols.lan.following import MAX_MOVES
from quoridor_net.rules import Jumps, Move, Orientation, Position, Square, Step, Wall

NAMES = ("a:a", "b:b", "c:c", "d:d")


class Followed:
    """A followed game and the warnings about its client."""

    def __init__(self, player: int, players: int, jumps: Jumps = Jumps.OFFICIAL) -> None:
        self.warnings: list[str] = []
        self.game = FollowedGame(Game(player, NAMES[:players]), jumps, self.warnings.append)

    def moves(self, *reports: tuple[int, str]) -> None:
        for player, move in reports:
            self.game.follow(Atari(player, parse_move(move)))


#: Two pawns that face each other in the middle; then player 1 leaves sideways where only classrooms may.
FACING = [(player, f"(4, {row})") for down in range(1, 5) for player, row in ((1, down), (2, 8 - down))][:-1]


def test_classroom_jumps_are_followed_with_one_warning() -> None:
    followed = Followed(2, 2)
    followed.moves(*FACING)
    assert (followed.game.position.pawn(1), followed.game.position.pawn(2)) == (Square(4, 4), Square(4, 5))
    followed.moves((2, "(3, 4)"))
    assert followed.game.position.pawn(2) == Square(3, 4)
    (warning,) = followed.warnings
    assert warning == (
        "lets player 2 play (3, 4), which only the classroom jump rule allows;"
        " the move is accepted, but this server still plays official moves only"
    )
    followed.moves((1, "(3, 3)"))
    assert followed.game.position.pawn(1) == Square(3, 3), "another sideways jump"
    assert len(followed.warnings) == 1
    assert followed.game.position.jumps is Jumps.OFFICIAL


def test_classroom_players_are_not_warned_of_classroom_jumps() -> None:
    followed = Followed(1, 2, Jumps.CLASSROOM)
    followed.moves(*FACING, (2, "(3, 4)"))
    assert followed.warnings == []
    assert followed.game.take_request().jumps is Jumps.CLASSROOM


def test_a_client_that_plays_in_the_order_1_2_3_4_is_followed() -> None:
    """One warning for the whole game; whoever is asked is on turn in the position it gets."""
    for me in range(1, 5):
        followed = Followed(me, 4)
        for column in range(1, 4):
            for player, move in (
                (1, f"(4, {column})"),
                (2, f"(4, {8 - column})"),
                (3, f"({column}, 4)"),
                (4, f"({8 - column}, 4)"),
            ):
                if player == me:
                    position = followed.game.take_request()
                    assert position.turn == me
                    assert position.is_legal(parse_move(move))
                followed.moves((player, move))
        assert len(followed.warnings) == 1
        assert followed.warnings[0].endswith("when it is the turn of player 4: its order of play is followed")
        assert followed.game.moves == 12
        pawns = [followed.game.position.pawn(player) for player in range(1, 5)]
        assert pawns == [Square(4, 3), Square(4, 5), Square(3, 4), Square(5, 4)]


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (
            Atari(1, Step(Square(0, 0))),
            "reports an impossible move of player 1: (0, 0) is illegal: the pawn on",
        ),
        (
            Atari(2, Step(Square(0, 0))),
            "reports an impossible move of player 2: (0, 0) is illegal: the pawn on",
        ),
        (Atari(3, Step(Square(1, 4))), "reports a move of player 3, (1, 4), but there is no player 3"),
        (Gote(3), "eliminates player 3, but there is no player 3 in a game of 2"),
    ],
)
def test_reports_that_no_rule_allows_are_rejected(report: Atari | Gote, sentence: str) -> None:
    followed = Followed(1, 2)
    before = followed.game.position.copy()
    with pytest.raises(ImpossibleReportError) as caught:
        followed.game.follow(report)
    assert str(caught.value).startswith(sentence)
    assert followed.game.position == before
    assert followed.warnings == []


def test_the_last_player_may_continue_to_its_goal_line() -> None:
    """Some clients give no default win: the survivor walks to its goal line, and is followed there."""
    followed = Followed(3, 4)
    followed.moves((1, "(4, 1)"), (4, "(7, 4)"), (2, "(4, 7)"), (3, "(1, 4)"))
    game = followed.game
    for out in (1, 4, 2):
        assert not game.is_walkover
        game.follow(Gote(out))
    assert game.is_walkover
    assert game.decided_winner == 3
    for column in range(2, 9):
        assert game.walkover_step() == game.walkover_step() == Step(Square(column, 4))
        game.follow(Atari(3, game.walkover_step()))
    assert game.position.winner == 3
    # Even a client that does not know how to end is answered.
    beside = game.walkover_step()
    game.follow(Atari(3, beside))
    assert game.position.pawn(3) == beside.square
    game.follow(Kikashi(3))
    assert followed.warnings == []


def test_eliminating_the_last_player_leaves_a_walkover() -> None:
    followed = Followed(1, 2)
    followed.game.follow(Gote(2))
    followed.game.follow(Gote(1))
    assert followed.game.is_walkover


def test_no_move_is_requested_after_the_end() -> None:
    followed = Followed(1, 2)
    followed.moves((1, "(3, 0)"), *((2, f"(4, {row})") for row in range(7, -1, -1)))
    assert followed.game.decided_winner == 2
    with pytest.raises(ImpossibleReportError, match=r"asks player 1 for a move but the game is over"):
        followed.game.take_request()


@pytest.mark.parametrize(
    ("eliminated", "moves", "named", "remark"),
    [
        ([], [], 1, "names player 1 as the winner, but no player has reached its goal line"),
        ([2], [], 1, None),
        ([2], [], 2, "names player 2 as the winner, but all players except player 1 are out of the game"),
        ([], [*range(7, -1, -1)], 2, None),
        ([], [*range(7, -1, -1)], 1, "names player 1 as the winner, but player 2 has reached its goal line"),
        ([], [], 4, "names player 4 as the winner, but no player has reached its goal line"),
    ],
)
def test_a_winner_that_contradicts_the_moves_is_remarked(
    eliminated: list[int], moves: list[int], named: int, remark: str | None
) -> None:
    followed = Followed(1, 2)
    if moves:
        followed.moves((1, "(3, 0)"), *((2, f"(4, {row})") for row in moves))
    for player in eliminated:
        followed.game.follow(Gote(player))
    followed.warnings.clear()
    followed.game.follow(Kikashi(named))
    assert followed.game.winner == named
    assert followed.warnings == ([] if remark is None else [remark])


def test_a_player_with_classroom_moves_only_gets_the_classroom_rule() -> None:
    """Behind two pawns in a lane the official rules pass the player over, and the client may yet ask it."""
    game = FollowedGame(Game(1, NAMES))
    pawns = [Square(0, 0), Square(4, 7), Square(1, 0), Square(2, 0)]
    game.position = Position.setup(pawns, [0] * 4, [Wall(0, 0, Orientation.HORIZONTAL)], turn=1)
    assert game.position.turn == 4, "player 1 was passed over"
    assert game.take_request().legal_steps == [Step(Square(3, 0)), Step(Square(2, 1))]
    game.follow(Atari(1, Step(Square(3, 0))))
    assert game.position.jumps is Jumps.OFFICIAL


def test_changing_a_requested_position_leaves_the_game_unchanged() -> None:
    game = FollowedGame(Game(1, NAMES[:2]))
    game.take_request().push(Step(Square(4, 1)))
    assert game.position == Position()


def test_a_game_has_a_maximum_number_of_moves() -> None:
    followed = Followed(1, 2)
    back_and_forth: list[Move] = [Step(Square(3, 0)), Step(Square(4, 0))]
    for number in range(MAX_MOVES):
        followed.game.follow(Atari(1, back_and_forth[number % 2]))
    with pytest.raises(ImpossibleReportError, match="more than 10000 moves"):
        followed.game.follow(Atari(1, back_and_forth[0]))
