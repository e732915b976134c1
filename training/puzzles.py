"""Puzzles for the pages: positions with one winning move, where every other move is proved lost.

Two players race and build walls until few are left, so that the exact solver knows the value of every move.
Twenty puzzles take a few minutes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from attrs import frozen

from quoridor_net.engine import warm_up
from quoridor_net.engine.endgame.exact import Exact
from quoridor_net.engine.limits import Choice
from quoridor_net.moves import Move, Step, Wall
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import Position
from training import options, shipped

#: Board, walls left together, plies to the win, and number of puzzles, from easy to hard.
_STAGES = (
    (5, 1, range(3, 14), 6),
    (5, 2, range(5, 20), 4),
    (7, 1, range(5, 30), 10),
)

#: Of this many walls, a player builds the one that delays the opponent most.
_TRIED_WALLS = 16

#: Minimum number of moves to choose from.
_LEAST_MOVES = 4

_HEAD = """// Puzzles: positions with one winning move, where every other move is proved lost. Each is a
// position line, and the winning move with the longest defence.
// Made by: python -m training puzzles --seed SEED

/** @type {{ position: string, moves: string }[]} */
export const PUZZLES = [
"""


@frozen
class Puzzle:
    """A position with one winning move.

    Attributes:
        position: the position, as a line.
        moves: the winning move and then, up to the end, the longest defence against the fastest win.
    """

    position: str
    moves: tuple[Move, ...]


def find_winning_move(choices: Sequence[Choice]) -> Choice | None:
    """Return the only move that wins if all others are proved lost, otherwise None."""
    first, *others = choices
    if first.wins_in is None or first.wins_in < 0:
        return None
    is_only = all(other.wins_in is not None and other.wins_in < 0 for other in others)
    return first if is_only else None


def find_puzzle(
    source: random.Random, exact: Exact, size: int, walls: int, lengths: range, kind: type[Move]
) -> Puzzle:
    """Return a random puzzle that a move of ``kind`` solves.

    Args:
        source: the chance of the games.
        exact: the solver for boards of ``size``.
        size: squares on a side.
        walls: number of walls that both players together still have.
        lengths: allowed numbers of plies to the end.
        kind: ``Step`` or ``Wall``.
    """
    while True:
        for position in _play_until(source, size, walls):
            choices = exact.choices(position)
            if choices is None or len(choices) < _LEAST_MOVES:
                continue
            winning = find_winning_move(choices)
            if winning is None or winning.wins_in not in lengths or not isinstance(winning.move, kind):
                continue
            assert position.turn is not None
            # A step along the shortest path needs no thought.
            if winning.move == Step(position.shortest_path(position.turn)[1]):
                continue
            return Puzzle(position.to_line(), tuple(_play_out(exact, position)))


def _play_until(source: random.Random, size: int, walls: int) -> Iterator[Position]:
    """Play a game, and give its positions with at most ``walls`` walls left, but at least one."""
    position = Position(size, 2)
    while position.turn is not None:
        left = sum(position.walls_left(player) for player in position.order)
        if left == 0:
            return
        if left <= walls:
            yield position
        position.push(_choose(source, position))


def _choose(source: random.Random, position: Position) -> Move:
    player = position.turn
    assert player is not None
    rival = next(other for other in position.order if other != player)
    fitting = position.legal_walls
    if fitting and source.random() < 0.6:
        tried = source.sample(fitting, min(_TRIED_WALLS, len(fitting)))
        return max(tried, key=lambda wall: _delay(position, wall, player, rival))
    step = Step(position.shortest_path(player)[1])
    steps = position.legal_steps
    if step in steps:
        return step
    return source.choice(steps) if steps else source.choice(fitting)


def _delay(position: Position, wall: Wall, player: int, rival: int) -> int:
    """Return how many steps more ``wall`` costs ``rival`` than ``player``."""
    position.push(wall)
    longer = (position.distance(rival) or 0) - (position.distance(player) or 0)
    position.pop()
    return longer


def _play_out(exact: Exact, position: Position) -> Iterator[Move]:
    """Give the moves to the end: the fastest win against the longest defence."""
    position = position.copy()
    while position.turn is not None:
        choices = exact.choices(position)
        assert choices is not None
        position.push(choices[0].move)
        yield choices[0].move


def format_puzzles(puzzles: Sequence[Puzzle], seed: int) -> str:
    """Return the module of the pages that holds the puzzles."""
    rows = []
    for puzzle in puzzles:
        moves = " ".join(map(format_move, puzzle.moves))
        rows.append(f"  {{ position: {json.dumps(puzzle.position)}, moves: {json.dumps(moves)} }},\n")
    return f"{_HEAD.replace('SEED', str(seed))}{''.join(rows)}];\n"


def find_puzzles(seed: int) -> Iterator[Puzzle]:
    """Find all puzzles, from easy to hard; half of each kind are solved by a wall."""
    for size, walls, lengths, count in _STAGES:
        exact = Exact(size)
        source = random.Random(f"{seed} {size} {walls}")
        found = [
            find_puzzle(source, exact, size, walls, lengths, (Step, Wall)[number % 2])
            for number in range(count)
        ]
        yield from sorted(found, key=lambda puzzle: len(puzzle.moves))


@click.command()
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed; determines the puzzles.")
@options.out(shipped.PUZZLES)
def main(seed: int, out: Path) -> None:
    """Write puzzles with one winning move, proved."""
    warm_up()
    puzzles = []
    for puzzle in find_puzzles(seed):
        puzzles.append(puzzle)
        click.echo(f"\r{len(puzzles)} puzzles", nl=False)
    click.echo()
    out.write_text(format_puzzles(puzzles, seed), "ascii")
