"""Clocks as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.clocks import GameClock, parse_clock
from quoridor_net.text import UnparsableError


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("300", GameClock(300)),
        ("300+2", GameClock(300, 2)),
        ("0.5+0.01", GameClock(0.5, 0.01)),
        ("60+0", GameClock(60)),
    ],
)
def test_clocks_are_seconds_and_an_increment(text: str, clock: GameClock) -> None:
    assert parse_clock(text) == clock


@pytest.mark.parametrize("text", ["", "0", "0+5", "5+", "+5", "-5", "5 + 1", "nan", "1e3", "5+1+1", "5:00"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(UnparsableError, match=r"expected seconds, or seconds\+increment as in 300\+2"):
        parse_clock(text)


@given(st.integers(1, 10**8), st.integers(0, 10**8))
def test_a_clock_is_written_as_it_is_read(seconds: int, increment: int) -> None:
    clock = GameClock(seconds / 1000, increment / 1000)
    assert parse_clock(str(clock)) == clock
