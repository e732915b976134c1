"""The evaluation of Clobber is trained from games of the engine against itself.

The engine's evaluation plays against itself, looking one ply ahead with some chance, until the solver proves
who wins; a logistic regression of that winner on the patterns of the positions before gives new numbers, and
so on for some rounds. The last ones are written as a module. One round of 2,000 games takes some minutes.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber import ClobberPosition, Colour, Move
from quoridor_net.clobber import midgame as kernels
from quoridor_net.clobber.patterns import encode_patterns, learned_worth, pattern_classes
from quoridor_net.clobber.regions import grid_of, square_at, square_number
from quoridor_net.clobber.solver import Solver
from training import options
from training.regression import fit, log_loss
from training.shipped import CLOBBER

#: A proof is tried from this number of moves on, with this many states.
PROOF_MOVES, PROOF_NODES = 26, 300
#: Positions that are looked at: every so many plies.
EVERY = 3
#: Chance of a random move, and noise added to the evaluation of a move, in thousandths of log-odds.
RANDOM_MOVES, NOISE = 0.05, 60.0
#: Strength of the pull towards zero, in positions.
RIDGE = 30.0

MODULE = '''\
"""Weights learned from self-play, read by :mod:`quoridor_net.clobber.patterns`."""

TEMPO = {tempo}
WORTH = (
{lines}
)
'''


class Teacher:
    """Plays games and keeps what is to be learned from them.

    Args:
        worth: what each pattern is worth to Black, in thousandths of log-odds.
        tempo: what the move is worth.
        seed: of everything that is left to chance.
    """

    def __init__(self, worth: NDArray[np.int64], tempo: int, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._solver = Solver(1 << 18)
        self._kernel = kernels.new_midgame(worth, tempo, 1)
        squares = [square_number(square) for square in ClobberPosition.start().stones()]
        self._kernel = self._kernel._replace(squares=np.array(squares, np.int64))
        self._classes, self._sign, self._count = pattern_classes()
        self.features: list[NDArray[np.int8]] = []
        self.black_wins: list[bool] = []

    def play(self) -> None:
        """Play one game up to the proof, and keep what it shows."""
        position = ClobberPosition.start()
        seen: list[NDArray[np.int8]] = []
        offset = int(self._random.integers(EVERY))
        while True:
            kernels.set_up(self._kernel, grid_of(position, Colour.BLACK))
            if position.ply % EVERY == offset:
                seen.append(self._features(position))
            if position.move_count() <= PROOF_MOVES:
                wins = self._solver.wins(position, PROOF_NODES)
                if wins is not None:
                    winner = position.side if wins else position.side.other
                    break
            position.push(self._move(position))
        self.features += seen
        self.black_wins += [winner is Colour.BLACK] * len(seen)

    def _features(self, position: ClobberPosition) -> NDArray[np.int8]:
        """Return how often each class occurs, for Black less for White, and at the end whose turn it is."""
        patterns = self._kernel.pattern[self._kernel.squares]
        counts = np.zeros(self._count + 1, np.int8)
        np.add.at(counts, self._classes[patterns], self._sign[patterns].astype(np.int8))
        counts[-1] = 1 if position.side is Colour.BLACK else -1
        return counts

    def _move(self, position: ClobberPosition) -> Move:
        colour = int(position.side is Colour.WHITE)
        count = kernels.generate_moves(self._kernel, 0, colour)
        kernels.score_moves(self._kernel, 0, count, colour, -1)
        scores = self._kernel.move_score[0, :count] + self._random.gumbel(0.0, NOISE, count)
        best = int(self._random.integers(count)) if self._random.random() < RANDOM_MOVES else scores.argmax()
        move = int(self._kernel.moves[0, best])
        origin = move >> 2
        return Move(square_at(origin), square_at(origin + kernels.offset_of(move & 3)))


@click.command()
@click.option("--games", type=click.IntRange(1), default=2000, show_default=True, help="Games in each round.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@options.out(CLOBBER)
def main(games: int, rounds: int, out: Path) -> None:
    """Go on from what is known, and write the module with what was learned."""
    classes, sign, _ = pattern_classes()
    worth, tempo = learned_worth()
    features: list[NDArray[np.int8]] = []
    wins: list[bool] = []
    for number in range(rounds):
        teacher = Teacher(worth, tempo, number)
        for _ in range(games):
            teacher.play()
        features += teacher.features
        wins += teacher.black_wins
        inputs, results = np.array(features, np.float64), np.array(wins, np.float64)
        found = fit(inputs, results, RIDGE)
        numbers = np.round(1000 * found).astype(np.int64)
        worth, tempo = numbers[classes] * sign, int(numbers[-1])
        loss = log_loss(inputs, results, found)
        click.echo(f"round {number + 1}: {len(wins)} positions, loss {loss:.4f}, tempo {tempo}")
        lines = "\n".join(f'    "{line}",' for line in encode_patterns(numbers[:-1]))
        out.write_text(MODULE.format(tempo=tempo, lines=lines), encoding="utf-8")
