"""Positions for tests of the engine."""

from __future__ import annotations

import random

from quoridor_net.rules import Position, Step


def random_position(source: random.Random, plies: int) -> Position:
    """Return a position that random moves lead to, half of them steps; before the last one if that wins."""
    position = Position()
    while len(position.history) < plies:
        moves = position.legal_moves()
        steps = [move for move in moves if isinstance(move, Step)]
        position.push(source.choice(steps if steps and source.random() < 0.5 else moves))
        if position.turn is None:
            position.pop()
            break
    return position
