"""Games of the engine at fixed seeds and node limits: every move, score, depth and node count.

``tests/data/engine_games.txt`` contains them. A change that only renames or moves code must not alter them.
After a change to the engine's play, record them again with

    python -m tests.support.recorded_games
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from attrs import Factory, field, frozen

from quoridor_net.engine import Analysis, Limits
from quoridor_net.engine.searcher import Searcher
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import Jumps, Move, Position, Step, Wall
from tests.support.ground_truth import DATA

FILE = DATA / "engine_games.txt"

#: The searches for two players on 9x9, with the weights that choose them.
SEARCHES: dict[str, dict[str, int]] = {"mcts": {}, "pvs": {"tree": 0}, "linear": {"tree": 0, "network": 0}}


@frozen(kw_only=True)
class RecordedGame:
    """The settings of a recorded game.

    Attributes:
        name: identifier in the file.
        size: side length of the board, in squares.
        players: 2 or 4.
        walls: walls of each player.
        jumps: the jump rule.
        opening: random plies before the first search.
        plies: maximum number of searches.
        limits: limits of each search.
        multipv: number of moves that each search scores.
        steps_only: whether the searches consider only steps.
        table_mb: memory for the searcher, in megabytes.
        weights: changed weights, by name.
    """

    name: str
    size: int = 9
    players: int = 2
    walls: int = 10
    jumps: Jumps = Jumps.OFFICIAL
    opening: int = 4
    plies: int = 10
    limits: Limits = field(default=Limits(nodes=2000))
    multipv: int = 1
    steps_only: bool = False
    table_mb: int = 2
    weights: dict[str, int] = Factory(dict)


def _games() -> Iterator[RecordedGame]:
    """Yield the settings of every recorded game."""
    for jumps in Jumps:
        rule = f"jumps={jumps.value}"
        for walls, opening in ((10, 0), (10, 6), (10, 16), (3, 6), (1, 4)):
            for search, weights in SEARCHES.items():
                yield RecordedGame(
                    name=f"{search} walls={walls} opening={opening} {rule}",
                    walls=walls, opening=opening, jumps=jumps, weights=weights,
                )  # fmt: skip
        # Long enough for hints of PVS, for multivisits, and to fill the tree.
        for opening in (2, 8, 14):
            yield RecordedGame(
                name=f"mcts nodes=30000 opening={opening} {rule}",
                opening=opening, jumps=jumps, plies=5, limits=Limits(nodes=30_000), table_mb=1,
            )  # fmt: skip
        for search, weights in SEARCHES.items():
            yield RecordedGame(name=f"multipv=3 {search} {rule}", jumps=jumps, multipv=3, weights=weights)
        yield RecordedGame(name=f"steps only {rule}", jumps=jumps, steps_only=True)
        yield RecordedGame(name=f"depth=3 {rule}", jumps=jumps, limits=Limits(depth=3), plies=5)
        for size, walls in ((3, 1), (4, 2), (5, 3), (6, 4), (7, 5), (8, 6), (11, 9)):
            yield RecordedGame(name=f"size={size} walls={walls} {rule}", size=size, walls=walls, jumps=jumps)
        for size, walls in ((5, 2), (7, 4), (9, 5), (11, 6)):
            yield RecordedGame(
                name=f"players=4 size={size} walls={walls} {rule}",
                size=size, players=4, walls=walls, jumps=jumps, plies=12, limits=Limits(nodes=3000),
            )  # fmt: skip
        yield RecordedGame(name=f"players=4 multipv=3 {rule}", players=4, walls=5, jumps=jumps, multipv=3)
        yield RecordedGame(
            name=f"two plies size=12 {rule}", size=12, walls=3, jumps=jumps, plies=2, limits=Limits(nodes=400)
        )
    for level, players in product((1, 3, 5, 7, 9), (2, 4)):
        limits = Limits(level=level, nodes=5000)
        yield RecordedGame(name=f"level={level} players={players}", players=players, plies=6, limits=limits)


GAMES = {game.name: game for game in _games()}


def play(game: RecordedGame) -> list[str]:
    """Play ``game`` and return one line per search.

    Random moves, half of them steps, lead to the first position, so that it has walls.
    """
    source = random.Random(game.name)
    position = Position(game.size, game.players, game.walls, game.jumps)
    for _ in range(game.opening):
        kind = source.choice((Step, Wall))
        moves = position.legal_moves
        position.push(source.choice([move for move in moves if isinstance(move, kind)] or moves))
        if position.turn is None:
            position.pop()
    seed = source.randrange(1000)
    searcher = Searcher(game.size, game.players, game.table_mb, seed, weights=game.weights)
    lines = []
    for _ in range(game.plies):
        if position.turn is None:
            break
        steps = [move for move in position.legal_moves if isinstance(move, Step)]
        found = searcher.choose(position, game.limits, game.multipv, moves=steps if game.steps_only else None)
        lines.append(_line(found))
        position.push(found.move)
    return lines


def _line(found: Analysis) -> str:
    """Return depth, nodes, and the score and expected line of each choice."""
    choices = [f"{choice.score} {_moves(choice.line)}" for choice in found.choices]
    return f"depth {found.depth} nodes {found.nodes}: {', '.join(choices)}"


def _moves(moves: tuple[Move, ...]) -> str:
    return " ".join(format_move(move) for move in moves[:4])


def read_recorded() -> dict[str, list[str]]:
    """Return the lines of every game in the file, by its name."""
    games: dict[str, list[str]] = {}
    for line in FILE.read_text("ascii").splitlines():
        name, _, searches = line.partition("; ")
        games[name] = searches.split("; ")
    return games


def record() -> None:
    """Play all games and write the file."""
    lines = ["; ".join([name, *play(game)]) for name, game in GAMES.items()]
    FILE.write_text("\n".join(lines) + "\n", "ascii")


if __name__ == "__main__":
    record()
