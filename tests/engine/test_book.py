"""The opening book: its moves are legal, also in mirror images."""

from __future__ import annotations

import random
import threading

import pytest

from quoridor_net.engine import Choice, Limits, book
from quoridor_net.engine.book import book_key, format_entry, mirror, mirror_move, probe
from quoridor_net.engine.searcher import Searcher
from quoridor_net.notation.standard import parse_move
from quoridor_net.rules import Jumps, Position

pytestmark = pytest.mark.compiled("engine")


@pytest.fixture
def one_listed(monkeypatch: pytest.MonkeyPatch) -> Position:
    """List one position, with a move that no search would choose, and return it."""
    position = Position()
    for name in ("e2", "e8", "d3h", "c6v"):
        position.push(parse_move(name, 9))
    choice = Choice(parse_move("b2h", 9), 12, None, ())
    line, _, answer = format_entry(position, choice, 20).partition(";")
    move, score, depth = answer.split()
    monkeypatch.setattr(book, "_entries", lambda: {line: (parse_move(move, 9), int(score), int(depth))})
    return position


def test_a_listed_position_is_answered_without_a_search(one_listed: Position) -> None:
    found = Searcher(9, 2, 1).choose(one_listed, Limits(time=0.3))
    assert (found.move, found.score, found.depth, found.nodes) == (parse_move("b2h", 9), 12, 20, 0)


def test_its_mirror_image_is_known_too(one_listed: Position) -> None:
    found = probe(mirror(one_listed))
    assert found is not None
    assert found[0].move == parse_move("g2h", 9)


@pytest.mark.parametrize(
    ("limits", "multipv"),
    [
        (Limits(nodes=50), 1),
        (Limits(depth=1), 1),
        (Limits(time=0.05), 2),
        (Limits(time=0.05, level=3), 1),
    ],
)
def test_a_request_beyond_the_book_is_searched(one_listed: Position, limits: Limits, multipv: int) -> None:
    assert Searcher(9, 2, 1).choose(one_listed, limits, multipv).nodes > 0


def test_a_known_opening_is_searched_with_much_time(one_listed: Position) -> None:
    searcher = Searcher(9, 2, 1)
    canceller = threading.Timer(0.1, searcher.cancel)
    canceller.start()
    assert searcher.choose(one_listed, Limits(time=60)).nodes > 0
    canceller.join()


def test_no_move_waits_for_the_list_to_be_read() -> None:
    book._entries.cache_clear()
    searcher = Searcher(9, 2, 1)
    reads = book._entries.cache_info().misses
    assert searcher.choose(Position(), Limits(time=0.02)).nodes == 0
    assert book._entries.cache_info().misses == reads == 1


def test_a_searcher_without_the_book_searches_known_openings(one_listed: Position) -> None:
    assert Searcher(9, 2, 1, uses_book=False).choose(one_listed, Limits(time=0.05)).nodes > 0


@pytest.mark.parametrize(
    "position", [Position(7), Position(9, 4), Position(9, 2, 10, Jumps.CLASSROOM), Position(9, 2, 9)]
)
def test_other_games_are_not_known(position: Position) -> None:
    assert probe(position) is None


def test_every_listed_move_is_legal() -> None:
    listed = book._entries()
    assert listed
    for line, (move, score, depth) in listed.items():
        position = Position.from_line(line)
        assert position.is_legal(move)
        assert book_key(position) == (line, False)
        assert abs(score) < 300
        assert depth > 8


def test_positions_and_mirror_images_share_a_key() -> None:
    source = random.Random(4)
    for _ in range(30):
        position = Position()
        for _ in range(source.randrange(12)):
            position.push(source.choice(position.legal_moves))
        assert mirror(mirror(position)).to_line() == position.to_line()
        assert book_key(position)[0] == book_key(mirror(position))[0]
        move = source.choice(position.legal_moves)
        assert mirror(position).is_legal(mirror_move(move))
