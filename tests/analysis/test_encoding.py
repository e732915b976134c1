"""JSON analyses agree with docs/reference/analysis.md."""

from __future__ import annotations

import json
import re
from typing import Any

from quoridor_net.analysis import BestLine, Mark, PlyAnalysis
from quoridor_net.analysis.encoding import VERSION, document
from quoridor_net.replay import parse_game
from quoridor_net.rules import Orientation, Square, Step, Wall
from tests.docs.pages import DOCS, blocks, section

PAGE = DOCS / "reference" / "analysis.md"
GAME = parse_game("# Players: ann vs bob\nP 1 E2\nW 2 E3 h\n", partial=True)
PLAYED = BestLine((Wall(4, 2, Orientation.HORIZONTAL), Step(Square(3, 1))), -125, 0.303012, None)
BEST = BestLine((Step(Square(4, 7)),), 29_998, 1.0, 2)
PLY = PlyAnalysis(2, 2, PLAYED.moves[0], (BEST,), PLAYED, 0.696988, Mark.BLUNDER)


def read_documented(heading: str) -> set[str]:
    rows = re.findall(r"^\| (`.*?`) \|", section(PAGE, heading), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def write_document(*plies: PlyAnalysis) -> dict[str, Any]:
    found = json.loads(json.dumps(document(GAME, plies)))
    assert isinstance(found, dict)
    return found


def test_a_ply_is_encoded_with_its_lines() -> None:
    assert write_document(PLY) == {
        "version": VERSION,
        "names": ["ann", "bob"],
        "size": 9,
        "jumps": "official",
        "position": " /  / e1 e9 / 10 10 / 1",
        "accuracy": [None, 1.8],
        "plies": [
            {
                "ply": 2,
                "player": 2,
                "move": "e3h",
                "score": -125,
                "chance": 0.303,
                "wins_in": None,
                "best": [{"moves": ["e8"], "score": 29998, "chance": 1.0, "wins_in": 2}],
                "loss": 0.697,
                "mark": "blunder",
            }
        ],
    }


def test_an_elimination_is_encoded_without_a_score() -> None:
    [ply] = write_document(PlyAnalysis(2, 2, None))["plies"]
    assert ply.pop("best") == []
    assert {name for name, value in ply.items() if value is not None} == {"ply", "player"}


def test_the_fields_are_those_of_the_page() -> None:
    found = write_document(PLY)
    assert read_documented("Document") == found.keys()
    assert read_documented("Ply") == found["plies"][0].keys()
    assert set(re.findall(r'"(\w+)"', section(PAGE, "Ply"))) == set(Mark)
    assert read_documented("Line") == found["plies"][0]["best"][0].keys()


def test_the_example_on_the_page_has_the_same_shape() -> None:
    [example] = map(json.loads, blocks(PAGE, "json"))
    found = write_document(PLY)
    assert example.keys() == found.keys()
    assert example["version"] == VERSION
    assert example["plies"][0].keys() == found["plies"][0].keys()
    assert example["plies"][0]["best"][0].keys() == found["plies"][0]["best"][0].keys()
