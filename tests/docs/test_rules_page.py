"""The page of rules is right about every position, and quotes the document word for word."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest

from docs.parts.position_pictures import POSITIONS, draw_position, load_picture
from quoridor_net.rules import Jumps, Orientation, Position, Square, Step, Wall
from tests.docs.pages import DOCS, blocks, name_of
from tests.support.ground_truth import quotations
from tests.support.perft import VECTORS
from tests.support.positions import crowded_position

PAGE = DOCS / "rules.md"


@pytest.mark.parametrize("name", POSITIONS)
def test_the_steps_of_a_picture_are_all_legal_ones(name: str) -> None:
    found = load_picture(name)
    if "steps" in POSITIONS[name]:
        assert sorted(found.steps) == sorted(found.position.legal_steps)


@pytest.mark.parametrize("name", POSITIONS)
def test_the_moves_crossed_out_are_illegal_for_the_reason_that_is_given(name: str) -> None:
    found = load_picture(name)
    for move, kind in found.illegal.items():
        reason = found.position.why_illegal(move)
        assert reason is not None
        assert reason.kind is kind, move


@pytest.mark.parametrize("name", POSITIONS)
def test_every_marked_and_refused_move_is_drawn(name: str) -> None:
    options = POSITIONS[name]
    image = ET.fromstring(draw_position(name))
    classes = [element.attrib.get("class") for element in image.iter()]
    assert classes.count("marked") == len(re.findall(r"\(", options.get("steps", "")))
    assert classes.count("refused") == len(re.findall(r"\) \w|\] \w", options.get("illegal", "")))


def test_every_rule_is_listed_once_and_in_order() -> None:
    rules = re.findall(r"^\*\*R(\d+)\. ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert list(map(int, rules)) == list(range(1, 18))


def test_citations_are_sentences_of_the_document() -> None:
    known = quotations()
    text = " ".join(PAGE.read_text(encoding="utf-8").replace("\\<", "<").split())
    citations = re.findall(r"(2016, [\w ]+): [^\"]*\"([^\"]+)\"", text)
    assert len(citations) >= 6
    for section, citation in citations:
        assert any(citation.removesuffix(".") in sentence for sentence in known[section]), citation


def test_counts_match_other_programs() -> None:
    known = {vector["position"].strip(): vector["perft"][:3] for vector in VECTORS}
    rows = re.findall(
        r"^\| ` ?(.+?)` \| (\d+) \| (\d+) \| (\d+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) == 6
    for line, *counts in rows:
        assert list(map(int, counts)) == known[line]


def test_a_player_without_a_move_is_passed_over() -> None:
    line = "/ a1 / a1 a2 a3 e3 / 0 2 2 2 / 1 / 5"
    assert POSITIONS["passed-over"]["position"] == line
    assert Position.from_line(line).turn == 4


def generator() -> Callable[..., set[Any]]:
    (program,) = blocks(PAGE, "python")
    names: dict[str, Any] = {}
    exec(compile(program, name_of(PAGE), "exec"), names)
    found: Callable[..., set[Any]] = names["legal_moves"]
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_the_generator_finds_the_legal_moves(players: int) -> None:
    legal_moves = generator()
    source = random.Random(players)
    for _ in range(150):
        position = crowded_position(source, source.choice([5, 6, 7]), players, Jumps.OFFICIAL)
        if source.random() < 0.3:
            position.eliminate(source.choice(position.alive))
        player = position.turn
        if player is None:
            continue
        pawns = {other: as_pair(position.pawn(other)) for other in position.alive}
        left = {other: position.walls_left(other) for other in position.alive}
        walls = {(wall.column, wall.row, wall.orientation.value) for wall in position.walls}
        found = legal_moves(position.size, pawns, walls, left, player)
        moves = [
            Step(Square(*move)) if len(move) == 2 else Wall(move[0], move[1], Orientation(move[2]))
            for move in found
        ]
        assert set(moves) == set(position.legal_moves), position.to_line()


def as_pair(square: Square | None) -> tuple[int, int]:
    assert square is not None
    return square.column, square.row
