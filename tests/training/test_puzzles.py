"""Puzzles have one winning move, and every other move is proved lost."""

from __future__ import annotations

import json
import random
import re

import pytest

from quoridor_net.engine.endgame.exact import Exact
from quoridor_net.moves import Step, Wall
from quoridor_net.notation.standard import format_move, parse_move
from quoridor_net.rules import Position
from training import shipped
from training.puzzles import find_puzzle, find_winning_move, format_puzzles

pytestmark = pytest.mark.compiled("engine")

ROW = re.compile(r'  \{ position: ("[^"]+"), moves: ("[^"]+") \},')


def shipped_puzzles() -> list[tuple[str, list[str]]]:
    text = shipped.PUZZLES.read_text("ascii")
    return [(json.loads(line), json.loads(moves).split()) for line, moves in ROW.findall(text)]


def check(line: str, moves: list[str]) -> None:
    position = Position.from_line(line)
    choices = Exact(position.size).choices(position)
    assert choices is not None
    winning = find_winning_move(choices)
    assert winning is not None, line
    assert (format_move(winning.move), winning.wins_in) == (moves[0], len(moves)), line
    for move in moves:
        position.push(parse_move(move, position.size))
    assert position.winner == Position.from_line(line).turn


def test_the_easiest_shipped_puzzles_are_proved() -> None:
    puzzles = shipped_puzzles()
    assert len(puzzles) == 20
    for line, moves in puzzles[:2]:
        check(line, moves)


@pytest.mark.slow
def test_all_shipped_puzzles_are_proved() -> None:
    for line, moves in shipped_puzzles():
        check(line, moves)


def test_a_new_puzzle_is_written_like_the_shipped_ones() -> None:
    puzzle = find_puzzle(random.Random(2), Exact(5), 5, 1, range(3, 30), Step)
    text = format_puzzles([puzzle], 2)
    assert "--seed 2" in text
    [(line, moves)] = ROW.findall(text)
    check(json.loads(line), json.loads(moves).split())
    assert not isinstance(puzzle.moves[0], Wall)
