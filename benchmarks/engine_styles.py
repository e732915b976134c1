"""Measure how well the opponent model predicts the players of recorded games.

    python -m benchmarks.engine_styles FOLDER

FOLDER has replay files of games of four. The first table says how each player moves: the share of walls among
all moves and among those of a player with walls behind a rival; the shares of walls that lengthen the path
of the nearest rival, only those of other rivals, or none; and the share of steps that shorten the own path.
The second table gives mean log-likelihoods of moves, in nats, with standard errors over games:

* uniform: over the legal moves;
* best style: the style of the league that predicts it best in the other half of the games;
* league: the opponent model with the styles of the league, which infers styles during the game;
* fitted: the same with a style more for each class program, fitted to the other half of the games;
* others: the same without the style fitted to the player itself;
* own style: only that style, if there is one.

The halves are every other game, and each game is predicted from the half that it is not in.
"""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.table import print_table
from quoridor_net.engine.maxn.inference import LEAST_LIKELIHOOD, weigh_styles
from quoridor_net.engine.maxn.styles import BLOCK_OTHERS, BLOCKS, GAIN, IDLE, NAMES, WALL, WALL_BEHIND
from training.options import FOLDER
from training.samples import load_arrays
from training.shipped import STYLES
from training.styles import STYLE_OF, STYLE_OF_PROGRAM, Choices, Floats, fit, log_shares, read_games

HALVES = (0, 1)


def half_of(choices: Choices, half: int) -> Choices:
    """Return the choices in every other game, from the first or the second on."""
    return choices.of_games(choices.games % 2 == half)


def fit_halves(players: dict[str, Choices], folder: Path) -> dict[str, list[Floats]]:
    """Return the style of each program by half of the games of ``folder``.

    Raises:
        click.ClickException: a program is missing in one half.
    """
    for name in STYLE_OF_PROGRAM:
        for half in HALVES:
            if name not in players or half not in players[name].games % 2:
                raise click.ClickException(f"player {name} is missing in half of the games of {folder}")
    return {name: [fit(half_of(players[name], half)) for half in HALVES] for name in STYLE_OF_PROGRAM}


def likelihoods(choices: Choices, styles: Floats) -> Floats:
    """Return the log-likelihood of each chosen move in each style, of shape (positions, styles)."""
    return np.stack([log_shares(choices, weights)[choices.chosen] for weights in styles], axis=1)


def predict(choices: Choices, styles: Floats) -> Floats:
    """Return the log-likelihood of each chosen move in a mixture of styles, inferred during the game."""
    evidence: defaultdict[tuple[int, int], Floats] = defaultdict(lambda: np.zeros(len(styles)))
    found = np.zeros(len(choices.chosen))
    for index, each in enumerate(likelihoods(choices, styles)):
        player = int(choices.games[index]), int(choices.seats[index])
        found[index] = math.log(weigh_styles(list(evidence[player])) @ np.exp(each))
        evidence[player] += np.maximum(each, math.log(LEAST_LIKELIHOOD))
    return found


def mean_and_error(values: Floats, games: NDArray[np.int64]) -> str:
    """Return the mean of ``values`` and its standard error, if those of a game depend on each other.

    Values that are not numbers give a dash.
    """
    mean = values.mean()
    if math.isnan(mean):
        return "–"
    sums = np.bincount(games, values - mean)
    count = len(np.unique(games))
    error = math.sqrt(sums @ sums * count / max(count - 1, 1)) / len(values)
    return f"{mean:.3f} ± {error:.3f}"


def habits(name: str, choices: Choices) -> list[str]:
    """Return a row of the first table."""
    chosen = choices.traits[choices.chosen]
    is_wall = chosen[:, WALL] > 0
    walls, steps = chosen[is_wall], chosen[~is_wall]
    could = np.maximum.reduceat(choices.traits[:, WALL_BEHIND], choices.starts) > 0
    parts = (
        is_wall,
        is_wall[could],
        walls[:, BLOCKS] > 0,
        (walls[:, BLOCKS] == 0) & (walls[:, BLOCK_OTHERS] > 0),
        walls[:, IDLE] > 0,
        steps[:, GAIN] > 0,
    )
    shares = (f"{100 * part.mean():.0f} %" if len(part) else "–" for part in parts)
    return [name, str(len(np.unique(choices.games))), str(len(chosen)), *shares]


def forecast(name: str, choices: Choices, league: Floats, fitted: dict[str, list[Floats]]) -> list[Floats]:
    """Return what each column of the second table predicts of a player, in the order of halves.

    ``fitted`` has the style of each program by half of the games.
    """
    columns: list[list[Floats]] = []
    for half in HALVES:
        test, tuning = half_of(choices, half), half_of(choices, 1 - half)
        styles = {program: parts[1 - half] for program, parts in fitted.items()}
        others = [style for program, style in styles.items() if program != name]
        best = likelihoods(tuning, league).mean(axis=0).argmax()
        own = styles.get(name)
        columns.append([
            -np.log(np.diff([*test.starts, len(test.traits)])),
            likelihoods(test, league[best : best + 1])[:, 0],
            predict(test, league),
            predict(test, np.stack([*league, *styles.values()])),
            predict(test, np.stack([*league, *others])),
            np.full(len(test.chosen), np.nan) if own is None else likelihoods(test, own[None])[:, 0],
        ])  # fmt: skip
    return [np.concatenate(parts) for parts in zip(*columns, strict=True)]


@click.command()
@click.argument("folder", type=FOLDER)
def main(folder: Path) -> None:
    """Print how players of recorded games move, and how well the opponent model predicts them."""
    players = read_games(folder)
    fitted = fit_halves(players, folder)
    league = load_arrays(STYLES)["weights"][[NAMES.index(name) for name in dict.fromkeys(STYLE_OF.values())]]
    print_table(
        "how players move",
        ["player", "games", "moves", "walls", "behind", "leader", "others", "idle", "forward"],
        [habits(name, choices) for name, choices in sorted(players.items())],
    )
    rows, everything, numbers = [], [], []
    for name, choices in sorted(players.items()):
        values = forecast(name, choices, league, fitted)
        games = np.concatenate([half_of(choices, half).games for half in HALVES])
        rows.append([name, *(mean_and_error(each, games) for each in values)])
        if name in fitted:
            everything.append(values)
            numbers.append(games)
    together = [np.concatenate(column) for column in zip(*everything, strict=True)]
    games = np.concatenate(numbers)
    rows.append(["programs", *(mean_and_error(each, games) for each in together)])
    rows.append(["gain", "", "", "", *(mean_and_error(each - together[2], games) for each in together[3:])])
    heads = ["player", "uniform", "best style", "league", "fitted", "others", "own style"]
    print_table("log-likelihood of a move, in nats", heads, rows)


if __name__ == "__main__":
    main()
