"""The scripts of the pages: their own tests, and a comparison of their rules with the library."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.notation import athens, standard
from quoridor_net.notation.standard import STANDARD
from quoridor_net.rules import Jumps, Move, Orientation, Position, Square, Step, Wall, explain
from quoridor_net.web.texts import texts_of

SCRIPTS = Path(__file__).parent / "js"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="node, which runs the scripts, is not installed")

#: Compared boards, games on each, and maximum plies of each game.
GAMES = [(9, 2, 2), (9, 4, 2), (5, 2, 3), (5, 4, 3), (4, 2, 2), (3, 2, 2), (12, 2, 1)]
PLIES = 60
#: Number of illegal moves of each position whose reasons are compared.
REFUSED = 12


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    assert NODE is not None
    return subprocess.run(
        [NODE, *arguments], input=given, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_scripts_pass_their_own_tests() -> None:
    # In one process: each would take longer to start than its tests.
    scripts = sorted(SCRIPTS.glob("*.test.js"))
    imports = "".join(f"import {json.dumps(script.as_uri())};" for script in scripts)
    done = run("--input-type=module", "--eval", imports)
    assert len(re.findall(r"^# tests [1-9]", done.stdout, re.MULTILINE)) == 1, done.stdout
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_agree_with_the_library() -> None:
    vectors = [json.dumps(vector) for vector in positions(random.Random(19))]
    done = run(str(SCRIPTS / "compare_rules.js"), given="\n".join([json.dumps(texts_of("en")), *vectors]))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == len(vectors) > 500


def positions(chance: random.Random) -> Iterator[dict[str, Any]]:
    for (size, players, games), jumps in product(GAMES, Jumps):
        for _ in range(games):
            position = Position(size, players, walls=max(2, size // players), jumps=jumps)
            for ply in range(PLIES):
                if players == 4 and ply == 25 and position.turn is not None:
                    position.eliminate(position.alive[-1])
                move = choose_move(position, chance)
                yield vector(position, move, chance)
                if move is None:
                    break
                position.push(move)


def choose_move(position: Position, chance: random.Random) -> Move | None:
    """Return a move that brings pawns and walls together, or None when the game is over."""
    if position.turn is None:
        return None
    walls = position.legal_walls
    if walls and chance.random() < 0.4:
        return chance.choice(walls)
    path = position.shortest_path(position.turn)
    step = Step(path[1])
    if step in position.legal_steps and chance.random() < 0.6:
        return step
    return chance.choice(position.legal_moves)


def vector(position: Position, move: Move | None, chance: random.Random) -> dict[str, Any]:
    refused = {tried: position.why_illegal(tried) for tried in attempts(position, chance)}
    return {
        "line": position.to_line(),
        "jumps": str(position.jumps),
        "turn": position.turn or 0,
        "winner": position.winner,
        "legal": sorted(map(str, position.legal_moves)),
        "distances": [position.distance(player) for player in sorted(position.order)],
        "illegal": [
            [str(tried), explain(reason, STANDARD)] for tried, reason in refused.items() if reason is not None
        ],
        "played": None if move is None else play_move(position, move),
    }


def play_move(position: Position, move: Move) -> list[str]:
    after = position.copy()
    after.push(move)
    return [
        str(move),
        standard.format_move(move),
        athens.format_move(move, position.size),
        after.to_line(),
    ]


def attempts(position: Position, chance: random.Random) -> Iterator[Move]:
    def coordinate() -> int:
        return chance.randrange(position.size + 1)

    for _ in range(REFUSED):
        yield Step(Square(coordinate(), coordinate()))
        yield Wall(coordinate(), coordinate(), chance.choice(list(Orientation)))
    pawn = position.pawn(position.turn or position.alive[0])
    assert pawn is not None
    for columns, rows in product(range(-2, 3), repeat=2):
        column, row = pawn.column + columns, pawn.row + rows
        if column >= 0 and row >= 0:
            yield Step(Square(column, row))
