"""Steps beside a wall that show where an engine believes the wall to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from attrs import frozen

from quoridor_net.moves import Orientation, Square, Wall
from quoridor_net.notation.athens import format_vertex

_H, _V = Orientation.HORIZONTAL, Orientation.VERTICAL

#: An edge between two squares.
Edge = frozenset[Square]


@frozen
class Probe:
    """One step beside a wall.

    Attributes:
        steps: commands that move the white pawn next to the place of the wall.
        wall: command that places the wall.
        tried: command that tries the step.
        is_closed: whether the wall blocks the step.
        edge: the edge that the step crosses.
        placed: the wall.
    """

    steps: tuple[str, ...]
    wall: str
    tried: str
    is_closed: bool
    edge: Edge
    placed: Wall


def edges_of(wall: Wall) -> set[Edge]:
    """Return the edges that ``wall`` blocks."""
    c, r = wall.column, wall.row
    if wall.orientation is _H:
        return {frozenset({Square(k, r), Square(k, r + 1)}) for k in (c, c + 1)}
    return {frozenset({Square(c, k), Square(c + 1, k)}) for k in (r, r + 1)}


#: Misreadings of a wall, by code; each returns the edges that the wall would block.
_READINGS: tuple[tuple[str, Callable[[Wall], set[Edge]]], ...] = (
    ("QTP-143", lambda wall: edges_of(Wall(wall.column, wall.row - 1, wall.orientation))),
    ("QTP-144", lambda wall: edges_of(Wall(wall.column, wall.row, _V if wall.orientation is _H else _H))),
    ("QTP-145", lambda wall: edges_of(wall) & {_first(wall)}),
    ("QTP-147", lambda _wall: set()),
)


def _first(wall: Wall) -> Edge:
    here = Square(wall.column, wall.row)
    across = (
        Square(here.column, here.row + 1) if wall.orientation is _H else Square(here.column + 1, here.row)
    )
    return frozenset({here, across})


@lru_cache
def probes_of() -> tuple[Probe, ...]:
    """Return the probes of one horizontal and one vertical wall."""
    probes = []
    for wall in (Wall(4, 4, _H), Wall(4, 4, _V)):
        closed = edges_of(wall)
        edges = dict.fromkeys(sorted(closed, key=sorted))
        for _, reading in _READINGS:
            edges.update(dict.fromkeys(sorted(reading(wall), key=sorted)))
        probes += [_probe(wall, edge, is_closed=edge in closed) for edge in edges]
    return tuple(probes)


def _probe(wall: Wall, edge: Edge, *, is_closed: bool) -> Probe:
    # Step from the lower square, because white comes from below.
    here, there = sorted(edge, key=lambda square: (-square.row, square.column))
    way = [Square(4, row) for row in range(7, here.row - 1, -1)]
    way += [Square(column, here.row) for column in range(5, here.column + 1)]
    way += [Square(column, here.row) for column in range(3, here.column - 1, -1)]
    steps = tuple(f"playmove white {format_vertex(square)}" for square in way)
    written = f"playwall black {format_vertex(Square(wall.column, wall.row))} {wall.orientation.name.lower()}"
    return Probe(steps, written, f"playmove white {format_vertex(there)}", is_closed, edge, wall)


def misreading_of(closed: Sequence[bool]) -> str:
    """Return the code that explains which of the probed steps an engine rejects."""
    probes = probes_of()
    for code, reading in _READINGS:
        if [probe.edge in reading(probe.placed) for probe in probes] == list(closed):
            return code
    return "QTP-146"
