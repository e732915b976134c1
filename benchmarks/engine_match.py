"""Play a match between two versions of the engine, and print Elo and SPRT.

    python -m benchmarks.engine_match --first DIR --second DIR [--first-weights k=v,...]
        [--first-limits threads=2,...] [--nodes N]

A version is a directory with a ``quoridor_net`` package (this one by default), changes of its weights, and
limits. Every opening is played twice, with sides exchanged. Each side thinks in a separate process, one at a
time. The seed determines the openings. This version of the engine scores them about even, because from other
openings the same colour often wins both games.
"""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, cast

import click

from quoridor_net.engine import Engine, Limits
from quoridor_net.notation.standard import format_move, parse_move
from quoridor_net.rules import Position
from training.openings import find_balanced_opening
from training.options import parse_weights

HERE = Path(__file__).resolve()
WORKER = """
import json, sys
from quoridor_net import engine
from quoridor_net.engine import Limits, warm_up
from quoridor_net.notation.standard import format_move, parse_move
try:
    from quoridor_net.rules.position_line import parse_position
except ImportError:  # a version without that module
    from quoridor_net.rules import Position
    parse_position = Position.from_line
warm_up()
order = json.loads(sys.stdin.readline())
if hasattr(engine, "Searcher"):  # an older version
    searcher = engine.Searcher(order["size"], order["players"], 128, weights=order["weights"])
    play = searcher.choose
else:
    searcher = engine.Engine(table_mb=128, weights=order["weights"])
    searcher.prepare(order["size"], order["players"])
    play = searcher.play
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("new"):
        searcher.clear()
        position = parse_position(asked["start"])
    for move in asked["moves"][position.ply:]:
        position.push(parse_move(move, position.size))
    limits = asked["limits"]
    if "time" in limits and not hasattr(Limits(), "time"):
        limits = {"move_time": limits["time"]}
    found = play(position, Limits(**limits))
    print(format_move(found.move), found.score, found.depth, found.nodes, flush=True)
"""

#: Minimum number of pairs before the SPRT decides, because the variance is unknown before.
LEAST_PAIRS = 10


class Contender:
    """A version of the engine in a separate process."""

    def __init__(self, directory: Path, weights: dict[str, int], limits: dict[str, float], size: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._directory = directory
        self._limits = limits
        self._say({"size": size, "players": 2, "weights": weights})
        self.slowest = 0.0
        self.depths: list[int] = []

    def _say(self, what: object) -> None:
        pipe = cast("IO[str]", self._process.stdin)
        # move reports a process that has ended.
        with suppress(BrokenPipeError):
            pipe.write(json.dumps(what) + "\n")
            pipe.flush()

    def move(self, start: str, moves: list[str], is_new: bool) -> str:
        """Return the move of this side after ``moves`` from ``start``.

        Raises:
            click.ClickException: the process has ended.
        """
        begun = time.perf_counter()
        self._say({"start": start, "moves": moves, "limits": self._limits, "new": is_new})
        answer = cast("IO[str]", self._process.stdout).readline().split()
        if not answer:
            errors = cast("IO[str]", self._process.stderr).read().splitlines()
            raise click.ClickException(
                f"the engine in {self._directory} ended: {(errors or ['no message'])[-1]}"
            )
        if not is_new:
            self.slowest = max(self.slowest, time.perf_counter() - begun)
        self.depths.append(int(answer[2]))
        return answer[0]

    def close(self) -> None:
        """End the process."""
        with suppress(BrokenPipeError):
            cast("IO[str]", self._process.stdin).close()
        self._process.wait()


def play(
    first: Contender, second: Contender, start: Position, ply_limit: int = 300
) -> tuple[int | None, int]:
    """Play one game; return the number of the winner (None without one) and the number of plies."""
    position = Position.from_line(start.to_line())
    line = position.to_line()
    moves: list[str] = []
    while position.turn is not None and len(moves) < ply_limit:
        side = first if position.turn == 1 else second
        answer = side.move(line, moves, len(moves) < 2)
        position.push(parse_move(answer, position.size))
        moves.append(format_move(parse_move(answer, position.size)))
    return position.winner, len(moves)


def elo(score: float) -> float:
    """Return the Elo difference for ``score``, from 0 to 1."""
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def summary(pairs: list[float], low: float, high: float) -> tuple[str, float]:
    """Return a summary of the pair scores (0 to 2 points each), and the log-likelihood ratio."""
    count = len(pairs)
    mean = sum(pairs) / count / 2
    variance = sum((pair / 2 - mean) ** 2 for pair in pairs) / count
    variance = max(variance, 0.02)
    error = 1.96 * math.sqrt(variance / count)
    worse, better = (1 / (1 + 10 ** (-value / 400)) for value in (low, high))
    ratio = (better - worse) * (2 * mean - worse - better) / (2 * variance / count)
    interval = f"[{elo(mean - error):+.0f}, {elo(mean + error):+.0f}]"
    both, neither = pairs.count(2.0), pairs.count(0.0)
    line = f"games {2 * count}  score {mean:.3f}  Elo {elo(mean):+.0f} {interval}  LLR {ratio:+.2f}"
    return f"{line}  pairs +{both} ={count - both - neither} -{neither}", ratio


def decision(pairs: list[float], ratio: float) -> str:
    """Return the decision of the SPRT: ``accepted``, ``rejected``, or empty while it is open."""
    if len(pairs) < LEAST_PAIRS or abs(ratio) <= math.log(19):
        return ""
    return "accepted" if ratio > 0 else "rejected"


def _parse_limits(_context: click.Context, _parameter: click.Parameter, text: str) -> dict[str, float]:
    """Parse limits such as ``threads=2,time=0.1``."""
    found: dict[str, Any] = {}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        try:
            found[name] = float(value) if name == "time" else int(value)
            Limits(**{name: found[name]})
        except (TypeError, ValueError):
            raise click.BadParameter(
                f"{item} is not a limit such as time=0.1, nodes=500 or threads=2"
            ) from None
    return found


_DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.option("--first", type=_DIRECTORY, default=HERE.parent.parent, help="Directory of the tested version.")
@click.option(
    "--second", type=_DIRECTORY, default=HERE.parent.parent, help="Directory of the reference version."
)
@click.option("--first-weights", callback=parse_weights, default="", help="Its weights: name=value,...")
@click.option("--second-weights", callback=parse_weights, default="", help="Its weights: name=value,...")
@click.option("--first-limits", callback=_parse_limits, default="", help="Its limits: name=value,...")
@click.option("--second-limits", callback=_parse_limits, default="", help="Its limits: name=value,...")
@click.option("--nodes", type=click.IntRange(min=1), help="Nodes per move [default: 20,000].")
@click.option("--move-time", type=click.FloatRange(min=0.0), help="Time limit per move, in seconds.")
@click.option("--pairs", type=click.IntRange(min=1), default=200, help="Maximum number of openings.")
@click.option("--size", default=9, help="Size of the board.")
@click.option("--walls", type=int, help="Walls per player [default: the usual number for the size].")
@click.option("--seed", default=1, help="Random seed of the openings.")
@click.option("--elo0", default=0.0, help="SPRT: Elo of the null hypothesis (change rejected).")
@click.option("--elo1", default=20.0, help="SPRT: Elo of the alternative hypothesis (change accepted).")
@click.option("--quiet", is_flag=True, help="Print the result only.")
def main(
    first: Path, second: Path, first_weights: dict[str, int], second_weights: dict[str, int],
    first_limits: dict[str, float], second_limits: dict[str, float],
    nodes: int | None, move_time: float | None,
    pairs: int, size: int, walls: int | None, seed: int, elo0: float, elo1: float, quiet: bool,
) -> None:  # fmt: skip
    """Play pairs of games until the SPRT (5 % errors) decides, or --pairs is reached."""
    limits: dict[str, float] = {"nodes": nodes or 20000} if move_time is None else {"time": move_time}
    sides = [
        Contender(first, first_weights, limits | first_limits, size),
        Contender(second, second_weights, limits | second_limits, size),
    ]
    source = random.Random(seed)
    # PVS, because the averages of a best-first search are too close to zero to show an advantage.
    judge = Engine(table_mb=32, weights={"tree": 0})
    scores: list[float] = []
    plies = 0
    line = ""
    for number in range(pairs):
        start = find_balanced_opening(source, size, walls, judge)
        points = 0.0
        for swapped in (False, True):
            white, black = reversed(sides) if swapped else sides
            winner, length = play(white, black, start)
            plies += length
            points += 0.5 if winner is None else float((winner == 1) != swapped)
        scores.append(points)
        line, ratio = summary(scores, elo0, elo1)
        if not quiet and number % 10 == 9:
            click.echo(line)
        if decided := decision(scores, ratio):
            line += f"  {decided}"
            break
    depths = [sum(side.depths) / len(side.depths) for side in sides]
    slow = max(side.slowest for side in sides)
    click.echo(line)
    click.echo(
        f"plies per game {plies / 2 / len(scores):.0f}, mean depth {depths[0]:.1f} and {depths[1]:.1f},"
        f" slowest move {slow:.3f} s"
    )
    for side in sides:
        side.close()


if __name__ == "__main__":
    main()
