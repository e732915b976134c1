"""Large letters for the outcome of a game."""

from __future__ import annotations

import pytest

from quoridor_net.outcome import Result
from quoridor_net.rules import Termination
from quoridor_net.rules.diagram import plain, width_of
from quoridor_net.ui.banner import banner


def won(winner: int | None = 1, termination: Termination = Termination.GOAL) -> Result:
    return Result(winner, termination, "It is over.", 20)


def test_a_winner_of_seven_letters_in_80_columns() -> None:
    assert plain(banner(won(), ("ann:bot", "bob"), 80, 24, is_ascii=True)) == [
        " ###  #   # #   #       ####   ###  #####       #   # ##### #   #  ####",
        "#   # ##  # ##  #   #   #   # #   #   #         #   #   #   ##  # #",
        "##### # # # # # #       ####  #   #   #         # # #   #   # # #  ###",
        "#   # #  ## #  ##   #   #   # #   #   #         ## ##   #   #  ##     #",
        "#   # #   # #   #       ####   ###    #         #   # ##### #   # ####",
    ]


@pytest.mark.parametrize(
    ("name", "width", "rows"),
    [
        # The name beside or above the verb, ...
        ("ann:bot", 80, 1),
        ("abc:tortoise", 80, 2),
        ("ann:bot", 50, 2),
        # ... the number of a player whose name is too long or has no letters to draw it with.
        ("abc:a-very-long-name", 80, 1),
        ("a@b", 80, 1),
        ("abc:a-very-long-name", 60, 2),
        ("ann:bot", 20, 0),
    ],
)
def test_it_fits(name: str, width: int, rows: int) -> None:
    lines = banner(won(), (name, "bob"), width, 24, is_ascii=False)
    assert len(lines) == max(6 * rows - 1, 0)
    assert all(width_of(line) <= width for line in lines)


def test_a_large_window_gets_large_letters() -> None:
    lines = banner(won(), ("ann:bot", "bob"), 160, 50, is_ascii=False)
    assert len(lines) == 10
    assert 80 < max(map(width_of, lines)) <= 160


def test_a_draw_is_called_that_and_a_void_game_nothing() -> None:
    drawn = banner(won(None, Termination.PLY_LIMIT), ("a", "b"), 80, 24, is_ascii=True)
    assert plain(drawn)[0] == "########    ########      ######    ##      ##  ##      ##"
    # Five letters are enlarged, for there is room.
    assert len(drawn) == 10
    assert banner(won(None, Termination.ABORTED), ("a", "b"), 80, 24, is_ascii=True) == []


def test_winners_of_equal_names_are_told_apart() -> None:
    names = ("bob", "bob")
    by_number = banner(won(), ("?", "bob"), 80, 24, is_ascii=True)
    assert banner(won(), names, 80, 24, is_ascii=True) == by_number
    assert by_number != banner(won(), ("bob", "eve"), 80, 24, is_ascii=True)
