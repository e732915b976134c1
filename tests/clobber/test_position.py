"""The rules of Clobber against the figures and games of the data files."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.clobber import (
    ClobberIllegality,
    ClobberPosition,
    ClobberSquare,
    Colour,
    IllegalClobberMoveError,
    Move,
    parse_move,
)
from quoridor_net.outcome import Termination
from quoridor_net.text import UnparsableError
from tests.support.ground_truth import DATA
from tests.support.perft import plain_perft

TRUTH = json.loads((DATA / "clobber.json").read_text(encoding="utf-8"))
GAMES = [
    line.split()
    for line in (DATA / "clobber-games-10x10.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
#: Higher counts and deeper ones are left to the slow tests.
QUICK = 10_000_000_000
SHALLOW = 6


def perft_cases(*, slow: bool) -> list[tuple[int, int, int, int]]:
    return [
        (*map(int, size.split("x")), depth, count)
        for size, counts in TRUTH["perft"].items()
        for depth, count in enumerate(counts, 1)
        if (count > QUICK or depth > SHALLOW) == slow
    ]


@st.composite
def positions(draw: st.DrawFn) -> ClobberPosition:
    columns, rows = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    letters = draw(st.lists(st.sampled_from("xo."), min_size=columns * rows, max_size=columns * rows))
    lines = ("".join(letters[row * columns : (row + 1) * columns]) for row in range(rows))
    return ClobberPosition.parse(f"{'/'.join(lines)} {draw(st.sampled_from('bw'))}")


def test_start_follows_rule_two() -> None:
    # "The square a1 is occupied by a black stone and ... no two neighbouring squares contain stones of the
    # same colour."
    position = ClobberPosition.start(3, 2)
    assert str(position) == "oxo/xox b"
    assert position.stone(ClobberSquare(0, 0)) is Colour.BLACK
    assert position.side is Colour.BLACK
    standard = ClobberPosition.start()
    assert (standard.columns, standard.rows, len(standard.stones())) == (10, 10, 100)


@pytest.mark.parametrize(("columns", "rows", "depth", "count"), perft_cases(slow=False))
def test_perft_reproduces_the_data(columns: int, rows: int, depth: int, count: int) -> None:
    assert ClobberPosition.start(columns, rows).perft(depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "depth", "count"), perft_cases(slow=True))
def test_deep_perft_reproduces_the_data(columns: int, rows: int, depth: int, count: int) -> None:
    assert ClobberPosition.start(columns, rows).perft(depth) == count


@pytest.mark.parametrize("game", GAMES, ids=range(1, len(GAMES) + 1))
def test_games_end_with_the_stated_winner(game: list[str]) -> None:
    position = ClobberPosition.start()
    winner, *moves = game
    for text in moves:
        assert position.winner is None
        position.push(parse_move(text))
    assert position.winner is (Colour.BLACK if winner == "B" else Colour.WHITE)
    assert [str(move) for move in position.history] == moves


@given(positions())
def test_counting_without_playing_equals_playing(position: ClobberPosition) -> None:
    assert position.move_count() == len(position.legal_moves)
    for depth in range(4):
        assert position.perft(depth) == plain_perft(position, depth)


@given(positions(), st.data())
def test_exactly_the_legal_moves_have_no_reason(position: ClobberPosition, data: st.DataObject) -> None:
    squares = [ClobberSquare(column, row) for column in range(-1, 8) for row in range(-1, 8)]
    legal = set(position.legal_moves)
    assert len(legal) == position.move_count()
    assert position.is_over == (not legal)
    assert position.winner is (None if legal else position.side.other)
    for origin in data.draw(st.lists(st.sampled_from(squares), max_size=5)):
        for target in squares:
            move = Move(origin, target)
            assert position.is_legal(move) == (move in legal)
            assert (position.why_illegal(move) is None) == (move in legal)


@given(positions(), st.randoms(use_true_random=False))
def test_pop_undoes_push(position: ClobberPosition, random: object) -> None:
    before, text = position.copy(), str(position)
    played = 0
    while moves := position.legal_moves:
        position.push(random.choice(moves))  # type: ignore[attr-defined]
        played += 1
        assert position.side is not (before.side if played % 2 else before.side.other)
    assert position.ply == played
    while position.ply:
        position.pop()
    assert position == before
    assert str(position) == text
    assert ClobberPosition.parse(text) == position


@pytest.mark.parametrize(
    ("line", "move", "kind", "sentence"),
    [
        ("oxo/xox b", "a1a3", ClobberIllegality.OFF_BOARD, "a3 is off the board: squares go from a1 to c2"),
        ("oxo/xox b", "d1c1", ClobberIllegality.OFF_BOARD, "d1 is off the board: squares go from a1 to c2"),
        (
            "oxo/xox b",
            "b1a1",
            ClobberIllegality.OPPOSING_ORIGIN,
            "it is black's turn and the stone on b1 is white",
        ),
        ("oxo/.ox b", "a1b1", ClobberIllegality.EMPTY_ORIGIN, "it is black's turn and a1 is empty"),
        ("oxo/xox b", "a1b2", ClobberIllegality.NOT_NEIGHBOURS, "a1 and b2 do not share a side"),
        ("oxo/xox b", "a1a1", ClobberIllegality.NOT_NEIGHBOURS, "a1 and a1 do not share a side"),
        (
            "oxo/x.x b",
            "a1b1",
            ClobberIllegality.EMPTY_TARGET,
            "b1 is empty: a stone moves only onto an opposing stone",
        ),
        (
            "oxo/xxx b",
            "a1b1",
            ClobberIllegality.OWN_TARGET,
            "b1 holds a black stone too: a stone moves only onto an opposing stone",
        ),
        ("x.o b", "a1b1", ClobberIllegality.GAME_OVER, "the game is over"),
    ],
)
def test_an_illegal_move_is_explained_and_not_played(
    line: str, move: str, kind: ClobberIllegality, sentence: str
) -> None:
    position = ClobberPosition.parse(line)
    reason = position.why_illegal(parse_move(move))
    assert reason is not None
    assert (reason.kind, str(reason)) == (kind, sentence)
    with pytest.raises(IllegalClobberMoveError, match="is illegal") as caught:
        position.push(parse_move(move))
    assert caught.value.reason == reason
    assert str(position) == line


def test_the_largest_board_can_be_played() -> None:
    position = ClobberPosition.start(26, 26)
    assert position.move_count() == 2 * 26 * 25
    position.push(parse_move("z26z25"))
    assert position.stone(ClobberSquare(25, 25)) is None


@pytest.mark.parametrize(("columns", "rows"), [(0, 1), (1, 0), (27, 1), (5, 27)])
def test_sizes_out_of_range_are_refused(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="a board has 1 to 26"):
        ClobberPosition.start(columns, rows)


def test_setup_refuses_stones_off_the_board() -> None:
    with pytest.raises(ValueError, match="is not on a board of 2x2"):
        ClobberPosition.setup(2, 2, {ClobberSquare(2, 0): Colour.BLACK})


def test_stones_leaves_out_empty_squares() -> None:
    stones = {ClobberSquare(0, 0): Colour.BLACK, ClobberSquare(2, 1): Colour.WHITE}
    assert ClobberPosition.parse("..o/x.. b").stones() == stones


@pytest.mark.parametrize("text", ["", "xo", "xo b w", "xo/x b", "xq b", "xo black", " b", "x" * 27 + " b"])
def test_other_text_is_refused_as_a_position(text: str) -> None:
    with pytest.raises(UnparsableError, match="is not a position"):
        ClobberPosition.parse(text)


def test_undo_needs_a_move_and_perft_a_depth() -> None:
    position = ClobberPosition.start(1, 1)
    assert position.winner is Colour.WHITE
    assert repr(position) == "<Position 1x1, ply 0, over, white has won>"
    with pytest.raises(IndexError, match="no move to take back"):
        position.pop()
    with pytest.raises(ValueError, match="cannot be negative"):
        position.perft(-1)


def test_a_player_that_is_out_has_lost() -> None:
    position = ClobberPosition.start(2, 2)
    assert (position.turn, position.alive, position.ending) == (1, (1, 2), None)
    position.eliminate(1)
    assert (position.turn, position.alive, position.winner) == (None, (2,), Colour.WHITE)
    assert position.ending is Termination.LAST_PLAYER
    assert position.copy().is_over
    assert position.legal_moves == []
    with pytest.raises(IllegalClobberMoveError):
        position.push(parse_move("a1b1"))
    with pytest.raises(ValueError, match="over"):
        position.eliminate(2)


def test_a_colour_is_a_player_number_and_shows_its_name() -> None:
    assert (Colour.BLACK, Colour.WHITE) == (1, 2)
    assert f"{Colour.WHITE}" == str(Colour.WHITE) == "white"
