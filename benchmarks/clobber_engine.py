"""How well the Clobber engine proves and plays: ``python -m benchmarks.clobber_engine``.

Prints three tables: the start positions it solves and how long that takes; games against players that look
no further than one move, with the faults that would have lost a game; and how late in those games the winner
was proven, and how much of its time the slowest move took.
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

#: The hardest board of every shape in the data file, and some easier ones.
BOARDS = ((1, 26), (2, 8), (2, 10), (2, 12), (2, 13), (3, 6), (3, 7), (3, 8), (4, 4), (4, 5), (4, 6), (5, 5))
#: Regions to keep when whole boards are solved; 5x5 needs them.
ROOM = 1 << 23

Player = Callable[[ClobberPosition, random.Random], Move]


def random_move(position: ClobberPosition, source: random.Random) -> Move:
    """Return any legal move."""
    return source.choice(position.legal_moves)


def most_mobile_move(position: ClobberPosition, source: random.Random) -> Move:
    """Return a move after which the mover's stones that can move outnumber the opponent's by most."""
    return _best(position, source, _mobile_lead)


def least_moves_move(position: ClobberPosition, source: random.Random) -> Move:
    """Return a move that leaves the opponent as few moves as possible."""
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
    """Return by how many stones that can move the player who just moved is ahead."""
    movable = {square for move in after.legal_moves for square in (move.origin, move.target)}
    return sum(1 if after.stone(square) is not after.side else -1 for square in movable)


OPPONENTS: dict[str, Player] = {
    "random": random_move,
    "most stones that can move": most_mobile_move,
    "fewest moves left": least_moves_move,
}


@define
class ClobberTally:
    """What happened in the games against one opponent."""

    games: int = 0
    wins: int = 0
    illegal: int = 0
    late: int = 0
    slowest: float = 0.0
    #: Plies before the end at which the engine first knew the winner, of the games where it did.
    foreseen: list[int] = Factory(list)


def play_game(
    engine: ClobberEngine,
    opponent: Player,
    colour: Colour,
    limits: ClobberLimits,
    tally: ClobberTally,
    seed: int,
) -> None:
    """Play one game of the engine, as ``colour``, and add it to ``tally``.

    Every move is checked; an illegal or a late one is counted, and the late one played all the same.
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
    """Solve the start positions and print how long it takes, whoever begins."""
    from quoridor_net.clobber.solver import Solver

    solver = Solver(ROOM)
    rows = []
    for columns, rows_of_board in BOARDS:
        start = time.perf_counter()
        outcome = solver.outcome(ClobberPosition.start(columns, rows_of_board))
        seconds = time.perf_counter() - start
        rows.append((f"{columns}x{rows_of_board}", str(outcome), f"{seconds:.2f}"))
    print_table("who wins the start position", ("board", "outcome", "seconds"), rows)


def games_table(engine: ClobberEngine, games: int, seconds: float) -> None:
    """Play ``games`` games against each opponent and print what came of them."""
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
    heads = ("opponent", "games", "won %", "illegal", "late", "slowest", "proven plies before the end")
    print_table(f"10x10 at {seconds} s a move (slowest: ratio to that time)", heads, rows)


def main() -> None:
    """Read the arguments, measure, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20, help="games against each opponent (20)")
    parser.add_argument("--seconds", type=float, default=0.1, help="time for a move (0.1)")
    parser.add_argument("--no-boards", action="store_true", help="leave the start positions out")
    arguments = parser.parse_args()
    engine = ClobberEngine(seed=1)
    engine.warm_up()
    if not arguments.no_boards:
        boards_table()
    if arguments.games > 0:
        games_table(engine, arguments.games, arguments.seconds)


if __name__ == "__main__":
    main()
