"""What people type, in both notations and with any punctuation."""

from __future__ import annotations

import contextlib
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.notation import athens, standard
from quoridor_net.notation.reading import LetterNotation, parse_move
from quoridor_net.rules import MAX_SIZE, Move, Orientation, Square, Step, Wall
from quoridor_net.text import UnparsableError

H, V = Orientation.HORIZONTAL, Orientation.VERTICAL


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("e8", Step(Square(4, 7))),
        ("E8", Step(Square(4, 7))),
        ("(4, 1)", Step(Square(4, 1))),
        ("4 1", Step(Square(4, 1))),
        ("4,1", Step(Square(4, 1))),
        ("h (3, 4)", Wall(3, 4, H)),
        ("h 3 4", Wall(3, 4, H)),
        ("3 4 h", Wall(3, 4, H)),
        ("(3, 4) V", Wall(3, 4, V)),
        ("[(3, 1), h]", Wall(3, 1, H)),
        ("[(3,1),w]", Wall(3, 1, V)),
        ("e3h", Wall(4, 2, H)),
        ("e3 h", Wall(4, 2, H)),
        ("h e3", Wall(4, 2, H)),
        ("  HORIZONTAL   e3 ", Wall(4, 2, H)),
        ("e3 vertical", Wall(4, 2, V)),
        # The letter of a wall may also be a file: never two readings of one text.
        ("h3", Step(Square(7, 2))),
        ("h h3", Wall(7, 2, H)),
        ("h3h", Wall(7, 2, H)),
        ("h3 4", Wall(3, 4, H)),
        # Where no wall can be is for the rules to explain.
        ("i9h", Wall(8, 8, H)),
    ],
)
def test_moves_are_read(text: str, move: Move) -> None:
    assert parse_move(text, notation="standard") == move


@pytest.mark.parametrize(
    "text", ["", "   ", "e", "8", "e 8", "h 3", "4 1 1", "e3hh", "4.1", "-1 2", "resign now", "٤ ١", "\x1b[A"]
)
def test_a_meaningless_text_is_refused_with_advice(text: str) -> None:
    with pytest.raises(UnparsableError, match=r"is not a move: type a square like e2 or \(4, 1\), or a wall"):
        parse_move(text, notation="standard")


def test_a_long_text_is_not_repeated_in_full() -> None:
    with pytest.raises(UnparsableError) as caught:
        parse_move("x" * 1000)
    assert len(str(caught.value)) < 140


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("e2", Step(Square(4, 1))),
        ("e3h", Wall(4, 2, H)),
        ("(4, 1)", Step(Square(4, 1))),
        ("[(3, 1), v]", Wall(3, 1, V)),
        ("E3 horizontal", Wall(4, 6, H)),
        # The middle row is the same from both sides.
        ("E5", Step(Square(4, 4))),
        ("e5 h", Wall(4, 4, H)),
    ],
)
def test_every_notation_is_known_by_its_form(text: str, move: Move) -> None:
    assert parse_move(text) == move


@pytest.mark.parametrize(
    ("text", "in_standard", "in_athens"),
    [
        ("E2", "(4, 1)", "(4, 7)"),
        ("e3 h", "[(4, 2), h]", "[(4, 6), h]"),
        ("h e3", "[(4, 2), h]", "[(4, 6), h]"),
        ("e3 horizontal", "[(4, 2), h]", "[(4, 6), h]"),
        ("E3H", "[(4, 2), h]", "[(4, 6), h]"),
    ],
)
def test_an_ambiguous_text_is_refused_with_both_readings(text: str, in_standard: str, in_athens: str) -> None:
    with pytest.raises(UnparsableError) as caught:
        parse_move(text)
    assert str(caught.value) == (
        f"{text!r} is ambiguous: {in_standard} in standard notation, {in_athens} in Athens notation;"
        " pass notation='standard' or notation='athens'"
    )
    assert str(parse_move(text, notation="standard")) == in_standard
    assert str(parse_move(text, notation="athens")) == in_athens


@given(st.sampled_from(get_args(LetterNotation)), st.data())
def test_a_named_notation_reads_what_it_writes(notation: LetterNotation, data: st.DataObject) -> None:
    size, move = 25, data.draw(moves)
    text = athens.format_move(move, size) if notation == "athens" else standard.format_move(move)
    assert parse_move(text, size, notation) == move


def test_an_unknown_notation_is_refused() -> None:
    with pytest.raises(ValueError, match="the notation must be 'standard' or 'athens', not 'lan'"):
        parse_move("e2", notation="lan")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["k5", "e10", "y25 h"])
def test_names_of_squares_off_the_board_are_refused(text: str) -> None:
    with pytest.raises(UnparsableError, match="is off the board: squares go from a1 to i9"):
        parse_move(text, notation="standard")


@pytest.mark.parametrize("text", ["40 3", "(3, 40)", "30 3 h", "9 0"])
def test_numbers_of_squares_off_the_board_are_refused(text: str) -> None:
    with pytest.raises(UnparsableError, match="is off the board: columns and rows go from 0 to 8"):
        parse_move(text, notation="standard")


places = st.builds(Square, st.integers(0, MAX_SIZE - 1), st.integers(0, MAX_SIZE - 1))
moves = st.builds(Step, places) | st.builds(
    lambda square, orientation: Wall(square.column, square.row, orientation),
    places,
    st.sampled_from(Orientation),
)


@given(moves)
def test_both_notations_are_read_back(move: Move) -> None:
    for text in (str(move), standard.format_move(move), standard.format_move(move).upper()):
        assert parse_move(text, MAX_SIZE, "standard") == move


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(UnparsableError):
        assert parse_move(text, notation="standard") is not None
