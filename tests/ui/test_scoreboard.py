"""The table of players beside a board."""

from __future__ import annotations

from quoridor_net.rules import Position
from quoridor_net.rules.diagram import ASCII, UNICODE, Look, plain, width_of
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui.layout import scoreboard


def test_two_players_have_a_row_each() -> None:
    assert plain(scoreboard(Position(), ("anna", "bob"), 36, UNICODE, BoardPicture.STANDARD, you=2)) == [
        "     player            walls   to go",
        "> ▲1 anna                 10       8",
        "  ▼2 bob (you)            10       8",
    ]


def test_four_players_are_in_order_of_play_including_eliminated_ones() -> None:
    position = Position(players=4)
    position.eliminate(4)
    assert plain(scoreboard(position, ("a", "b", "c", "d" * 99), 30, ASCII, BoardPicture.STANDARD)) == [
        "     player      walls   to go",
        "> 1  a               5       8",
        "  4  dddddddddd~           out",
        "  2  b               5       8",
        "  3  c               5       8",
    ]


def test_rows_keep_their_width() -> None:
    rows = scoreboard(Position(), ("n" * 200, "m" * 200), 26, UNICODE, BoardPicture.LAN, you=1)
    assert {width_of(row) for row in rows} == {26}


def test_the_player_to_move_is_bold() -> None:
    rows = scoreboard(Position(), ("a", "b"), 36, UNICODE, BoardPicture.LAN)
    assert [row[-1].look for row in rows[1:]] == [Look.STRONG, Look.TEXT]
