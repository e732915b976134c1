"""Play fast games of all kinds between engines: ``python -m benchmarks.engine_soak``.

The seed determines size, players, walls, jump rule, time control, threads and the first plies of each game.
The rules library checks every move. A move is late if it exceeds its limit by more than a tolerance; a seat
without time on its clock loses. Because a busy machine makes programs wait, moves that also took too much
processor time are counted separately. The exit status is 1 after an illegal move or a loss on time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import click
from attrs import Factory, define, frozen

from benchmarks.table import print_table
from quoridor_net.engine import Engine, Limits, warm_up
from quoridor_net.engine.board.moves import LARGEST
from quoridor_net.rules import Jumps, Move, Position, default_walls

#: Memory of the tables, in megabytes. Games are short, and each kind of game has its own table.
TABLE_MB = 32
#: Size of the largest board, and the share of games on boards that use the search of the rules library.
LARGEST_BOARD = 15
SHARE_OF_LARGE = 0.05
SHARE_OF_CLOCKS = 0.3
MOST_THREADS = 3
#: Maximum number of plies, and of random plies at the start.
MOST_PLIES = 300
MOST_DRAWN_PLIES = 8
#: Initial time on a clock, in move times.
MOVES_ON_CLOCK = 40
#: Tolerance of a move's time limit, in seconds.
TOLERANCE = 0.03

#: Chooses a move in a position, within limits.
Chooser = Callable[[Position, Limits], Move]


@frozen
class GameKind:
    """A kind of game.

    Attributes:
        size: number of rows and columns.
        players: 2 or 4.
        walls: walls per player.
        jumps: the jump rule.
        has_clock: whether time is limited per game, with an increment, instead of per move.
        threads: number of threads, for searches that can use several.
    """

    size: int
    players: int
    walls: int
    jumps: Jumps
    has_clock: bool
    threads: int = 1


@define
class SoakTally:
    """Figures of the games so far.

    Attributes:
        games: number of games.
        moves: number of moves of the engine.
        illegal: illegal moves, each with its position.
        late: number of moves that exceeded their limit and the tolerance.
        late_by_processor: number of late moves whose processor time exceeded them too.
        slowest: largest excess over a limit, in seconds.
        lost_on_time: number of games lost because a clock ran out.
    """

    games: int = 0
    moves: int = 0
    illegal: list[str] = Factory(list)
    late: int = 0
    late_by_processor: int = 0
    slowest: float = 0.0
    lost_on_time: int = 0


def draw_rules(source: random.Random) -> GameKind:
    """Draw the kind of the next game."""
    is_large = source.random() < SHARE_OF_LARGE
    size = source.randint(LARGEST + 1, LARGEST_BOARD) if is_large else source.randint(3, LARGEST)
    players = source.choice((2, 4))
    walls = source.randint(0, default_walls(size, players) + 2)
    jumps = source.choice(list(Jumps))
    has_clock = source.random() < SHARE_OF_CLOCKS
    return GameKind(size, players, walls, jumps, has_clock, source.randint(1, MOST_THREADS))


def play(rules: GameKind, choose: Chooser, source: random.Random, move_time: float, tally: SoakTally) -> None:
    """Play one game and add it to ``tally``; an illegal move or a loss on time ends it."""
    position = Position(rules.size, rules.players, rules.walls, rules.jumps)
    tally.games += 1
    for _ in range(source.randint(0, MOST_DRAWN_PLIES)):
        if position.turn is not None:
            position.push(source.choice(position.legal_moves))
    clocks = dict.fromkeys(position.order, MOVES_ON_CLOCK * move_time)
    while position.turn is not None and position.ply < MOST_PLIES:
        player = position.turn
        if rules.has_clock:
            limits = Limits(game_time=clocks[player], increment=move_time, threads=rules.threads)
            allowed = clocks[player]
        else:
            limits = Limits(time=move_time, threads=rules.threads)
            allowed = move_time
        begun, begun_processor = time.perf_counter(), time.process_time()
        move = choose(position, limits)
        seconds, processor = time.perf_counter() - begun, time.process_time() - begun_processor
        tally.moves += 1
        tally.slowest = max(tally.slowest, seconds - allowed)
        if seconds > allowed + TOLERANCE:
            tally.late += 1
            tally.late_by_processor += processor > rules.threads * allowed + TOLERANCE
        if rules.has_clock:
            clocks[player] += move_time - seconds
            if seconds > allowed:
                tally.lost_on_time += 1
                return
        if not position.is_legal(move):
            tally.illegal.append(f"{move} in {position.to_line()} ({position.jumps} jumps)")
            return
        position.push(move)


def report(tally: SoakTally, seconds: float) -> None:
    """Print the figures."""
    rows = [
        ("games", str(tally.games)),
        ("moves", str(tally.moves)),
        ("illegal moves", str(len(tally.illegal))),
        ("late moves", str(tally.late)),
        ("... in processor time too", str(tally.late_by_processor)),
        ("largest excess over a limit, ms", f"{tally.slowest * 1000:.0f}"),
        ("games lost on time", str(tally.lost_on_time)),
        ("seconds", f"{seconds:.0f}"),
    ]
    print_table("Fast games of the engine", ("", ""), rows)
    for line in tally.illegal:
        print(f"illegal: {line}")


@click.command()
@click.option("--games", type=click.IntRange(min=1), default=1000, help="Number of games.")
@click.option(
    "--move-time", type=click.FloatRange(min=0.0), default=0.02, help="Time limit per move, in seconds."
)
@click.option("--minutes", type=click.FloatRange(min=0.0), help="Time limit for starting games, in minutes.")
@click.option("--seed", default=1, help="Random seed of the games.")
def main(games: int, move_time: float, minutes: float | None, seed: int) -> None:
    """Play games, and print a table."""
    warm_up(click.echo)
    source = random.Random(seed)
    engine = Engine(seed=seed, table_mb=TABLE_MB)
    tally = SoakTally()
    begun = time.perf_counter()
    for _ in range(games):
        if minutes is not None and time.perf_counter() - begun > 60 * minutes:
            break
        play(draw_rules(source), lambda *asked: engine.play(*asked).move, source, move_time, tally)
    report(tally, time.perf_counter() - begun)
    if tally.illegal or tally.lost_on_time:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
