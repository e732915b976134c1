"""Large letters for the outcome of a game."""

from __future__ import annotations

import pytest

from quoridor_net.outcome import Result
from quoridor_net.rules import Termination
from quoridor_net.rules.diagram import plain, width_of
from quoridor_net.ui.banner import banner


def make_result(winner: int | None = 1, termination: Termination = Termination.GOAL) -> Result:
    return Result(winner, termination, "It is over.", 20)


def test_a_winner_with_seven_letters_fits_in_80_columns() -> None:
    assert plain(banner(make_result(), ("ann:bot", "bob"), 80, 24, is_ascii=True)) == [
        " ###  #   # #   #       ####   ###  #####       #   # ##### #   #  ####",
        "#   # ##  # ##  #   #   #   # #   #   #         #   #   #   ##  # #",
        "##### # # # # # #       ####  #   #   #         # # #   #   # # #  ###",
        "#   # #  ## #  ##   #   #   # #   #   #         ## ##   #   #  ##     #",
        "#   # #   # #   #       ####   ###    #         #   # ##### #   # ####",
    ]


@pytest.mark.parametrize(
    ("name", "width", "rows"),
    [
        # The name is beside or above the verb, ...
        ("ann:bot", 80, 1),
        ("abc:tortoise", 80, 2),
        ("ann:bot", 50, 2),
        # ... or replaced by a number if it is too long or cannot be drawn.
        ("abc:a-very-long-name", 80, 1),
        ("a@b", 80, 1),
        ("abc:a-very-long-name", 60, 2),
        ("ann:bot", 20, 0),
    ],
)
def test_the_banner_fits_into_the_window(name: str, width: int, rows: int) -> None:
    lines = banner(make_result(), (name, "bob"), width, 24, is_ascii=False)
    assert len(lines) == max(6 * rows - 1, 0)
    assert all(width_of(line) <= width for line in lines)


def test_a_large_window_gets_large_letters() -> None:
    lines = banner(make_result(), ("ann:bot", "bob"), 160, 50, is_ascii=False)
    assert len(lines) == 10
    assert 80 < max(map(width_of, lines)) <= 160


def test_a_draw_has_a_banner_and_a_void_game_none() -> None:
    drawn = banner(make_result(None, Termination.PLY_LIMIT), ("a", "b"), 80, 24, is_ascii=True)
    assert plain(drawn)[0] == "########    ########      ######    ##      ##  ##      ##"
    # Five letters leave room to enlarge them.
    assert len(drawn) == 10
    assert banner(make_result(None, Termination.ABORTED), ("a", "b"), 80, 24, is_ascii=True) == []


def test_winners_with_equal_names_are_numbered() -> None:
    names = ("bob", "bob")
    by_number = banner(make_result(), ("?", "bob"), 80, 24, is_ascii=True)
    assert banner(make_result(), names, 80, 24, is_ascii=True) == by_number
    assert by_number != banner(make_result(), ("bob", "eve"), 80, 24, is_ascii=True)
