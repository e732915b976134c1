"""Flood fills: distances and shortest paths over squares. Pawns do not block paths."""

from __future__ import annotations

from attrs import frozen

from quoridor_net.rules.walls import WallSet


@frozen
class Path:
    """A shortest path and the walls that would cut it.

    Attributes:
        numbers: the squares from the start (included) to the goal line.
        cuts: anchors of the (horizontal, vertical) walls that would close a step of it.
    """

    numbers: tuple[int, ...]
    cuts: tuple[int, int]


def distance(walls: WallSet, start: int, goal: int) -> int | None:
    """Return the number of steps from square ``start`` to the set ``goal``; None when cut off."""
    layers = _layers(walls, 1 << start, goal)
    return None if layers is None else len(layers) - 1


def find_nearest(walls: WallSet, squares: int, goal: int) -> int:
    """Return those of ``squares`` (a set) that are closest to the set ``goal``; 0 when all are cut off."""
    # One flood from the goal, instead of one from each square.
    layers = _layers(walls, goal, squares)
    return 0 if layers is None else layers[-1] & squares


def shortest_path(walls: WallSet, start: int, goal: int) -> Path | None:
    """Return a shortest path from square ``start`` to the set ``goal``, or None when there is none."""
    layers = _layers(walls, 1 << start, goal)
    if layers is None:
        return None
    stride = walls.board.stride
    east, south = walls.east_open, walls.south_open
    arrived = layers.pop() & goal
    here = arrived & -arrived
    number = here.bit_length() - 1
    numbers = [number]
    horizontal = vertical = 0
    for layer in reversed(layers):
        # A horizontal wall closes the steps below its anchor and below the square right of it.
        if here >> stride & south & layer:
            number -= stride
            horizontal |= 1 << number | (1 << number) >> 1
        elif (here & south) << stride & layer:
            horizontal |= here | here >> 1
            number += stride
        elif here >> 1 & east & layer:
            number -= 1
            vertical |= 1 << number | (1 << number) >> stride
        else:
            vertical |= here | here >> stride
            number += 1
        here = 1 << number
        numbers.append(number)
    anchors = walls.board.anchors
    return Path(tuple(reversed(numbers)), (horizontal & anchors, vertical & anchors))


def _layers(walls: WallSet, start: int, goal: int) -> list[int] | None:
    """Return the squares within 0, 1, ... steps of the set ``start``, up to ``goal``; None if cut off."""
    stride = walls.board.stride
    east, south = walls.east_open, walls.south_open
    reached = start
    layers = [reached]
    while not reached & goal:
        grown = (
            reached
            | (reached & east) << 1
            | (reached & south) << stride
            | reached >> 1 & east
            | reached >> stride & south
        )
        if grown == reached:
            return None
        layers.append(grown)
        reached = grown
    return layers
