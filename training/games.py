"""The engine plays itself, and every position is kept to train from.

Two players, 9x9. Games begin with random openings and now and then take a random turn, so that odd positions
are seen too; the first moves after the opening are drawn by how often the engine looked at them. Each
position is kept with the moves the engine looked at and how often, its score, and who won in the end; a game
ends when its winner is certain. Results are what is short, so most positions are thought about only briefly:
games go faster, and from those positions only the value learns.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from zipfile import BadZipFile

import click
import numpy as np
from numpy.typing import NDArray

from quoridor_net.engine import Analysis, Limits, Searcher, scores
from quoridor_net.engine.board.convert import load_position, new_state, number_of, words_of
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.state import State
from quoridor_net.engine.evaluation.linear import measure
from quoridor_net.engine.evaluation.weights import TERM_COUNT
from quoridor_net.rules import Move, Position, Step, Wall
from training.openings import opening
from training.options import in_a_folder, known_weights

#: So many moves of each position are kept; fewer are filled up with -1.
MOVES = 12
MOST_WALLS = 20
#: What a line of the file holds. Bitboards are two words each, pawns and walls by seat, walls on the
#: board their numbers as moves, filled up with -1, corridors the walls that cut one and that cut all paths.
COLUMNS = {
    "game": 1,
    "turn": 1,
    "pawns": 2,
    "left": 2,
    "distances": 2,
    "walls": MOST_WALLS,
    "steps": 2,
    "terms": TERM_COUNT,
    "corridors": 2 * 8,
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


def lines_of(files: Sequence[Path]) -> Iterator[NDArray[np.int64]]:
    """Yield the lines of each file; no two files have games of the same number.

    Raises:
        click.ClickException: a file is none that this command has made.
    """
    for number, file in enumerate(files):
        try:
            with file.open("rb") as opened:
                lines = np.load(opened)["lines"]
        except (OSError, EOFError, ValueError, LookupError, BadZipFile):
            lines = np.zeros((0, 0))
        if lines.ndim != 2 or lines.shape[1] != sum(COLUMNS.values()) or not len(lines):
            raise click.ClickException(f"there are no games in {file}; python -m training games makes some")
        lines[:, 0] += number * 1_000_000
        yield lines


def held_out(game: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which positions are not trained from but judged by, given the numbers of their games.

    Raises:
        click.ClickException: all are, or none is.
    """
    held: NDArray[np.bool_] = game % 10 == 0
    if held.all() or not held.any():
        raise click.ClickException("one game in ten is held out, and the rest are too few; play more games")
    return held


def columns(lines: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """Return the columns of the lines of a file by their names."""
    widths = list(COLUMNS.values())
    parts = np.split(lines, np.cumsum(widths)[:-1], axis=1)
    return dict(zip(COLUMNS, parts, strict=True))


def line_of(state: State, position: Position) -> list[int]:
    """Return what is known of ``position`` before it is searched: the columns from turn to corridors."""
    load_position(state, position)
    flood_all(state, 0)
    measure(state, 0)
    frame = state.frames[0]
    walls = [number_of(wall, position.size) for wall in position.walls]
    steps = words_of(number_of(step, position.size) for step in position.legal_steps)
    found = [frame.turn, *frame.pawns[:2], *frame.walls_left[:2], *frame.distances[:2]]
    found += [*walls, *([-1] * (MOST_WALLS - len(walls))), *steps, *state.terms]
    for seat in range(2):
        corridor = state.corridors[0, seat]
        found += [*corridor.cuts.reshape(-1), *corridor.chokes.reshape(-1)]
    return [int(number) for number in found]


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
    visits = [0 if is_brief or choice.score < -scores.DECIDED else choice.visits for choice in choices]
    return [*moves, *empty, *visits, *([0] * len(empty))]


def play(searcher: Searcher, source: random.Random, nodes: int, brief: float, odd: float) -> list[list[int]]:
    """Return the lines of all positions of a game, without its number; of a game nobody won, none."""
    position = opening(source, 9, None if source.random() < 0.8 else source.randrange(3, 10))
    state = new_state(9, 2)
    searcher.clear()
    seen: list[list[int]] = []
    winner = None
    while position.turn is not None and position.ply < PLY_LIMIT:
        turn = position.turn
        allowed = source.randrange(nodes // 2, nodes * 3 // 2)
        is_brief = source.random() < brief
        limits = Limits(nodes=max(2, allowed // BRIEFLY) if is_brief else allowed)
        found = searcher.choose(position, limits, MOVES)
        if abs(found.score) > scores.DECIDED or not found.choices[0].visits:
            winner = turn if found.score > 0 else 3 - turn
            break
        seen.append([*line_of(state, position), *looked_at(found, is_brief), found.score, found.depth])
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
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), callback=in_a_folder)
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
    """Play games of the engine against itself and store their positions in FILE."""
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
