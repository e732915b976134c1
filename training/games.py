"""The engine plays itself, and what it searched is kept to train from (``training.samples``).

Two players, 9x9. Most games begin with ten walls each, the others with as many for both, or with an uneven
number. They are played within a kernel, some thirty a second and core (``training.self_play``).
Left out are games that do not come to an end, and positions whose search proves who wins.
"""

from __future__ import annotations

import random
from pathlib import Path

import click
import numpy as np

from quoridor_net.engine import warm_up
from quoridor_net.engine.board.convert import load_position, new_state
from quoridor_net.engine.evaluation.network import new_network
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE
from quoridor_net.engine.evaluation.weights import set_weights
from quoridor_net.engine.mcts.memory import TreeMemory
from quoridor_net.engine.mcts.tree import Playout
from quoridor_net.jit.records import new_record
from quoridor_net.rules import Position
from training import options, samples
from training.self_play import PLIES, RANDOM_NUMBERS, Settings, play

NODES = click.IntRange(2, 1_000_000)
#: Of games with fewer walls for both, and of games with any number for each.
_FEWER, _UNEVEN = 0.15, 0.05
_LEAST_OPENING, _MOST_OPENING = 2, 10
#: Of games without odd moves.
_PLAIN = 0.4
#: Games given up in a row, after which nothing but those can be expected.
_MOST_GIVEN_UP = 1000
#: The memory of the tree, at least, and for how many nodes of a search a megabyte is enough.
_LEAST_MEGABYTES, _NODES_A_MEGABYTE = 16, 500


def start(source: random.Random) -> Position:
    """Return the position that a game begins with."""
    draw = source.random()
    left = [10, 10]
    if draw < _FEWER:
        left = [source.randrange(3, 10)] * 2
    elif draw < _FEWER + _UNEVEN:
        left = [source.randrange(1, 11), source.randrange(1, 11)]
    return Position.from_line(f" /  / e1 e9 / {left[0]} {left[1]} / 1")


class SelfPlay:
    """Plays one game after the other.

    Args:
        nodes: of a search.
        brief_nodes: of a brief one.
        brief: the share of these.
        odd: the share of odd moves, in games that have any.
        seed: of everything random.
    """

    def __init__(self, nodes: int, brief_nodes: int, brief: float, odd: float, seed: int) -> None:
        self._source = random.Random(seed)
        self._numbers = np.random.default_rng(seed)
        self._odd = odd
        self._settings = new_record(Settings)
        self._settings.nodes, self._settings.brief_nodes = nodes, brief_nodes
        self._settings.brief = brief
        self._state = new_state(BOARD_SIZE, 2)
        self._state.has_network = 1
        set_weights(self._state, with_network=True)
        self._net = new_network(BOARD_SIZE)
        self._memory = TreeMemory(max(_LEAST_MEGABYTES, max(nodes, brief_nodes) // _NODES_A_MEGABYTE))
        self._playout = new_record(Playout)
        self._samples = samples.empty(PLIES)
        self._address = samples.address_of(self._samples)

    def game(self) -> samples.Samples:
        """Return the samples of another game that somebody won.

        Raises:
            click.ClickException: one game after the other is given up.
        """
        for _ in range(_MOST_GIVEN_UP):
            self._settings.opening = self._source.randint(_LEAST_OPENING, _MOST_OPENING)
            self._settings.odd = 0.0 if self._source.random() < _PLAIN else self._odd
            load_position(self._state, start(self._source))
            drawn = self._numbers.random(RANDOM_NUMBERS)
            count = play(
                *(self._state, self._net, self._memory.tree, self._playout),
                *(self._settings, drawn, self._address),
            )
            if count:
                return self._samples[:count].copy()
        raise click.ClickException("no game comes to an end; let more nodes be searched")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), callback=options.in_a_folder)
@click.option("--games", type=click.IntRange(min=1), default=100_000, show_default=True)
@click.option("--nodes", type=NODES, default=900, show_default=True, help="Of a search.")
@click.option("--brief-nodes", type=NODES, default=150, show_default=True, help="Of a brief one.")
@click.option("--brief", type=options.SHARE, default=0.8, show_default=True, help="Share of brief searches.")
@click.option(
    "--odd", type=options.SHARE, default=0.04, show_default=True, help="Share of moves drawn from the policy."
)
@options.seed
def main(
    file: Path,
    games: int,
    nodes: int,
    brief_nodes: int,
    brief: float,
    odd: float,
    seed: int,
) -> None:
    """Play games of the engine against itself and store their positions in FILE."""
    warm_up()
    players = SelfPlay(nodes, brief_nodes, brief, odd, seed)
    found: list[samples.Samples] = []
    stored = total = 0
    for played in range(1, games + 1):
        found.append(players.game())
        found[-1]["game"] = played - 1
        total += len(found[-1])
        # The more there is, the longer storing it takes.
        if played >= stored + max(1000, stored // 4) or played == games:
            found = [np.concatenate(found)]
            samples.write(file, found[0])
            stored = played
            click.echo(f"{played} games, {total} positions")
