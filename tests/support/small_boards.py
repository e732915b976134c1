"""A slow but independent solver of small positions that uses only the rules library."""

from __future__ import annotations

from collections import defaultdict

from quoridor_net.rules import Position
from quoridor_net.rules.position import PositionKey

#: Placeholder for the player to move after a winning move.
_WON = -1


def solve(start: Position) -> dict[PositionKey, int]:
    """Return the outcome of every position that can be reached from ``start``, for the player to move.

    n means that it wins in n plies, -n that it loses in n plies, and 0 a draw.
    """
    children: dict[PositionKey, list[PositionKey]] = {}
    outcomes: dict[PositionKey, int] = {}
    mover: dict[PositionKey, int] = {}
    _explore(start.copy(), children, mover)
    parents: dict[PositionKey, list[PositionKey]] = defaultdict(list)
    for key, followers in children.items():
        for follower in followers:
            parents[follower].append(key)
    open_moves = {key: len(followers) for key, followers in children.items()}
    level = [key for key in children if mover[key] == _WON]
    outcomes.update(dict.fromkeys(level, 0))
    plies = 0
    while level:
        plies += 1
        following: list[PositionKey] = []
        for key in level:
            for parent in parents[key]:
                if parent in outcomes:
                    continue
                # The same player may move twice, because the other had no move.
                wins = mover[key] == _WON or (outcomes[key] > 0) == (mover[key] == mover[parent])
                open_moves[parent] -= 1
                if wins or open_moves[parent] == 0:
                    outcomes[parent] = plies if wins else -plies
                    following.append(parent)
        level = following
    return {key: outcomes.get(key, 0) for key in children if children[key]}


def _explore(
    position: Position, children: dict[PositionKey, list[PositionKey]], mover: dict[PositionKey, int]
) -> None:
    waiting = [position]
    while waiting:
        here = waiting.pop()
        if here.key in children:
            continue
        children[here.key] = followers = []
        mover[here.key] = here.turn or (_WON if here.winner else 0)
        for move in here.legal_moves if here.turn is not None else []:
            here.push(move)
            followers.append(here.key)
            if here.key not in children:
                waiting.append(here.copy())
            here.pop()
