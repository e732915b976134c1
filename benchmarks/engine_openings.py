"""Find out which moves to play in the opening, by long searches from the start.

    python -m benchmarks.engine_openings quoridor_net/engine/openings.txt --plies 10 --seconds 2

From each position the best moves are looked for, and those not much worse than the best are followed. With
``--again`` the positions of an older file are searched too, whether or not they are still met with. The
file is written anew after each position, so it may be stopped at any time. Searches are limited by time and
so differ a little from run to run.
"""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import click

from quoridor_net.engine import Analysis, Limits, Searcher
from quoridor_net.engine.openings import MOST_WALLS, key_of, written
from quoridor_net.rules import Position

_searchers: list[Searcher] = []


def search(asked: tuple[str, float, int]) -> Analysis:
    """Search the position of the line ``asked`` in a process of its own."""
    line, seconds, top = asked
    if not _searchers:
        _searchers.append(Searcher(9, 2, 256, uses_openings=False))
    _searchers[0].clear()
    return _searchers[0].choose(Position.from_line(line), Limits(time=seconds), multipv=top)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--plies", default=8, help="How far the positions lie from the start at most.")
@click.option("--seconds", default=2.0, help="Time for each position.")
@click.option("--replies", default=3, help="Moves that are followed at most.")
@click.option("--margin", default=40, help="How much worse they may be, in hundredths of a step.")
@click.option("--processes", default=1)
@click.option(
    "--again", type=click.Path(exists=True, path_type=Path), help="Search the positions of this file too."
)
def main(
    file: Path, plies: int, seconds: float, replies: int, margin: int, processes: int, again: Path | None
) -> None:
    """Search positions and write their best moves to FILE."""
    done: dict[str, str] = {}
    older = again.read_text("ascii").splitlines() if again else []
    level = list(dict.fromkeys([key_of(Position())[0], *(line.split(";")[0] for line in older)]))
    with get_context("spawn").Pool(processes) as pool:
        for ply in range(plies + 1):
            after: dict[str, None] = {}
            asked = [(line, seconds, replies) for line in level]
            for line, found in zip(level, pool.imap(search, asked), strict=True):
                position = Position.from_line(line)
                done[line] = written(position, found.choices[0], found.depth)
                for choice in found.choices:
                    if choice.score >= found.score - margin:
                        child = position.copy()
                        child.push(choice.move)
                        if child.turn is not None and len(child.walls) <= MOST_WALLS:
                            after[key_of(child)[0]] = None
                file.write_text("".join(f"{done[key]}\n" for key in sorted(done)), "ascii")
            click.echo(f"ply {ply}: {len(level)} positions, {len(done)} in all")
            level = [line for line in after if line not in done]


if __name__ == "__main__":
    main()
