"""Measure how often rivals stop a player that is about to win, and how often the engine expects that.

    python -m benchmarks.engine_threats FOLDER

FOLDER has replay files of games of four. A *threat* is a player one or two steps from its goal. It counts
after a move if seats other than the mover move before it. They *stop* it if its distance has grown when its
turn comes; games that end before that are left out. The table has, by the distance and the number of these
seats, the share of threats that were stopped, the share that the engine expected to be stopped, and the mean
squared error of its expectation, with standard errors over games.

The engine searches the move that was played, and expects by shares of visits. Its styles of class programs
are fitted to the half of the games that the game is not in. The halves are every other game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
from attrs import evolve, frozen

from benchmarks.engine_styles import HALVES, fit_halves, mean_and_error
from benchmarks.table import print_table
from quoridor_net.engine import Limits
from quoridor_net.engine.board.convert import move_of
from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.maxn.expand import ABOUT_TO_WIN
from quoridor_net.engine.maxn.max_n import MaxN
from quoridor_net.engine.maxn.memory import TreeMemory
from quoridor_net.engine.maxn.styles import NAMES
from quoridor_net.engine.maxn.tree import NO_NODE
from quoridor_net.replay import Replay, read
from quoridor_net.rules import Move, Position
from training.options import FOLDER
from training.samples import load_arrays
from training.shipped import STYLES
from training.styles import SIZES, STYLE_OF_PROGRAM, read_games

_MEGABYTES = 16


@frozen
class Threat:
    """A threat after a move.

    Attributes:
        player: the player that is about to win.
        distance: its steps to the goal.
        seats: number of seats that move before it.
        expected: probability that they stop it, as the search expects.
    """

    player: int
    distance: int
    seats: int
    expected: float

    def is_stopped(self, position: Position) -> bool:
        """Return whether the threat is stopped in ``position``, where its player is to move."""
        return (position.distance(self.player) or 0) > self.distance


def list_threats(position: Position) -> Iterator[Threat]:
    """Yield the threats that other seats move before, but for the player that moves last.

    Nothing is expected of them yet.
    """
    if position.turn is None:
        return
    turn = position.order.index(position.turn)
    order = [player for player in position.order[turn:] + position.order[:turn] if player in position.alive]
    for seats, player in enumerate(order[1:-1], 1):
        distance = position.distance(player)
        if distance is not None and distance <= ABOUT_TO_WIN:
            yield Threat(player, distance, seats, 0.0)


def share_visits(memory: TreeMemory, node: int, position: Position, threat: Threat) -> tuple[float, float]:
    """Return the shares of a node's visits that stop ``threat`` until its turn, and that let it through.

    The rest of the visits end before.
    """
    if position.turn == threat.player:
        is_stopped = threat.is_stopped(position)
        return float(is_stopped), float(not is_stopped)
    stopped = let_through = 0.0
    total = 0
    for edge in memory.edges_of(node):
        child = memory.child_of(edge)
        if child == NO_NODE:
            continue
        visits = int(memory.nodes[child].visits)
        total += visits
        position.push(move_of(int(memory.edges[edge].move), position.size))
        if position.turn is not None:
            shares = share_visits(memory, child, position, threat)
            stopped += visits * shares[0]
            let_through += visits * shares[1]
        position.pop()
    return stopped / max(total, 1), let_through / max(total, 1)


def expect(position: Position, move: Move, method: MaxN, nodes: int) -> Iterator[Threat]:
    """Search ``move``, and yield the threats after it with the expectation, if the search looks that far."""
    after = position.copy()
    after.push(move)
    threats = list(list_threats(after))
    if threats:
        method.prepare(position, [move], Limits(nodes=nodes))
        method.run(1)
    for threat in threats:
        stopped, let_through = share_visits(method.memory, 0, position.copy(), threat)
        if stopped + let_through > 0:
            yield evolve(threat, expected=stopped / (stopped + let_through))


def follow_game(replay: Replay, method: MaxN, nodes: int) -> Iterator[tuple[Threat, bool]]:
    """Yield the threats of a game that were there at their turn, and whether they were stopped."""
    threats: list[Threat] = []
    for position, ply in zip(replay.positions(), replay.plies, strict=False):
        for threat in threats:
            if threat.player == position.turn:
                yield threat, threat.is_stopped(position)
        threats = [each for each in threats if each.player in position.alive and each.player != position.turn]
        if ply.move is not None:
            threats += expect(position, ply.move, method, nodes)


def make_methods(folder: Path) -> dict[tuple[int, int], MaxN]:
    """Return the search by half of the games to test and size of the board."""
    fitted = fit_halves(read_games(folder), folder)
    methods = {}
    for half in HALVES:
        weights = load_arrays(STYLES)["weights"]
        for name, styles in fitted.items():
            weights[NAMES.index(STYLE_OF_PROGRAM[name])] = styles[1 - half]
        for size in SIZES:
            method = MaxN(size, SEATS, _MEGABYTES)
            method.memory.tree.opponents.weights[:] = weights
            methods[half, size] = method
    return methods


def _columns(threats: list[tuple[int, bool, float]]) -> list[str]:
    """Return the cells of a row. Each threat has its game, whether it was stopped, and the expectation."""
    games, stopped, expected = (np.array(column) for column in zip(*threats, strict=True))
    columns = (stopped.astype(float), expected, (stopped - expected) ** 2)
    return [str(len(threats)), *(mean_and_error(column, games) for column in columns)]


@click.command()
@click.argument("folder", type=FOLDER)
@click.option("--nodes", type=click.IntRange(min=1), default=1000, show_default=True, help="Nodes per move.")
def main(folder: Path, nodes: int) -> None:
    """Print how often players about to win are stopped, and how often the engine expects that."""
    methods = make_methods(folder)
    found: defaultdict[str, list[tuple[int, bool, float]]] = defaultdict(list)
    for game, file in enumerate(sorted(folder.glob("*.qtp"))):
        replay = read(file)
        method = methods[game % len(HALVES), replay.setting.size]
        method.clear()
        for threat, is_stopped in follow_game(replay, method, nodes):
            for row in (f"{threat.distance}, {threat.seats}", "all"):
                found[row].append((game, is_stopped, threat.expected))
    print_table(
        "players about to win",
        ["distance, seats", "threats", "stopped", "expected", "squared error"],
        [[row, *_columns(found[row])] for row in sorted(found)],
    )


if __name__ == "__main__":
    main()
