"""Training of the Clobber evaluation from self-play.

The evaluation plays against itself, one ply deep and with noise, until the solver proves the winner. A
logistic regression of the winner on the patterns of earlier positions gives the weights of the next round.
The last weights are written as a module. A round of 2,000 games takes a few minutes.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber import ClobberPosition, Colour, Move
from quoridor_net.clobber import midgame as kernels
from quoridor_net.clobber.patterns import encode_patterns, pattern_classes, read_worth
from quoridor_net.clobber.regions import grid_of, square_at, square_number
from quoridor_net.clobber.solver import Solver
from training import options
from training.regression import fit, log_loss
from training.shipped import CLOBBER

#: Proofs are tried when at most this many moves are left, with this many states.
PROOF_MOVES, PROOF_NODES = 26, 300
#: One position of this many plies is kept.
EVERY = 3
#: Probability of a random move, and noise added to the score of a move, in thousandths of log-odds.
RANDOM_MOVES, NOISE = 0.05, 60.0
#: Strength of the ridge penalty, in positions.
RIDGE = 30.0

MODULE = '''\
"""Weights learned from self-play, read by :mod:`quoridor_net.clobber.patterns`."""

TEMPO = {tempo}
WORTH = (
{lines}
)
'''


class Teacher:
    """A player of training games that collects their positions.

    Args:
        worth: worth of each pattern to Black, in thousandths of log-odds.
        tempo: worth of the right to move.
        seed: seed of all random choices.
    """

    def __init__(self, worth: NDArray[np.int64], tempo: int, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._solver = Solver(1 << 18)
        self._state = kernels.new_state(worth, tempo)
        squares = [square_number(square) for square in ClobberPosition.start().stones()]
        self._squares = np.array(squares, np.int64)
        kernels.choose_squares(self._state, self._squares)
        self._classes, self._sign, self._count = pattern_classes()
        self.features: list[NDArray[np.int8]] = []
        self.black_wins: list[bool] = []

    def play(self) -> None:
        """Play one game up to the proof, and add its positions."""
        position = ClobberPosition.start()
        seen: list[NDArray[np.int8]] = []
        offset = int(self._random.integers(EVERY))
        while True:
            kernels.set_up(self._state, grid_of(position, Colour.BLACK))
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
        """Return the count of each class, Black's minus White's, and 1 (black) or -1 (white) to move."""
        patterns = np.asarray(self._state.pattern)[self._squares]
        counts = np.zeros(self._count + 1, np.int8)
        np.add.at(counts, self._classes[patterns], self._sign[patterns].astype(np.int8))
        counts[-1] = 1 if position.side is Colour.BLACK else -1
        return counts

    def _move(self, position: ClobberPosition) -> Move:
        colour = int(position.side is Colour.WHITE)
        count = kernels.generate_moves(self._state, 0, colour)
        kernels.score_moves(self._state, 0, count, colour, -1)
        moves = self._state.plies[0].moves[:count]
        scores = np.array([scored.score for scored in moves]) + self._random.gumbel(0.0, NOISE, count)
        best = int(self._random.integers(count)) if self._random.random() < RANDOM_MOVES else scores.argmax()
        move = int(moves[best].move)
        return Move(square_at(kernels.origin_of(move)), square_at(kernels.target_of(move)))


@click.command()
@click.option("--games", type=click.IntRange(1), default=2000, show_default=True, help="Games per round.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="Number of rounds.")
@options.out(CLOBBER)
def main(games: int, rounds: int, out: Path) -> None:
    """Continue from the shipped weights, and write the module with the new ones."""
    classes, sign, _ = pattern_classes()
    worth, tempo = read_worth()
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
