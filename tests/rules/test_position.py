"""Positions made by hand: every reason, passing, drawn and finished games, setups that cannot be."""

from __future__ import annotations

import pytest

from quoridor_net.notation import athens
from quoridor_net.notation.lan import LAN
from quoridor_net.notation.standard import STANDARD, format_move, parse_move, parse_square
from quoridor_net.rules import (
    Illegality,
    IllegalMoveError,
    Jumps,
    Orientation,
    Ply,
    Position,
    Reason,
    Square,
    Step,
    Termination,
    Wall,
    default_walls,
    explain,
)
from quoridor_net.rules import state as state_module

#: A closet with room for one pawn at a1, opening only to a2; pawns of players 1, 3 and 2 stand in line.
CORRIDOR = " / a1 / a1 a3 a2 d4 / 0 0 1 0 / {turn} / 5"


def steps(line: str, jumps: Jumps = Jumps.OFFICIAL) -> set[str]:
    return {format_move(step) for step in Position.from_line(line, jumps).legal_steps}


def squares(names: str) -> tuple[Square, ...]:
    return tuple(parse_square(name) for name in names.split())


def walls(names: str) -> tuple[Wall, ...]:
    moves = [parse_move(name) for name in names.split()]
    return tuple(move for move in moves if isinstance(move, Wall))


@pytest.mark.parametrize("size", range(3, 26))
def test_pawns_start_with_their_walls_on_their_squares(size: int) -> None:
    # docs/decisions.md, Rules: on even boards pawns start in column n // 2.
    middle, last = size // 2, size - 1
    two, four = Position(size), Position(size, 4)
    starts = [Square(middle, 0), Square(middle, last), Square(0, middle), Square(last, middle)]
    assert [four.pawn(player) for player in (1, 2, 3, 4)] == starts
    assert [two.pawn(player) for player in (1, 2)] == starts[:2]
    assert (two.order, four.order) == ((1, 2), (1, 4, 2, 3))
    assert {two.walls_left(player) for player in (1, 2)} == {default_walls(size)}
    assert {four.walls_left(player) for player in (1, 2, 3, 4)} == {default_walls(size, 4)}
    assert two.distance(1) == two.distance(2) == four.distance(1) == four.distance(2) == last
    assert (four.distance(3), four.distance(4)) == (last, last)
    assert len(Position(size, 2, 1).legal_walls) == 2 * (size - 1) ** 2


@pytest.mark.parametrize(
    ("size", "two", "four"),
    [(3, 0, 0), (4, 1, 0), (5, 3, 1), (7, 6, 3), (9, 10, 5), (25, 38, 19)],
)
def test_the_number_of_walls_depends_on_the_board(size: int, two: int, four: int) -> None:
    # The referee's README: 7/4*size - 23/4. Four players have half as many, as on the standard board.
    assert (default_walls(size), default_walls(size, 4)) == (two, four)


def test_turn_order_of_four_is_clockwise() -> None:
    # 2016 document: "The order of play is clockwise around the board from player 1", numbered 1, 4, 2, 3.
    position = Position(players=4)
    seen = []
    for _ in range(8):
        assert position.turn is not None
        seen.append(position.turn)
        position.push(position.legal_walls[0])
    assert seen == [1, 4, 2, 3, 1, 4, 2, 3]


@pytest.mark.parametrize(
    ("line", "jumps", "expected"),
    [
        # Nothing behind: straight over, and only straight.
        (" /  / e4 e5 / 0 0 / 1", Jumps.OFFICIAL, {"d4", "f4", "e3", "e6"}),
        (" /  / e4 e5 / 0 0 / 1", Jumps.CLASSROOM, {"d4", "f4", "e3", "e6", "d5", "f5"}),
        # A wall behind: to both sides.
        ("e5 /  / e4 e5 / 0 0 / 1", Jumps.OFFICIAL, {"d4", "f4", "e3", "d5", "f5"}),
        # A wall behind and one at a side.
        ("e5 / d5 / e4 e5 / 0 0 / 1", Jumps.OFFICIAL, {"d4", "f4", "e3", "f5"}),
        # The edge behind.
        (" /  / e8 e9 / 0 0 / 1", Jumps.OFFICIAL, {"d8", "f8", "e7", "d9", "f9"}),
        (" /  / i4 h4 / 0 0 / 2", Jumps.OFFICIAL, {"h5", "h3", "g4", "i5", "i3"}),
        # A wall between the pawns: no jump at all.
        ("e4 /  / e4 e5 / 0 0 / 1", Jumps.CLASSROOM, {"d4", "f4", "e3"}),
        # Another pawn behind: to the sides, or with the classroom rule over both.
        (" /  / e4 e6 e5 i5 / 0 0 0 0 / 1", Jumps.OFFICIAL, {"d4", "f4", "e3", "d5", "f5"}),
        (
            " /  / e4 e6 e5 i5 / 0 0 0 0 / 1",
            Jumps.CLASSROOM,
            {"d4", "f4", "e3", "d5", "f5", "d6", "f6", "e7"},
        ),
    ],
)
def test_jumps_follow_the_selected_rule(line: str, jumps: Jumps, expected: set[str]) -> None:
    assert steps(line, jumps) == expected


@pytest.mark.parametrize(
    ("line", "move", "kind", "sentence"),
    [
        (" /  / e9 e5 / 3 3 / 0", "e6", Illegality.GAME_OVER, "the game is over"),
        (" /  / e9 e5 / 3 3 / 0", "e6h", Illegality.GAME_OVER, "the game is over"),
        (
            " /  / b1 b3 / 3 3 / 1 / 3",
            "d1",
            Illegality.OFF_BOARD,
            "(3, 0) is off the board: squares go from (0, 0) to (2, 2)",
        ),
        (
            " /  / b1 b3 / 0 3 / 1 / 3",
            "a3h",
            Illegality.OFF_BOARD,
            "no wall can lie there: walls go from [(0, 0), h] to [(1, 1), v]",
        ),
        (" /  / e1 e9 / 3 3 / 1", "e1", Illegality.SAME_SQUARE, "player 1 already stands on (4, 0)"),
        (" /  / e4 e5 / 3 3 / 1", "e5", Illegality.OCCUPIED, "player 2 stands on (4, 4)"),
        (
            " /  / e1 e9 / 3 3 / 1",
            "e3",
            Illegality.NOT_REACHABLE,
            "the pawn on (4, 0) cannot get to (4, 2) in one move",
        ),
        (
            " /  / e1 e9 / 3 3 / 1",
            "f2",
            Illegality.NOT_REACHABLE,
            "the pawn on (4, 0) cannot get to (5, 1) in one move",
        ),
        (
            "e1 /  / e1 e9 / 3 3 / 1",
            "e2",
            Illegality.WALL_IN_THE_WAY,
            "a wall stands between (4, 0) and (4, 1)",
        ),
        (
            " /  / e4 e5 / 3 3 / 1",
            "d5",
            Illegality.ONLY_CLASSROOM,
            ("the official rules allow no such jump from (4, 3) to (3, 4); the classroom jump rule would"),
        ),
        (" /  / e1 e9 / 0 3 / 1", "e3h", Illegality.NO_WALLS_LEFT, "player 1 has no walls left"),
        ("e3 /  / e1 e9 / 0 3 / 1", "e3v", Illegality.NO_WALLS_LEFT, "player 1 has no walls left"),
        ("e3 /  / e1 e9 / 3 3 / 1", "e3h", Illegality.OVERLAP, "it would overlap the wall [(4, 2), h]"),
        ("e3 /  / e1 e9 / 3 3 / 1", "d3h", Illegality.OVERLAP, "it would overlap the wall [(4, 2), h]"),
        ("e3 /  / e1 e9 / 3 3 / 1", "f3h", Illegality.OVERLAP, "it would overlap the wall [(4, 2), h]"),
        (" / e3 / e1 e9 / 3 3 / 1", "e4v", Illegality.OVERLAP, "it would overlap the wall [(4, 2), v]"),
        (" / e3 / e1 e9 / 3 3 / 1", "e2v", Illegality.OVERLAP, "it would overlap the wall [(4, 2), v]"),
        ("e3 /  / e1 e9 / 3 3 / 1", "e3v", Illegality.CROSS, "it would cross the wall [(4, 2), h]"),
        (" / e3 / e1 e9 / 3 3 / 1", "e3h", Illegality.CROSS, "it would cross the wall [(4, 2), v]"),
        (
            "a8c8e8g8 /  / e1 a9 / 3 3 / 1",
            "h8v",
            Illegality.NO_PATH,
            "the wall would leave player 2 without a path to its goal",
        ),
    ],
)
def test_an_illegal_move_is_rejected_with_its_reason(
    line: str, move: str, kind: Illegality, sentence: str
) -> None:
    position = Position.from_line(line)
    reason = position.why_illegal(parse_move(move))
    assert reason is not None
    assert (reason.kind, explain(reason, LAN)) == (kind, sentence)
    assert position.is_legal(parse_move(move)) is False
    with pytest.raises(IllegalMoveError) as caught:
        position.push(parse_move(move))
    assert caught.value.reason == reason
    assert str(caught.value) == f"{parse_move(move)} is illegal: {sentence}"
    assert position.to_line() == line


def test_every_kind_of_reason_has_an_example() -> None:
    table = test_an_illegal_move_is_rejected_with_its_reason.pytestmark[0].args[1]  # type: ignore[attr-defined]
    # Two of them are not for moves in a position: see AthensGame and Position.setup.
    assert {row[2] for row in table} == set(Illegality) - {Illegality.NO_LEGAL_MOVE, Illegality.SHARED_SQUARE}


@pytest.mark.parametrize(
    ("line", "move", "reason"),
    [
        ("e1 /  / e1 e9 / 3 3 / 1", "e2", Reason(Illegality.WALL_IN_THE_WAY, squares("e1 e2"), walls("e1h"))),
        ("d1 /  / e1 e9 / 3 3 / 1", "e2", Reason(Illegality.WALL_IN_THE_WAY, squares("e1 e2"), walls("d1h"))),
        ("e4 /  / e5 e9 / 3 3 / 1", "e4", Reason(Illegality.WALL_IN_THE_WAY, squares("e5 e4"), walls("e4h"))),
        (" / e1 / e1 e9 / 3 3 / 1", "f1", Reason(Illegality.WALL_IN_THE_WAY, squares("e1 f1"), walls("e1v"))),
        (" / d1 / e2 e9 / 3 3 / 1", "d2", Reason(Illegality.WALL_IN_THE_WAY, squares("e2 d2"), walls("d1v"))),
        ("e3 /  / e1 e9 / 3 3 / 1", "d3h", Reason(Illegality.OVERLAP, walls=walls("d3h e3h"))),
        ("e3 /  / e1 e9 / 3 3 / 1", "e3v", Reason(Illegality.CROSS, walls=walls("e3v e3h"))),
        ("a8c8e8g8 /  / e1 a9 / 3 3 / 1", "h8v", Reason(Illegality.NO_PATH, walls=walls("h8v"), player=2)),
        (" /  / e4 e5 / 3 3 / 1", "e5", Reason(Illegality.OCCUPIED, squares("e5"), player=2)),
        (" /  / b1 b3 / 3 3 / 1 / 3", "d1", Reason(Illegality.OFF_BOARD, squares("d1 a1 c3"))),
        (" /  / b1 b3 / 3 3 / 1 / 3", "c1h", Reason(Illegality.OFF_BOARD, walls=walls("c1h a1h b2v"))),
    ],
)
def test_a_reason_names_the_pieces_concerned(line: str, move: str, reason: Reason) -> None:
    assert Position.from_line(line).why_illegal(parse_move(move)) == reason


def test_a_reader_gets_the_reason_in_their_own_notation() -> None:
    position = Position.from_line("e1 /  / e1 e9 / 3 3 / 1")
    step, wall = position.why_illegal(parse_move("e2")), position.why_illegal(parse_move("e1v"))
    assert step is not None
    assert wall is not None
    assert explain(step, LAN) == "a wall stands between (4, 0) and (4, 1)"
    assert explain(step, STANDARD) == "a wall stands between e1 and e2"
    assert explain(step, athens.notation(9)) == "a wall stands between E9 and E8"
    assert explain(wall, LAN) == "it would cross the wall [(4, 0), h]"
    assert explain(wall, STANDARD) == "it would cross the wall e1h"
    assert explain(wall, athens.notation(9)) == "it would cross the wall E9 horizontal"


def test_only_users_of_the_commands_read_of_the_option() -> None:
    reason = Position.from_line(" /  / e4 e5 / 3 3 / 1").why_illegal(parse_move("d5"))
    assert reason is not None
    assert explain(reason, STANDARD).endswith("; the classroom jump rule would")
    sentence = explain(reason, STANDARD, names_option=True)
    assert sentence.endswith("; the classroom jump rule (--jumps classroom) would")


def test_squares_that_no_board_has_are_written_as_numbers() -> None:
    for square in (Square(30, 3), Square(3, -1)):
        reason = Position().why_illegal(Step(square))
        assert reason is not None
        assert explain(reason, STANDARD) == f"{square} is off the board: squares go from a1 to i9"


def test_walls_may_touch() -> None:
    # docs/decisions.md, Rules: "may touch other walls but not overlap or cross one".
    position = Position.from_line("c3 /  / e1 e9 / 3 3 / 1")
    for name in ("e3h", "a3h", "b3v", "d3v", "c2v", "c4v", "b4v", "d2v", "c2h", "c4h"):
        assert position.is_legal(parse_move(name)), name


def test_pawns_do_not_block_paths() -> None:
    # docs/decisions.md, Rules: "Pawns do not block paths".
    position = Position.from_line(CORRIDOR.format(turn=3))
    assert [format_move(Step(square)) for square in position.shortest_path(1)][:3] == ["a1", "a2", "a3"]
    assert position.distance(1) == 4


def test_a_goal_ends_the_game() -> None:
    position = Position.from_line(" /  / e8 a5 / 0 0 / 1")
    position.push(parse_move("e9"))
    assert (position.winner, position.ending) == (1, Termination.GOAL)
    assert position.turn is None
    assert position.legal_moves == []
    assert position.is_over
    with pytest.raises(ValueError, match="the game is over"):
        position.eliminate(2)
    assert position.pop() == Ply(1, parse_move("e9"))
    assert position.to_line() == " /  / e8 a5 / 0 0 / 1"


@pytest.mark.parametrize(("player", "pawn"), [(1, "c5"), (2, "c1"), (3, "e3"), (4, "a3")])
def test_each_seat_has_its_own_goal_line(player: int, pawn: str) -> None:
    # 2016 document: player 1 top to bottom, 3 left to right; 2 and 4 the other way.
    pawns = {1: "b2", 2: "b3", 3: "b4", 4: "d4", player: pawn}
    names = " ".join(pawns[number] for number in (1, 2, 3, 4))
    position = Position.from_line(f" /  / {names} / 0 0 0 0 / 0 / 5")
    assert (position.winner, position.ending) == (player, Termination.GOAL)


def test_elimination_removes_the_pawn_and_its_walls() -> None:
    # GOTE: "The pawn for <p> should be removed from the game board and any remaining walls are lost."
    position = Position(players=4)
    position.push(parse_move("e3h"))
    position.eliminate(2)
    assert (position.turn, position.alive, position.walls_left(2)) == (4, (1, 4, 3), 0)
    assert (position.pawn(2), position.distance(2), position.shortest_path(2)) == (None, None, [])
    position.eliminate(4)
    assert position.turn == 3
    assert position.walls == [parse_move("e3h")]
    with pytest.raises(ValueError, match="player 4 is not in the game any more"):
        position.eliminate(4)
    position.eliminate(1)
    assert (position.winner, position.ending) == (3, Termination.LAST_PLAYER)
    assert [ply.player for ply in position.history] == [1, 2, 4, 1]
    for player in (1, 4, 2):
        assert position.pop() == Ply(player, None)
    assert position.turn == 4
    assert position.walls_left(2) == 5


def test_an_elimination_can_free_the_way_for_a_wall() -> None:
    position = Position.from_line("a8c8e8g8 /  / e2 a9 e1 c1 / 1 1 1 1 / 4")
    closing = parse_move("h8v")
    assert not position.is_legal(closing)
    position.eliminate(1)
    assert position.turn == 4
    # Player 2 at a9 still needs its way to rank 1.
    assert not position.is_legal(closing)
    position.eliminate(2)
    assert position.is_legal(closing)
    position.pop()
    assert not position.is_legal(closing)


def test_a_player_without_a_move_is_passed_over() -> None:
    # docs/decisions.md, Rules: "A player without a legal move is passed over".
    position = Position.from_line(CORRIDOR.format(turn=3))
    position.push(parse_move("c3h"))
    assert position.turn == 4, "player 1 is locked in behind players 3 and 2"
    position.pop()
    assert position.turn == 3
    assert Position.from_line(CORRIDOR.format(turn=1)).turn == 4, "a position set up is passed on too"
    freed = Position.from_line(CORRIDOR.format(turn=3), Jumps.CLASSROOM)
    freed.push(parse_move("c3h"))
    assert freed.turn == 1
    assert {format_move(step) for step in freed.legal_steps} == {"a4", "b3"}


def test_a_wall_is_a_move_too() -> None:
    with_wall = CORRIDOR.replace("0 0 1 0", "1 0 1 0").format(turn=1)
    position = Position.from_line(with_wall)
    assert position.turn == 1
    assert position.legal_steps == []
    assert position.legal_walls == position.legal_moves != []


def test_an_elimination_gives_the_turn_to_a_player_with_a_move() -> None:
    position = Position.from_line(CORRIDOR.format(turn=3))
    twin = position.copy()
    position.eliminate(3)
    assert position.turn == 1, "with player 3 gone, player 1 can leave"
    twin.eliminate(4)
    assert twin.turn == 3
    twin.push(parse_move("c3h"))
    assert twin.turn == 2


def test_a_position_without_a_move_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    # docs/decisions.md, Rules: without any legal move "the game is drawn". No setup has that: whoever stands
    # next to a free square can step there, and four pawns cannot fill a region that reaches all their goal
    # lines. So the steps are taken away here.
    position = Position.from_line(" /  / e1 e9 / 1 0 / 1")
    with monkeypatch.context() as patch:
        patch.setattr(state_module, "targets", lambda *_: 0)
        position.push(parse_move("e3h"))
        assert (position.turn, position.winner, position.ending) == (None, None, Termination.NO_MOVES)
        assert position.legal_moves == []
        assert Position.from_line("e3 /  / e1 e9 / 0 0 / 0") == position
    position.pop()
    assert (position.turn, position.ending) == (1, None)


def test_copies_are_independent() -> None:
    position = Position()
    position.push(parse_move("e2"))
    twin = position.copy()
    twin.push(parse_move("e8"))
    twin.push(parse_move("e3h"))
    assert position.history == (Ply(1, parse_move("e2")),)
    assert position != twin
    for _ in range(3):
        twin.pop()
    assert twin == Position()
    assert position != Position()
    assert position != "something else"


def test_keys_tell_positions_apart() -> None:
    lines = [
        " /  / e1 e9 / 10 10 / 1",
        " /  / e1 e9 / 10 10 / 2",
        " /  / e1 e9 / 10 9 / 1",
        "e3 /  / e1 e9 / 10 10 / 1",
        " / e3 / e1 e9 / 10 10 / 1",
        " /  / e2 e9 / 10 10 / 1",
        " /  / e1 e9 / 10 10 / 1 / 10",
    ]
    keys = {Position.from_line(line, jumps).key for line in lines for jumps in Jumps}
    assert len(keys) == 2 * len(lines)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Position())


def test_an_empty_history_cannot_be_undone() -> None:
    with pytest.raises(IndexError, match="no move to take back"):
        Position().pop()


@pytest.mark.parametrize(
    "question", [Position.pawn, Position.walls_left, Position.distance, Position.eliminate]
)
@pytest.mark.parametrize("player", [0, 3, 5, -1])
def test_unknown_players_are_rejected(question: object, player: int) -> None:
    with pytest.raises(ValueError, match=f"there is no player {player} in a game of 2"):
        question(Position(), player)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": 2}, "board size must be 3 to 25, not 2"),
        ({"size": 26}, "board size must be 3 to 25, not 26"),
        ({"players": 3}, "a game has 2 or 4 players, not 3"),
        ({"walls": -1}, "the number of walls cannot be negative: -1"),
    ],
)
def test_arguments_out_of_range_are_rejected(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Position(**arguments)  # type: ignore[arg-type]


def test_setup_needs_as_many_wall_counts_as_pawns() -> None:
    with pytest.raises(ValueError, match="2 pawns but 1 numbers of walls left"):
        Position.setup([Square(0, 0), Square(1, 1)], [3])


def test_setup_rejects_negative_walls() -> None:
    with pytest.raises(ValueError, match="player 2 cannot have -1 walls left"):
        Position.setup([Square(0, 0), Square(1, 1)], [3, -1])


def test_only_one_player_can_stand_on_its_goal() -> None:
    # The first square of the board is on the goal line of player 2.
    assert Position.setup([Square(3, 7), Square(0, 0)], [0, 0]).winner == 2
    with pytest.raises(ValueError, match="only one player can have reached its goal"):
        Position.setup([Square(3, 8), Square(0, 0)], [0, 0])


def test_a_single_player_may_stand_on_any_square() -> None:
    assert Position.setup([Square(0, 0), None], [0, 0]).alive == (1,)
    with pytest.raises(ValueError, match="at least one player must still be in the game"):
        Position.setup([None, None], [0, 0])


def test_values_print_and_order_themselves() -> None:
    wall = Wall(3, 1, Orientation.HORIZONTAL)
    assert (str(Step(Square(4, 1))), str(wall)) == ("(4, 1)", "[(3, 1), h]")
    assert sorted([Square(1, 0), Square(0, 5)]) == [Square(0, 5), Square(1, 0)]
    assert Wall(3, 1, Orientation.HORIZONTAL) < Wall(3, 1, Orientation.VERTICAL)
    assert len({wall, Wall(3, 1, Orientation.HORIZONTAL)}) == 1
    with pytest.raises(TypeError):
        assert Orientation.HORIZONTAL < 3  # type: ignore[operator]


@pytest.mark.parametrize("reason", list(Termination))
def test_every_reason_has_one_consequence(reason: Termination) -> None:
    # docs/decisions.md, Verdicts: a fault forfeits; an infrastructure fault voids the game.
    decided = {Termination.GOAL, Termination.LAST_PLAYER}
    drawn = {Termination.NO_MOVES, Termination.PLY_LIMIT, Termination.REPETITION}
    assert (reason in decided) + (reason in drawn) + reason.is_fault + reason.is_void == 1
    assert str(reason) == reason.value == reason.name.lower()
