"""Opening files are parsed, and bad ones are refused."""

from __future__ import annotations

import pytest

from quoridor_net.notation.standard import parse_move
from quoridor_net.rules import Move, Position
from quoridor_net.tournament.quoridor.openings import OpeningError, parse_openings, read_balanced_openings


def test_each_line_is_an_opening() -> None:
    text = "# two\n\ne2 e8 e3h\n  E2, e8  # centre\n"
    opening = tuple(parse_move(word) for word in ("e2", "e8", "e3h"))
    assert parse_openings(text, Position()) == [(3, opening), (4, opening[:2])]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no openings found"),
        ("# nothing\n\n", "no openings found"),
        ("e2 e8\nx9\n", "line 2: 'x9' is off the board"),
        ("e2 hello", "line 1: 'hello' is not a move"),
        ("e3", "line 1: e3 is illegal: the pawn on e1 cannot get to e3 in one move"),
        ("b2 a3 b3", "line 1: the game is over after this opening"),
    ],
)
def test_bad_files_are_refused(text: str, complaint: str) -> None:
    size = 3 if "b3" in text else 9
    with pytest.raises(OpeningError, match=complaint):
        parse_openings(text, Position(size))


LINES = ("e2 e8 e3h", "e2 e8 e3h", "e2 e8", "e2 e8 d2 e7", "e2", "d1 e8", "E2 e8 e3h d8", "c3v")


def test_openings_that_begin_alike_are_read_like_those_that_do_not() -> None:
    alone = [parse_openings(line, Position())[0][1] for line in LINES]
    start = Position()
    together = parse_openings("\n".join(LINES), start)
    assert [opening for _, opening in together] == alone
    assert start.ply == 0


def test_common_beginnings_of_openings_are_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand equal openings exceeded the time limit of an input (found by fuzzing)."""
    pushed = []
    push = Position.push

    def count_and_push(position: Position, move: Move) -> None:
        pushed.append(move)
        push(position, move)

    monkeypatch.setattr(Position, "push", count_and_push)
    assert len(parse_openings("e2 e8\n" * 1000 + "e2 d9\n", Position())) == 1001
    assert len(pushed) == 3


def test_a_file_has_a_limited_number_of_openings() -> None:
    with pytest.raises(OpeningError, match=r"^line 10001: more than 10000 openings: split the file$"):
        parse_openings("e2\n" * 10_001, Position())


def test_the_openings_that_come_with_the_package_are_different_and_legal() -> None:
    found = parse_openings(read_balanced_openings(), Position())
    assert len({opening for _, opening in found}) == len(found) == 250
    for _, opening in found:
        position = Position()
        for move in opening:
            position.push(move)
        # Player 1 moves next, and neither player is far ahead.
        assert position.turn == 1
        assert abs(position.walls_left(1) - position.walls_left(2)) <= 1
