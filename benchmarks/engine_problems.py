"""Make problems with proven solutions: positions on small boards in which few moves win.

    python -m benchmarks.engine_problems tests/data/engine_problems.json

Positions come from random games and are solved exactly. A position is kept if at least one move and at most a
fifth of all moves win, and the win takes more than one move. The same seed gives the same problems.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import click

from quoridor_net.engine.endgame.exact import Exact
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import Jumps, Position

#: Size, walls per player, jump rule, and number of problems.
KINDS = [
    (3, 1, Jumps.OFFICIAL, 5),
    (3, 2, Jumps.OFFICIAL, 6),
    (4, 0, Jumps.OFFICIAL, 3),
    (4, 1, Jumps.OFFICIAL, 8),
    (4, 1, Jumps.CLASSROOM, 4),
    (5, 0, Jumps.OFFICIAL, 4),
    (5, 1, Jumps.OFFICIAL, 14),
    (5, 1, Jumps.CLASSROOM, 4),
]


def problems(size: int, walls: int, jumps: Jumps, count: int, seed: int) -> list[dict[str, object]]:
    """Find ``count`` problems of one kind."""
    source = random.Random(f"{seed} {size} {walls} {jumps}")
    exact = Exact(size)
    found: dict[str, dict[str, object]] = {}
    while len(found) < count:
        position = Position(size, 2, walls, jumps)
        for _ in range(source.randrange(2, 14)):
            if position.turn is not None:
                position.push(source.choice(position.legal_moves))
        if position.turn is None:
            continue
        choices = exact.choices(position) or []
        wins = [choice for choice in choices if choice.score > 0]
        if wins and len(wins) <= max(len(choices) // 5, 1) < len(choices) and (wins[0].wins_in or 0) > 1:
            line = position.to_line()
            found[line] = {
                "position": line,
                "jumps": str(jumps),
                "wins": sorted(format_move(choice.move) for choice in wins),
                "plies": wins[0].wins_in,
            }
    return list(found.values())


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seed", default=1, show_default=True, help="Random seed.")
def main(file: Path, seed: int) -> None:
    """Write the problems to FILE."""
    lines = [json.dumps(problem) for kind in KINDS for problem in problems(*kind, seed)]
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    click.echo(f"{len(lines)} problems")


if __name__ == "__main__":
    main()
