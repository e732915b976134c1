"""Let the engine play itself and keep every position, to learn from.

    python -m benchmarks.engine_positions games.npz --games 2000 --seed 1

Two players, 9x9. Games begin with random openings and now and then take a random turn, so that odd positions
are seen too; the first moves after the opening are drawn by how often the engine looked at them. Each
position is kept with the moves the engine looked at and how often, its score, and who won in the end; a game
ends when its winner is certain. Results are what is short, so most positions are thought about only briefly:
games go faster, and from those positions only the value learns.
"""

from __future__ import annotations

import random
from pathlib import Path

import click
import numpy as np

from benchmarks.engine_match import known_weights, opening
from quoridor_net.engine import Analysis, Limits, Searcher, layout
from quoridor_net.engine.evaluation import measure
from quoridor_net.engine.floods import corridor_at, flood_all
from quoridor_net.engine.memory import load, new_memory, number_of, split
from quoridor_net.engine.sets import steps
from quoridor_net.engine.weights import TERM_COUNT
from quoridor_net.engine.words import Words
from quoridor_net.rules import Move, Position, Step, Wall

#: So many moves of each position are kept; fewer are filled up with -1.
MOVES = 12
#: What a line of the file holds. Sets are two words as in the kernel's memory, pawns and walls by seat.
COLUMNS = {
    "game": 1,
    "turn": 1,
    "pawns": 2,
    "left": 2,
    "distances": 2,
    "horizontal": 2,
    "vertical": 2,
    "steps": 2,
    "terms": TERM_COUNT,
    "corridors": 2 * layout.NARROW,
    "moves": MOVES,
    "visits": MOVES,
    "score": 1,
    "depth": 1,
    "won": 1,
}
PLY_LIMIT = 200
SHARE = click.FloatRange(0, 1)
#: So many moves of a game are drawn.
DRAWN = 8
#: A brief thought has one of so many nodes.
BRIEFLY = 4


def line_of(memory: Words, position: Position) -> list[int]:
    """Return what is known of ``position`` before it is searched: the columns from turn to corridors."""
    load(memory, position)
    flood_all(memory, 0)
    row = layout.ROWS
    measure(memory, 0)
    terms = [int(term) for term in memory[layout.TERMS : layout.TERMS + TERM_COUNT]]
    walls = [number_of(wall, position.size) for wall in position.walls]
    across = split(wall - layout.HORIZONTAL for wall in walls if wall < layout.VERTICAL)
    along = split(wall - layout.VERTICAL for wall in walls if wall >= layout.VERTICAL)
    numbers = [memory[row + layout.TURN]]
    for place in (layout.PAWN, layout.LEFT, layout.DISTANCE):
        numbers += [memory[row + place], memory[row + place + 1]]
    corridors = [memory[corridor_at(0, seat) + index] for seat in range(2) for index in range(layout.NARROW)]
    found = [*numbers, *across, *along, *steps(memory, row), *terms]
    return [int(number) for number in found + corridors]


def odd_move(source: random.Random, position: Position) -> Move:
    """Return a random step, or a random wall near a pawn."""
    pawns = [pawn for pawn in map(position.pawn, position.alive) if pawn is not None]
    moves = [
        move
        for move in position.legal_moves
        if isinstance(move, Step)
        or any(abs(pawn.column - move.column) <= 2 and abs(pawn.row - move.row) <= 2 for pawn in pawns)
    ]
    walls = [move for move in moves if isinstance(move, Wall)]
    if walls and source.random() < 0.6:
        return source.choice(walls)
    return source.choice([move for move in moves if isinstance(move, Step)] or moves)


def looked_at(found: Analysis, is_brief: bool) -> list[int]:
    """Return the numbers of the moves that were looked at, and how often each was.

    What turned out to lose counts as not looked at, and so does everything after a brief thought.
    """
    choices = found.choices
    empty = [-1] * (MOVES - len(choices))
    moves = [number_of(choice.move, 9) for choice in choices]
    visits = [0 if is_brief or choice.score < -layout.DECIDED else choice.visits for choice in choices]
    return [*moves, *empty, *visits, *([0] * len(empty))]


def play(searcher: Searcher, source: random.Random, nodes: int, brief: float, odd: float) -> list[list[int]]:
    """Return the lines of all positions of a game, without its number; of a game nobody won, none."""
    position = opening(source, 9, None if source.random() < 0.8 else source.randrange(3, 10))
    memory = new_memory(9, 2)
    searcher.clear()
    seen: list[list[int]] = []
    winner = None
    while position.turn is not None and position.ply < PLY_LIMIT:
        turn = position.turn
        allowed = source.randrange(nodes // 2, nodes * 3 // 2)
        is_brief = source.random() < brief
        limits = Limits(nodes=max(2, allowed // BRIEFLY) if is_brief else allowed)
        found = searcher.choose(position, limits, MOVES)
        if abs(found.score) > layout.DECIDED or not found.choices[0].visits:
            winner = turn if found.score > 0 else 3 - turn
            break
        seen.append([*line_of(memory, position), *looked_at(found, is_brief), found.score, found.depth])
        move = found.move
        if source.random() < odd:
            move = odd_move(source, position)
        elif len(seen) <= DRAWN:
            visits = [choice.visits for choice in found.choices]
            move = source.choices(found.choices, visits)[0].move
        position.push(move)
    winner = winner or position.winner
    return [] if winner is None else [[*line, int(line[0] == winner - 1)] for line in seen]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--games", type=click.IntRange(min=1), default=1000)
@click.option("--nodes", type=click.IntRange(min=2), default=800)
@click.option(
    "--brief", type=SHARE, default=0.6, help="Share of positions thought about with a quarter of the nodes."
)
@click.option("--odd", type=SHARE, default=0.04, help="Share of moves chosen at random.")
@click.option("--seed", default=1)
@click.option("--weights", callback=known_weights, default="", help="Of the engine, name=value,...")
def main(
    file: Path, games: int, nodes: int, brief: float, odd: float, seed: int, weights: dict[str, int]
) -> None:
    """Play games and store their positions in FILE."""
    if not file.parent.is_dir():
        raise click.BadParameter(f"there is no folder {file.parent}")
    source = random.Random(seed)
    searcher = Searcher(9, 2, 32, weights=weights)
    lines: list[list[int]] = []
    stored = 0
    for game in range(games):
        lines += [[game, *line] for line in play(searcher, source, nodes, brief, odd)]
        played = game + 1
        # The more there is, the longer storing it takes.
        if played >= stored + max(100, stored // 20) or played == games:
            # Under another name first: whoever stops the program while it writes keeps what was there.
            passing = file.with_name(f"{file.stem}-new.npz")
            np.savez_compressed(passing, lines=np.array(lines, dtype=np.int64))
            passing.replace(file)
            stored = played
            click.echo(f"{played} games, {len(lines)} positions")


if __name__ == "__main__":
    main()
