"""Functions that the two searches with a tree share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from attrs import evolve

from quoridor_net.engine.board.convert import moves_since
from quoridor_net.engine.board.moves import PLIES
from quoridor_net.engine.limits import Choice
from quoridor_net.rules import Position

#: The transposition table, which handles few positions, gets the tree's memory divided by this in addition.
_SHARE_OF_TABLE = 8
#: Maximum share of a move's time for rerooting.
_MOST_OF_TIME = 0.25


def table_beside(tree_mb: int) -> int:
    """Return the megabytes for the transposition table beside a tree of ``tree_mb``."""
    return max(tree_mb // _SHARE_OF_TABLE, 1)


def is_worth_keeping(cost: float, seconds: float | None) -> bool:
    """Return whether rerooting, which takes ``cost`` seconds, leaves enough of the ``seconds`` for a move."""
    return seconds is None or cost <= _MOST_OF_TIME * seconds


def find_node(
    root: Position | None, position: Position, find_child: Callable[[int, int], int]
) -> tuple[int, int]:
    """Return the number of the node of ``position`` in a tree, negative for none, and its depth in plies.

    Args:
        root: the position of node 0, None for an empty tree.
        position: the position to find.
        find_child: returns the number of the node that a move leads to from a node, negative for none.
    """
    moves = None if root is None else moves_since(root, position)
    if moves is None:
        return -1, 0
    node = 0
    for move in moves:
        if node >= 0:
            node = find_child(node, move)
    return node, len(moves)


def best_line(edge: int, child_of: Callable[[int], int], best_edge: Callable[[int], int]) -> list[int]:
    """Return ``edge`` and the best edges after it, as far as the tree goes.

    Args:
        edge: number of an edge.
        child_of: returns the number of the node that an edge leads to, negative for none.
        best_edge: returns the number of the best edge of a node, negative for none.
    """
    line = [edge]
    while len(line) < PLIES and (node := child_of(line[-1])) >= 0 and (after := best_edge(node)) >= 0:
        line.append(after)
    return line


def cap_scores(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """Return the choices, none with a higher score than those before it."""
    lowest = accumulate((choice.score for choice in choices), min)
    return tuple(evolve(choice, score=score) for choice, score in zip(choices, lowest, strict=True))
