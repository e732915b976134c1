"""Positions for tests of the engine."""

from __future__ import annotations

import random

from quoridor_net.rules import Jumps, Position, Square, Step, Wall


def play_randomly(position: Position, source: random.Random, plies: int) -> None:
    """Play this many random moves, half of them steps, but stop before a winning one."""
    for _ in range(plies):
        moves = position.legal_moves
        steps = [move for move in moves if isinstance(move, Step)]
        position.push(source.choice(steps if steps and source.random() < 0.5 else moves))
        if position.turn is None:
            position.pop()
            return


def random_position(source: random.Random, plies: int, size: int = 9) -> Position:
    """Return the position after this many random moves."""
    position = Position(size)
    play_randomly(position, source, plies)
    return position


def crowded_position(source: random.Random, size: int, players: int, jumps: Jumps) -> Position:
    """Return an undecided position with a few walls, all pawns in one group and a random player to move."""
    while True:
        board = Position(size, players, size, jumps)
        for _ in range(source.randrange(size)):
            walls = [move for move in board.legal_moves if isinstance(move, Wall)]
            if not walls:
                break
            board.push(source.choice(walls))
        pawns = [Square(source.randrange(size), source.randrange(size))]
        while len(pawns) < players:
            near = source.choice(pawns)
            column, row = source.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
            column, row = near.column + column, near.row + row
            if column in range(size) and row in range(size) and Square(column, row) not in pawns:
                pawns.append(Square(column, row))
        source.shuffle(pawns)
        turn = source.choice(board.order)
        try:
            position = Position.setup(pawns, [1] * players, board.walls, turn, size, jumps)
        except ValueError:
            # Two pawns are on their goal lines.
            continue
        if position.turn is not None:
            return position
