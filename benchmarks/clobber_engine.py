"""Proofs and games of the Clobber engine: ``python -m benchmarks.clobber_engine``.

Prints two tables: the start positions that it solves, with the time taken; and games against players that
look one move ahead, with illegal and late moves, the slowest move, and how early the winner was proven.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from attrs import Factory, define

from benchmarks.table import print_table
from quoridor_net.clobber import ClobberPosition, Colour
from quoridor_net.clobber.engine import ClobberEngine, ClobberLimits
from quoridor_net.clobber.values import Move

#: The hardest board of each shape in the data file, and some easier ones.
BOARDS = ((1, 26), (2, 8), (2, 10), (2, 12), (2, 13), (3, 6), (3, 7), (3, 8), (4, 4), (4, 5), (4, 6), (5, 5))
#: Number of regions to keep; 5x5 needs this many.
ROOM = 1 << 23

Player = Callable[[ClobberPosition, random.Random], Move]


def random_move(position: ClobberPosition, source: random.Random) -> Move:
    """Return a random legal move."""
    return source.choice(position.legal_moves)


def most_mobile_move(position: ClobberPosition, source: random.Random) -> Move:
    """Return a move that maximises the mover's movable stones minus the opponent's."""
    return _best(position, source, _mobile_lead)


def least_moves_move(position: ClobberPosition, source: random.Random) -> Move:
    """Return a move that leaves the opponent the fewest moves."""
    return _best(position, source, lambda after: -after.move_count())


def _best(position: ClobberPosition, source: random.Random, worth: Callable[[ClobberPosition], int]) -> Move:
    found: list[tuple[int, float, Move]] = []
    after = position.copy()
    for move in position.legal_moves:
        after.push(move)
        found.append((worth(after), source.random(), move))
        after.pop()
    return max(found)[2]


def _mobile_lead(after: ClobberPosition) -> int:
    """Return the movable stones of the player who just moved minus those of the opponent."""
    movable = {square for move in after.legal_moves for square in (move.origin, move.target)}
    return sum(1 if after.stone(square) is not after.side else -1 for square in movable)


OPPONENTS: dict[str, Player] = {
    "random": random_move,
    "most stones that can move": most_mobile_move,
    "fewest moves left": least_moves_move,
}


@define
class ClobberTally:
    """Figures of the games against one opponent."""

    games: int = 0
    wins: int = 0
    illegal: int = 0
    late: int = 0
    slowest: float = 0.0
    #: For each game with a proof, the number of plies from the proof to the end.
    foreseen: list[int] = Factory(list)


def play_game(
    engine: ClobberEngine,
    opponent: Player,
    colour: Colour,
    limits: ClobberLimits,
    tally: ClobberTally,
    seed: int,
) -> None:
    """Play one game with the engine as ``colour``, and add it to ``tally``.

    An illegal move is counted and ends the game; a late one is counted and played.
    """
    source = random.Random(seed)
    position = ClobberPosition.start()
    proven: int | None = None
    tally.games += 1
    while not position.is_over:
        if position.side is not colour:
            position.push(opponent(position, source))
            continue
        start = time.perf_counter()
        choice = engine.choose(position, limits)
        taken = time.perf_counter() - start
        tally.slowest = max(tally.slowest, taken)
        tally.late += limits.seconds is not None and taken > limits.seconds
        if not position.is_legal(choice.move):
            tally.illegal += 1
            return
        if choice.winner is colour and proven is None:
            proven = position.ply
        position.push(choice.move)
    tally.wins += position.winner is colour
    if proven is not None:
        tally.foreseen.append(position.ply - proven)


def boards_table() -> None:
    """Solve the start positions for both sides to move, and print the times."""
    from quoridor_net.clobber.solver import Solver

    solver = Solver(ROOM)
    rows = []
    for columns, rows_of_board in BOARDS:
        start = time.perf_counter()
        outcome = solver.outcome(ClobberPosition.start(columns, rows_of_board))
        seconds = time.perf_counter() - start
        rows.append((f"{columns}x{rows_of_board}", str(outcome), f"{seconds:.2f}"))
    print_table("Winner of the start position", ("board", "outcome", "seconds"), rows)


def games_table(engine: ClobberEngine, games: int, seconds: float) -> None:
    """Play ``games`` games against each opponent, and print the results."""
    rows = []
    for name, opponent in OPPONENTS.items():
        tally = ClobberTally()
        for number in range(games):
            colour = Colour.BLACK if number % 2 == 0 else Colour.WHITE
            play_game(engine, opponent, colour, ClobberLimits(seconds), tally, number)
        foreseen = sum(tally.foreseen) / len(tally.foreseen) if tally.foreseen else 0.0
        rows.append(
            (
                name,
                str(tally.games),
                f"{100 * tally.wins / tally.games:.1f}",
                str(tally.illegal),
                str(tally.late),
                f"{tally.slowest / seconds:.2f}",
                f"{foreseen:.1f}",
            )
        )
    heads = ("opponent", "games", "won %", "illegal", "late", "slowest", "plies from proof to end")
    print_table(f"10x10 at {seconds} s per move (slowest: ratio to that time)", heads, rows)


def main() -> None:
    """Read the arguments, measure, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20, help="number of games per opponent (20)")
    parser.add_argument("--seconds", type=float, default=0.1, help="time limit per move, in seconds (0.1)")
    parser.add_argument("--no-boards", action="store_true", help="skip the start positions")
    arguments = parser.parse_args()
    engine = ClobberEngine(seed=1)
    engine.warm_up()
    if not arguments.no_boards:
        boards_table()
    if arguments.games > 0:
        games_table(engine, arguments.games, arguments.seconds)


if __name__ == "__main__":
    main()
