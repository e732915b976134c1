"""Opponents that leave the server no step but a jump to the side, wherever it walks."""

from __future__ import annotations

from collections import deque

from attrs import frozen

from quoridor_net.check.lan_server.opponents import find_harmless_move, neighbours, waste_move
from quoridor_net.moves import Move, Square, Step, Wall, walls_between
from quoridor_net.rules import Position

#: Numbers of the server, and of the player that gets in its way; the others place walls. A pawn that starts
#: before the server arrives at the right moment, and need not place walls to wait.
VICTIM, BLOCKER = 2, 1

#: Maximum distance at which that pawn waits, in steps: walls against it should not lie in the corner.
NEAR = 4


@frozen
class Corner:
    """A square where the server can be cornered, on its way up a column.

    Attributes:
        square: the square.
        exit: the square above and beside it; the server must be able to jump there.
    """

    square: Square
    exit: Square

    @property
    def front(self) -> Square:
        """The square in front of it, for the blocking pawn."""
        return Square(self.square.column, self.square.row - 1)

    @property
    def sides(self) -> list[tuple[Square, Square]]:
        """The ways to the left and to the right."""
        return [(self.square, beside) for beside in neighbours(self.square) if beside.row == self.square.row]

    @property
    def ends(self) -> list[tuple[Square, Square]]:
        """The way back, and the way on behind the blocking pawn."""
        column, row = self.square.column, self.square.row
        return [(self.square, Square(column, row + 1)), (self.front, Square(column, row - 2))]

    def wall(self, position: Position, here: Square, there: Square) -> Wall | None:
        """Return a legal wall between two neighbours that leaves the exit open; None if there is none."""
        kept = walls_between(self.front, self.exit)
        # The upper one of two vertical walls, so that none crosses a wall across the way back.
        fitting = (wall for wall in walls_between(here, there) if wall not in kept)
        return next((wall for wall in fitting if position.is_legal(wall)), None)


class Cornering:
    """The opponents of a server that is player 2 of four.

    Two of them place walls beside a square on its way, and the third waits until it stands there. Then they
    close the way back and the way ahead, except for a jump to one side. When the server leaves this way, they
    choose another square.

    Args:
        is_early: whether to choose the first square on its way instead of the last. Early is better against
            servers that change their way, late against those that place walls against a pawn that is ahead.
    """

    def __init__(self, *, is_early: bool) -> None:
        self._is_early = is_early
        self._corner: Corner | None = None

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        if self._corner is None or self._wait_for(position, self._corner) is None:
            self._corner = _find_corner(position, is_early=self._is_early)
        corner = self._corner
        if position.turn == BLOCKER:
            step = _approach(position) if corner is None else self._block(position, corner)
            return step or find_harmless_move(position)
        wall = None if corner is None else self._build(position, corner)
        # Without a wall to place here, save the walls.
        return wall or waste_move(position)

    def _wait_for(self, position: Position, corner: Corner) -> int | None:
        """Return the number of steps until the server stands in the corner.

        Return None if it goes elsewhere, or if the blocking pawn comes too late.
        """
        way = position.shortest_path(VICTIM)
        if corner.square not in way[:-1] or not _is_open(position, corner.front, corner.exit):
            return None
        number = way.index(corner.square)
        is_in_time = _way_of_blocker(position, corner.front) <= number + 1
        return number if way[number + 1] == corner.front and is_in_time else None

    def _build(self, position: Position, corner: Corner) -> Wall | None:
        is_there = position.pawn(VICTIM) == corner.square
        for here, there in [*corner.sides, *(corner.ends if is_there else [])]:
            if _is_open(position, here, there):
                return corner.wall(position, here, there)
        return None

    def _block(self, position: Position, corner: Corner) -> Step | None:
        """Return a step that lets the pawn arrive with the server, not before; None if it is there."""
        wait = self._wait_for(position, corner) or 0
        if position.pawn(BLOCKER) == corner.front:
            return None
        ways = _ways_to(position, corner.front)
        least, most = min(wait, 1), min(wait, NEAR)
        in_time = [step for step in _steps(position) if least <= ways.get(step.square, 99) <= most]
        if in_time:
            return max(in_time, key=lambda step: ways[step.square])
        return _step_to(position, corner.front)


def _approach(position: Position) -> Step | None:
    """Return a step towards the middle of the server's way."""
    way = position.shortest_path(VICTIM)
    return _step_to(position, way[len(way) // 2])


def _step_to(position: Position, target: Square) -> Step | None:
    """Return the first step on a shortest path to ``target``; None without a step."""
    ways = _ways_to(position, target)
    return min(_steps(position), key=lambda step: ways.get(step.square, 99), default=None)


def _steps(position: Position) -> list[Step]:
    """Return the legal steps of the blocking pawn, except those that win."""
    return [step for step in position.legal_steps if step.square.row < 8]


def _find_corner(position: Position, *, is_early: bool) -> Corner | None:
    """Return a corner that the opponents can prepare in time; None if there is none."""
    way = position.shortest_path(VICTIM)
    numbers = range(1, len(way) - 1)
    for number in numbers if is_early else reversed(numbers):
        back, square, front = way[number - 1 : number + 2]
        if not (back.row - 1 == square.row == front.row + 1) or front.row == 0:
            continue
        if _way_of_blocker(position, front) > number + 1:
            continue
        for side in neighbours(front):
            corner = Corner(square, side)
            if side.row == front.row and _is_open(position, front, side) and _can_close(position, corner):
                return corner
    return None


def _way_of_blocker(position: Position, front: Square) -> int:
    here = position.pawn(BLOCKER)
    return 99 if here is None else _ways_to(position, front).get(here, 99)


def _can_close(position: Position, corner: Corner) -> bool:
    return all(
        not _is_open(position, here, there) or corner.wall(position, here, there)
        for here, there in (*corner.sides, *corner.ends)
    )


def _is_open(position: Position, here: Square, there: Square) -> bool:
    return set(walls_between(here, there)).isdisjoint(position.walls)


def _ways_to(position: Position, target: Square) -> dict[Square, int]:
    """Return the number of steps from each square to ``target``; pawns do not block them."""
    blocked = set(position.walls)
    ways, waiting = {target: 0}, deque([target])
    while waiting:
        here = waiting.popleft()
        for there in neighbours(here):
            if there not in ways and blocked.isdisjoint(walls_between(here, there)):
                ways[there] = ways[here] + 1
                waiting.append(there)
    return ways
