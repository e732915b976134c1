"""The opening book: long searches of the positions that good moves reach from the start.

From each position the command follows the moves that are not much worse than the best, unless a side is
almost won or the best line ends in a repetition. With ``--again`` it also searches the positions of an older
file. It rewrites the file after each position, so it can be stopped at any time. Searches limited by time
differ slightly from run to run; with ``--nodes`` every run finds the same moves.
"""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import click

from quoridor_net.engine import Analysis, Engine, Limits
from quoridor_net.engine.book import MOST_WALLS, book_key, format_entry
from quoridor_net.rules import Position
from training import options
from training.shipped import BOOK

#: A position with a larger score for either side, in hundredths of a step, is not part of the book.
_MOST_WORTH = 300
#: A line of at most this length ends in a repetition, which a book cannot judge because it has no history.
_SHORT_LINE = 8

_engines: list[Engine] = []


def search(asked: tuple[str, Limits, int]) -> Analysis:
    """Search the position of a line, with its limits and number of moves, in a worker process."""
    line, limits, top = asked
    if not _engines:
        _engines.append(Engine(table_mb=256, uses_book=False))
    _engines[0].clear()
    return _engines[0].play(Position.from_line(line), limits, multipv=top)


def read_positions(_context: click.Context, _parameter: click.Parameter, file: Path | None) -> list[str]:
    """Read the positions of an older book."""
    if file is None:
        return []
    try:
        lines = [line.partition(";")[0] for line in file.read_text("ascii").splitlines()]
        keys = [book_key(Position.from_line(line))[0] for line in lines]
    except ValueError as error:
        raise click.BadParameter(f"{file} is not an opening book: {error}") from None
    return keys


@click.command()
@click.option("--plies", default=8, help="Maximum distance from the start, in plies.")
@click.option("--seconds", default=2.0, help="Search time per position, in seconds.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes per position, instead of --seconds.")
@click.option("--replies", default=3, help="Maximum number of moves to follow per position.")
@click.option("--margin", default=40, help="Maximum loss of a followed move, in hundredths of a step.")
@click.option("--processes", default=1, help="Number of worker processes.")
@options.out(BOOK)
@click.option("--again", type=options.EXISTING, callback=read_positions, help="Older book to search too.")
def main(
    plies: int,
    seconds: float,
    nodes: int | None,
    replies: int,
    margin: int,
    processes: int,
    out: Path,
    again: list[str],
) -> None:
    """Search opening positions and write their best moves."""
    limits = Limits(time=seconds) if nodes is None else Limits(nodes=nodes)
    done: dict[str, str] = {}
    level = list(dict.fromkeys([book_key(Position())[0], *again]))
    with get_context("spawn").Pool(processes) as pool:
        for ply in range(plies + 1):
            after: dict[str, None] = {}
            asked = [(line, limits, replies) for line in level]
            for line, found in zip(level, pool.imap(search, asked), strict=True):
                if abs(found.score) >= _MOST_WORTH or found.depth <= _SHORT_LINE:
                    continue
                position = Position.from_line(line)
                done[line] = format_entry(position, found.choices[0], found.depth)
                for choice in found.choices:
                    if choice.score >= found.score - margin:
                        child = position.copy()
                        child.push(choice.move)
                        if child.turn is not None and len(child.walls) <= MOST_WALLS:
                            after[book_key(child)[0]] = None
                out.write_text("".join(f"{done[key]}\n" for key in sorted(done)), "ascii")
            click.echo(f"ply {ply}: {len(level)} positions, {len(done)} in all")
            level = [line for line in after if line not in done]
