"""Reading and writing moves of Clobber."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.clobber import ClobberSquare, Move, format_spaced, parse_move
from quoridor_net.text import UnparsableError

squares = st.builds(ClobberSquare, st.integers(0, 25), st.integers(0, 25))


@given(st.builds(Move, squares, squares))
def test_both_forms_can_be_parsed(move: Move) -> None:
    assert parse_move(str(move)) == move
    assert parse_move(format_spaced(move)) == move
    assert parse_move(str(move).upper()) == move


@pytest.mark.parametrize("text", ["a1b1", "a 1 b 1", "a1-b1", "A1B1", "  a  1\tb 1 \r\n", "a1 b1"])
def test_spacing_case_and_dash_do_not_matter(text: str) -> None:
    # Protocol, step 3: "if he/she wants to make the move a1-b1, he/she should send over the string
    # "a 1 b 1\n"".
    move = parse_move(text)
    assert move == Move(ClobberSquare(0, 0), ClobberSquare(1, 0))
    assert (str(move), format_spaced(move)) == ("a1b1", "a 1 b 1")


@pytest.mark.parametrize(
    "text", ["", "a1", "a1b", "a0b1", "a01b1", "1a1b", "a100b1", "a1b1c1", "aa1b1", "a1--b1", "é1b1", "a١b1"]
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(UnparsableError, match="is not a move: expected two squares like a1b1 or a 1 b 1"):
        parse_move(text)
