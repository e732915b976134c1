"""Games of the engine against itself, stored as training samples (``training.samples``).

Two players on 9x9. Most games begin with ten walls each, some with fewer for both, a few with any numbers.
A kernel plays about thirty games per second and core (``training.self_play``). Unfinished games and positions
with a proven winner are left out.
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
#: Share of games with fewer walls for both, and of games with any number for each.
_FEWER, _UNEVEN = 0.15, 0.05
_LEAST_OPENING, _MOST_OPENING = 2, 10
#: Share of games without odd moves.
_PLAIN = 0.4
#: After this many unfinished games in a row, no game can be expected to end.
_MOST_GIVEN_UP = 1000
#: Minimum memory of the tree, in megabytes, and nodes of a search per megabyte.
_LEAST_MEGABYTES, _NODES_A_MEGABYTE = 16, 500


def start(source: random.Random) -> Position:
    """Return the start position of a game."""
    draw = source.random()
    left = [10, 10]
    if draw < _FEWER:
        left = [source.randrange(3, 10)] * 2
    elif draw < _FEWER + _UNEVEN:
        left = [source.randrange(1, 11), source.randrange(1, 11)]
    return Position.from_line(f" /  / e1 e9 / {left[0]} {left[1]} / 1")


class SelfPlay:
    """A player of training games.

    Args:
        nodes: nodes per search.
        brief_nodes: nodes per brief search.
        brief: share of brief searches.
        odd: share of odd moves, in games that have any.
        seed: seed of all random choices.
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
        self._samples = samples.new_samples(PLIES)
        self._address = samples.address_of(self._samples)

    def game(self) -> samples.Samples:
        """Play games until one is won, and return its samples.

        Raises:
            click.ClickException: too many games in a row were unfinished.
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
        raise click.ClickException(f"{_MOST_GIVEN_UP} games in a row did not end; use more --nodes")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), callback=options.check_folder)
@click.option(
    "--games", type=click.IntRange(min=1), default=100_000, show_default=True, help="Number of games."
)
@click.option("--nodes", type=NODES, default=900, show_default=True, help="Nodes per search.")
@click.option("--brief-nodes", type=NODES, default=150, show_default=True, help="Nodes per brief search.")
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
        # Store less often as the file grows, because storing takes longer.
        if played >= stored + max(1000, stored // 4) or played == games:
            found = [np.concatenate(found)]
            samples.write(file, found[0])
            stored = played
            click.echo(f"{played} games, {total} positions")
