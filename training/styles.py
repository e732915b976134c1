"""Styles of the opponent model, fitted to the moves of players of each kind.

Players of the league (``training.league``) play each other, and other programs have played the games of a
folder. A style is a softmax over all legal moves of a position, so that fitting it is a multinomial logistic
regression.
"""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import click
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from quoridor_net.engine import Limits
from quoridor_net.engine.board.convert import load_position, new_state, number_of
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.movegen import generate_moves
from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.maxn.features import find_gains
from quoridor_net.engine.maxn.network import load_network
from quoridor_net.engine.maxn.opponents import find_traits, try_move
from quoridor_net.engine.maxn.styles import NAMES, TRAITS
from quoridor_net.engine.maxn.tree import MaxNTree
from quoridor_net.jit.records import new_record
from quoridor_net.replay import ReplayError, read
from quoridor_net.rules import Jumps, Move, Position
from training import options
from training.adam import Adam
from training.league import KINDS, opening, play
from training.samples import hold_out, load_arrays, save_arrays
from training.shipped import STYLES

Floats = NDArray[np.float64]

#: The style of each kind of the league.
STYLE_OF = {
    "maxn": "searcher",
    "best_reply": "searcher",
    "simple": "blocker",
    "runner": "runner",
    "early_walls": "builder",
    "front": "front",
    "careless": "careless",
    "late": "late",
    "fickle": "fickle",
    "stray": "stray",
}
#: The style of each program of a class, by its name in recorded games.
STYLE_OF_PROGRAM = {name: f"class_{name.lower()}" for name in "ABCDE"}
SIZES, _SIZE_SHARES = (7, 9, 11), (1, 6, 1)
_MOST_OPENING_PLIES = 8
#: Share of positions that are kept.
_SHARE_KEPT = 0.5
_STEPS = 400
_RATE = 0.05
_DECAY = 1e-3


@frozen
class Choices:
    """Moves chosen by players of one style.

    Attributes:
        traits: traits of all legal moves, position by position, of shape (moves, traits).
        starts: index of the first move of each position.
        chosen: index of the move played in each position.
        games: number of the game of each position.
        seats: seat to move in each position.
    """

    traits: Floats
    starts: NDArray[np.int64]
    chosen: NDArray[np.int64]
    games: NDArray[np.int64]
    seats: NDArray[np.int64]

    def of_games(self, wanted: NDArray[np.bool_]) -> Choices:
        """Return the positions for which ``wanted``, of shape (positions,), is true."""
        lengths = np.diff([*self.starts, len(self.traits)])
        kept = np.repeat(wanted, lengths)
        moved = self.chosen[wanted] - self.starts[wanted]
        starts = np.concatenate([[0], np.cumsum(lengths[wanted])[:-1]]).astype(np.int64)
        return Choices(self.traits[kept], starts, starts + moved, self.games[wanted], self.seats[wanted])


class _Recorder:
    """A recorder of the moves that players of each style choose among."""

    def __init__(self) -> None:
        self._states = {size: new_state(size, SEATS) for size in SIZES}
        self._tree = new_record(MaxNTree)
        load_network(self._tree.network)
        self._rows: defaultdict[str, list[list[float]]] = defaultdict(list)
        self._starts: defaultdict[str, list[int]] = defaultdict(list)
        self._chosen: defaultdict[str, list[int]] = defaultdict(list)
        self._games: defaultdict[str, list[int]] = defaultdict(list)
        self._seats: defaultdict[str, list[int]] = defaultdict(list)

    def record(self, style: str, position: Position, move: Move, game: int) -> None:
        """Record the move that a player of a style chose."""
        state, tree = self._states[position.size], self._tree
        load_position(state, position)
        flood_all(state, 0)
        find_gains(state, tree, 0)
        wanted = number_of(move, position.size)
        rows, start = self._rows[style], len(self._rows[style])
        moves = [int(number) for number in state.lists[0].moves[: generate_moves(state, 0)]]
        for number in moves:
            chance = try_move(state, tree, 0, number)
            if chance >= 0:
                find_traits(state, tree, 0, number, chance)
                if number == wanted:
                    self._chosen[style].append(len(rows))
                rows.append(list(map(float, tree.opponents.traits)))
        self._starts[style].append(start)
        self._games[style].append(game)
        self._seats[style].append(int(state.frames[0].turn))

    def choices(self) -> dict[str, Choices]:
        """Return the recorded choices by style."""
        found = {}
        for style, rows in self._rows.items():
            columns = (self._starts, self._chosen, self._games, self._seats)
            numbers = (np.array(column[style], dtype=np.int64) for column in columns)
            found[style] = Choices(np.array(rows), *numbers)
        return found


def play_games(games: int, nodes: int, seed: int) -> dict[str, Choices]:
    """Play ``games`` games of the league, with ``nodes`` nodes per move of max-n; return choices by style."""
    source = random.Random(seed)
    limits = Limits(nodes=nodes)
    players = {(kind, size): KINDS[kind](size, limits, seed, {}) for kind in KINDS for size in SIZES}
    recorder = _Recorder()
    for number in range(games):
        (size,) = source.choices(SIZES, _SIZE_SHARES)
        kinds = source.choices(list(KINDS), k=SEATS)
        start = opening(source, size, source.choice(list(Jumps)), source.randrange(_MOST_OPENING_PLIES + 1))
        *_, last = play([players[kind, size] for kind in kinds], start)
        while last.ply > start.ply:
            move = last.pop().move
            if move is not None and last.turn is not None and source.random() < _SHARE_KEPT:
                kind = kinds[last.order.index(last.turn)]
                recorder.record(STYLE_OF[kind], last, move, number)
    return recorder.choices()


def read_games(folder: Path) -> dict[str, Choices]:
    """Return the choices in the replay files of ``folder`` by the names of players.

    Raises:
        click.ClickException: a file does not contain such a game.
    """
    recorder = _Recorder()
    for number, file in enumerate(sorted(folder.glob("*.qtp"))):
        try:
            replay = read(file)
        except (OSError, ReplayError) as error:
            raise click.ClickException(f"cannot read {file}: {error}") from error
        if replay.setting.players != SEATS or replay.setting.size not in SIZES:
            sizes = " or ".join(map(str, SIZES))
            raise click.ClickException(f"{file} is not a game of four on a board of {sizes}")
        for position, ply in zip(replay.positions(), replay.plies, strict=False):
            if ply.move is not None:
                recorder.record(replay.names[ply.player - 1], position, ply.move, number)
    return recorder.choices()


def log_shares(choices: Choices, weights: Floats) -> Floats:
    """Return the logarithm of the probability of each legal move under the weights of a style."""
    lengths = np.diff([*choices.starts, len(choices.traits)])
    found: Floats = choices.traits @ weights
    found -= np.repeat(np.maximum.reduceat(found, choices.starts), lengths)
    found -= np.repeat(np.log(np.add.reduceat(np.exp(found), choices.starts)), lengths)
    return found


def loss(choices: Choices, weights: Floats) -> float:
    """Return the mean log-loss of the chosen moves."""
    return -float(log_shares(choices, weights)[choices.chosen].mean())


def fit(choices: Choices) -> Floats:
    """Fit the weights of a style to its choices, by Adam on all positions at once."""
    weights = np.zeros(TRAITS)
    adam = Adam({"traits": weights})
    for _ in range(_STEPS):
        expected = choices.traits.T @ np.exp(log_shares(choices, weights))
        seen = choices.traits[choices.chosen].sum(axis=0)
        adam.step({"traits": (expected - seen) / len(choices.chosen) + _DECAY * weights}, _RATE)
    return weights


@click.command()
@click.option("--games", type=click.IntRange(min=1), default=800, show_default=True, help="Number of games.")
@click.option(
    "--nodes", type=click.IntRange(min=1), default=200, show_default=True, help="Nodes per move of max-n."
)
@click.option(
    "--recorded",
    type=options.FOLDER,
    metavar="FOLDER",
    help="Fit the styles of class programs to the replay files in FOLDER, not those of the league.",
)
@options.seed
@options.out(STYLES)
def main(games: int, nodes: int, recorded: Path | None, seed: int, out: Path) -> None:
    """Play games of a mixed league, and fit the styles of the opponent model to them.

    Every tenth game is held out. Styles that are not fitted stay as shipped.
    """
    if recorded is None:
        wanted, choices = list(dict.fromkeys(STYLE_OF.values())), play_games(games, nodes, seed)
    else:
        players = read_games(recorded)
        wanted = list(STYLE_OF_PROGRAM.values())
        choices = {STYLE_OF_PROGRAM[name]: players[name] for name in STYLE_OF_PROGRAM if name in players}
    weights = load_arrays(STYLES)["weights"]
    for name in wanted:
        if name not in choices:
            raise click.ClickException(f"no player of style {name} has played; more games are needed")
        seen = choices[name]
        held = hold_out(seen.games)
        fitted = fit(seen.of_games(~held))
        losses = [loss(seen.of_games(part), fitted) for part in (~held, held)]
        click.echo(f"{name}: {len(held)} moves, log-loss {losses[0]:.4f}, held out {losses[1]:.4f}")
        weights[NAMES.index(name)] = fitted
    with out.open("wb") as file:
        save_arrays(file, {"weights": weights})


if __name__ == "__main__":
    main()
