"""Measure how often short and long searches of the engine disagree.

    python -m benchmarks.engine_blind_spots mine --games 100
    python -m benchmarks.engine_blind_spots measure --nodes 3000,10000,30000,100000

``mine`` plays games of the engine against itself and searches random undecided positions of them for a long
time. A position counts as undecided unless the short and the long search give the same side a winning chance
of over 90 %, so a position that one of them misjudges stays in. Positions in which they agree stay in, too,
because any change would look good on disagreements alone. The games are the same for the same seed, and an
interrupted run continues after its last complete game.

Even games are for tuning; odd ones are held out for a final measurement. ``measure`` compares short searches
with the recorded answers. Limits are in nodes, so results are repeatable.
"""

from __future__ import annotations

import csv
import random
import time
from collections.abc import Iterator
from pathlib import Path

import click
from attrs import frozen

from benchmarks.table import print_table
from quoridor_net.analysis.chances import chance_of
from quoridor_net.engine import Engine, Limits, warm_up
from quoridor_net.engine.limits import Analysis
from quoridor_net.notation.standard import format_move, parse_move
from quoridor_net.rules import Position
from training.openings import opening
from training.options import parse_known_weights, seed

SHIPPED = Path(__file__).with_name("engine_blind_spots.csv")

#: Positions that showed the problem: moves from the start, and move and winning chance by analyses of many
#: seconds.
NAMED = (
    ("d1 e8 g6v e1v d2 e7 d6h f7 f6h a8h d3 c8h e3 f8 e4 e8 c7v g4v", "f2h", 0.27),
    (
        (
            "e2 d9 g1h d8 e3 d3h f3 f3h c2h d7 a2h e2v c3v f2v f2 e7 f1 e6 e6v e7 g1 e8 h1 f8 i1 f8h i2 h8h"
            " i3 f4v h2h e8v"
        ),
        "f7h",
        0.98,
    ),
)
#: Number of the game that the named positions count as.
NAMED_GAME = 0
#: Nodes per move of the games, and of the search that only decides whether a position is undecided.
PLAYED_NODES, SHORT_NODES = 10_000, 30_000
#: Positions to look at in each game.
POSITIONS_A_GAME = 4
#: A side with a larger chance has as good as won.
DECIDED = 0.9
#: A difference of chances that counts as a misjudgement.
MISJUDGED = 0.2
HALVES = ("tuning", "held-out")
FIELDS = ("half", "game", "position", "move", "chance")
#: Enough for long searches without pruning of the tree.
_TABLE_MB = 256


@frozen
class Spot:
    """A position with the answer of the long search.

    Attributes:
        half: ``tuning``, ``held-out`` or ``named``.
        game: number of the game.
        position: the position, as a line.
        move: the move of the long search, in standard notation.
        chance: winning chance of the player to move by that search, 0 to 1.
    """

    half: str
    game: int
    position: str
    move: str
    chance: float

    def format_row(self) -> tuple[object, ...]:
        """Return the fields of a row of the file."""
        return (self.half, self.game, self.position, self.move, f"{self.chance:.3f}")


@frozen
class Finding:
    """A short search compared with the long one.

    Attributes:
        is_other_move: whether its move differs from that of the long search.
        is_misjudged: whether its winning chance differs by more than ``MISJUDGED``.
        seconds: processor time of the search.
    """

    is_other_move: bool
    is_misjudged: bool
    seconds: float


def read_spots(file: Path) -> list[Spot]:
    """Read the positions of a file; there are none if it does not exist."""
    if not file.exists():
        return []
    with file.open(encoding="ascii", newline="") as lines:
        rows = csv.DictReader(lines, strict=True)
        return [
            Spot(row["half"], int(row["game"]), row["position"], row["move"], float(row["chance"]))
            for row in rows
        ]


def write_spots(file: Path, spots: list[Spot]) -> None:
    """Append ``spots`` to a file, which gets its heading if it is new."""
    is_new = not file.exists()
    # All rows of a game at once: an interruption leaves whole games.
    with file.open("a", encoding="ascii", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        if is_new:
            writer.writerow(FIELDS)
        writer.writerows(spot.format_row() for spot in spots)


def search(engine: Engine, position: Position, nodes: int) -> tuple[Analysis, float]:
    """Search ``position`` from nothing; return the result and the winning chance of the player to move."""
    engine.clear()
    found = engine.play(position, Limits(nodes=nodes))
    return found, chance_of(found.score, position)


def is_decided(short: float, long: float) -> bool:
    """Return whether a short and a long search give the same side a chance beyond ``DECIDED``."""
    return min(short, long) > DECIDED or max(short, long) < 1 - DECIDED


def play_game(engine: Engine, source: random.Random, size: int) -> list[Position]:
    """Play a game from a random opening; return the positions before each move."""
    position = opening(source, size, None)
    engine.clear()
    positions = []
    while position.turn is not None and position.ply < 300:
        positions.append(position.copy())
        position.push(engine.play(position, Limits(nodes=PLAYED_NODES)).move)
    return positions


def mine_game(engine: Engine, game: int, seed: int, nodes: int, size: int) -> list[Spot]:
    """Return the undecided positions among some random ones of a game."""
    source = random.Random(f"{seed} {game}")
    positions = play_game(engine, source, size)
    chosen = sorted(source.sample(range(len(positions)), min(POSITIONS_A_GAME, len(positions))))
    spots = []
    for index in chosen:
        position = positions[index]
        _, short = search(engine, position, SHORT_NODES)
        found, chance = search(engine, position, nodes)
        if not is_decided(short, chance):
            line, move = position.to_line(), format_move(found.move)
            spots.append(Spot(HALVES[game % 2], game, line, move, round(chance, 3)))
    return spots


def name_spots() -> list[Spot]:
    """Return the named positions."""
    spots = []
    for moves, move, chance in NAMED:
        position = Position()
        for each in moves.split():
            position.push(parse_move(each))
        spots.append(Spot("named", NAMED_GAME, position.to_line(), move, chance))
    return spots


def measure(engine: Engine, spots: list[Spot], nodes: int) -> Iterator[Finding]:
    """Compare a search of ``nodes`` with the long search, in each position."""
    for spot in spots:
        position = Position.from_line(spot.position)
        begun = time.process_time()
        found, chance = search(engine, position, nodes)
        seconds = time.process_time() - begun
        is_misjudged = abs(chance - spot.chance) > MISJUDGED
        yield Finding(format_move(found.move) != spot.move, is_misjudged, seconds)


def _parse_nodes(_context: click.Context, _parameter: click.Parameter, text: str) -> list[int]:
    """Parse node limits such as ``3000,10000``."""
    try:
        limits = [int(number) for number in text.split(",")]
    except ValueError:
        limits = [0]
    if min(limits) < 1:
        raise click.BadParameter(f"{text} is not a list of node limits such as 3000,10000")
    return limits


_FILE = click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=SHIPPED,
    help="File of the positions, instead of the shipped one.",
)


@click.group()
def main() -> None:
    """Mine positions, or measure searches with them."""


@main.command("mine")
@_FILE
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="Number of games.")
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=500_000,
    show_default=True,
    help="Nodes of the long search.",
)
@click.option("--size", type=click.IntRange(3, 11), default=9, show_default=True, help="Size of the board.")
@seed
def mine_command(file: Path, games: int, nodes: int, size: int, seed: int) -> None:
    """Append undecided positions with the answers of a long search, game by game."""
    warm_up()
    engine = Engine(table_mb=_TABLE_MB)
    mined = read_spots(file)
    if not mined:
        mined = name_spots() if size == 9 else []
        write_spots(file, mined)
    last = max((spot.game for spot in mined), default=NAMED_GAME)
    known = {spot.position for spot in mined}
    for game in range(last + 1, games + 1):
        # Games repeat positions, and short openings occur in several games.
        found = {spot.position: spot for spot in mine_game(engine, game, seed, nodes, size)}
        spots = [spot for line, spot in found.items() if line not in known]
        known.update(found)
        write_spots(file, spots)
        mined += spots
        click.echo(f"game {game}: {len(spots)} positions, {len(mined)} in all")


@main.command("measure")
@_FILE
@click.option(
    "--nodes",
    callback=_parse_nodes,
    default="3000,10000,30000,100000",
    show_default=True,
    help="Nodes of the short searches.",
)
@click.option(
    "--weights", "changes", callback=parse_known_weights, default="", help="Weights: name=value,..."
)
def measure_command(file: Path, nodes: list[int], changes: dict[str, int]) -> None:
    """Print how often short searches choose another move, or misjudge the winning chance."""
    warm_up()
    engine = Engine(table_mb=_TABLE_MB, weights=changes)
    spots = read_spots(file)
    if not spots:
        raise click.ClickException(f"{file} has no positions. Run the command mine first.")
    rows = []
    for half in dict.fromkeys(spot.half for spot in spots):
        asked = [spot for spot in spots if spot.half == half]
        for limit in nodes:
            found = list(measure(engine, asked, limit))
            others = sum(each.is_other_move for each in found)
            misjudged = sum(each.is_misjudged for each in found)
            seconds = sum(each.seconds for each in found) / len(found)
            shares = (f"{others / len(found):.1%}", f"{misjudged / len(found):.1%}")
            rows.append([half, f"{limit:,}", f"{seconds:.3f}", str(len(found)), *shares])
    heads = ["half", "nodes", "seconds", "positions", "other move", "chance off by over 20 %"]
    print_table("Short searches against a long one", heads, rows)


if __name__ == "__main__":
    main()
