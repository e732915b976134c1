"""Flood fills: distances and shortest paths over squares. Pawns do not block paths."""

from __future__ import annotations

from attrs import frozen

from quoridor_net.rules.walls import WallSet


@frozen
class Path:
    """A shortest path and the walls that would cut it.

    Attributes:
        numbers: the squares from the start (included) to the goal line.
        cut_horizontal: anchors of the horizontal walls that would close a step of it.
        cut_vertical: likewise for vertical walls.
    """

    numbers: tuple[int, ...]
    cut_horizontal: int
    cut_vertical: int


def distance(walls: WallSet, start: int, goal: int) -> int | None:
    """Return the number of steps from square ``start`` to the set ``goal``; None when cut off."""
    stride = walls.board.stride
    east, south = walls.east_open, walls.south_open
    reached = 1 << start
    steps = 0
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
        reached = grown
        steps += 1
    return steps


def shortest_path(walls: WallSet, start: int, goal: int) -> Path | None:
    """Return a shortest path from square ``start`` to the set ``goal``, or None when there is none."""
    stride = walls.board.stride
    east, south = walls.east_open, walls.south_open
    reached = 1 << start
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
    arrived = reached & goal
    here = arrived & -arrived
    number = here.bit_length() - 1
    numbers = [number]
    cut_horizontal = cut_vertical = 0
    for layer in reversed(layers[:-1]):
        # A horizontal wall closes the steps below its anchor and below the square right of it.
        if here >> stride & south & layer:
            number -= stride
            cut_horizontal |= 1 << number | (1 << number) >> 1
        elif (here & south) << stride & layer:
            cut_horizontal |= 1 << number | (1 << number) >> 1
            number += stride
        elif here >> 1 & east & layer:
            number -= 1
            cut_vertical |= 1 << number | (1 << number) >> stride
        else:
            cut_vertical |= 1 << number | (1 << number) >> stride
            number += 1
        here = 1 << number
        numbers.append(number)
    anchors = walls.board.anchors
    return Path(tuple(reversed(numbers)), cut_horizontal & anchors, cut_vertical & anchors)
