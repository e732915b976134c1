"""Formats of durations, names and directions."""

from __future__ import annotations

import pytest

from quoridor_net.ui.wording import fold, format_clock, format_duration, shorten


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.00 s"),
        (0.041, "0.04 s"),
        (0.994, "0.99 s"),
        (0.996, "1.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1:00"),
        (65, "1:05"),
        (3723, "1:02:03"),
    ],
)
def test_durations_have_suitable_units(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(("seconds", "text"), [(0, "0 s"), (59, "59 s"), (60, "1:00"), (7200, "2:00:00")])
def test_clocks_have_minutes_and_hours(seconds: int, text: str) -> None:
    assert format_clock(seconds) == text


def test_long_texts_are_shortened_with_an_ellipsis() -> None:
    assert shorten("marcy", 5) == "marcy"
    assert shorten("marcy", 4) == "mar…"
    assert shorten("m\x1b[2J", 9) == "m\\x1b[2J"
    assert shorten("\u65e5\u672c\u8a9e", 5) == "\u65e5\u672c…"


def test_lines_are_broken_between_words_by_columns() -> None:
    assert fold("one two three", 7) == ["one two", "three"]
    assert fold("\u65e5\u672c \u8a9e x", 7) == ["\u65e5\u672c \u8a9e", "x"]
    assert fold("\u65e5\u672c\u8a9e", 4) == ["\u65e5\u672c", "\u8a9e"]
    assert fold("one two", 6, "  ") == ["  one", "  two"]
    assert fold("  \t", 6) == []
    # Text is broken even in a window that is too narrow.
    assert fold("ab \u65e5", 1) == ["a", "b", "\u65e5"]
