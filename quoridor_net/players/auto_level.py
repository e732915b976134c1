"""The level of the engine that follows a person's results from game to game."""

from __future__ import annotations

from quoridor_net.players.spec import LEVEL_FOR_PEOPLE

#: The lowest and highest level of the engine, and the level of a person's first game.
WEAKEST, STRONGEST, FIRST = 1, 10, LEVEL_FOR_PEOPLE


def next_level(level: int, person: int, winner: int | None) -> int:
    """Return the level of a person's next game: a win raises it by one, a loss lowers it, a draw keeps it.

    Args:
        level: the level of the game.
        person: player number of the person.
        winner: player number of the winner; None for a draw.
    """
    step = 0 if winner is None else 1 if winner == person else -1
    return min(max(level + step, WEAKEST), STRONGEST)
