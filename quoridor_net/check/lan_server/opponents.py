"""What the other players do in the checker's games, so that every rule of the server's is put to the test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from quoridor_net.check.lan_server.views import View
from quoridor_net.moves import Move, Orientation, Square, Step, Wall
from quoridor_net.rules import Position

#: Returns the move of the player to move.
Opponent = Callable[[Position], Move]


def walls_between(here: Square, there: Square) -> list[Wall]:
    """Return the walls that would close the step between two neighbouring squares."""
    column, row = min(here.column, there.column), min(here.row, there.row)
    if here.row == there.row:
        return [Wall(column, row - 1, Orientation.VERTICAL), Wall(column, row, Orientation.VERTICAL)]
    return [Wall(column - 1, row, Orientation.HORIZONTAL), Wall(column, row, Orientation.HORIZONTAL)]


class Builder:
    """Places walls: first such that only a server that misreads them sees itself blocked, then real blocks.

    Args:
        victim: the player in whose way the walls are.
        views: how that player may misread walls.
        decoys: how many walls are of the first kind.
    """

    def __init__(self, victim: int, views: Sequence[View], decoys: int) -> None:
        self._victim = victim
        self._views = views
        self._decoys = decoys
        # By view, which decoys stand in its way; views with the same ones cannot be told apart yet.
        self._classes: dict[int, tuple[bool, ...]] = dict.fromkeys(range(len(views)), ())

    def __call__(self, position: Position) -> Move:
        """Return a wall, or a step when none is left or fits."""
        ways = list(pairwise(position.shortest_path(self._victim)))
        legal = position.legal_walls
        if not ways or not legal:
            return idle(position)
        front = [wall for wall in walls_between(*ways[0]) if wall in legal]
        if self._decoys > 0:
            self._decoys -= 1
            decoy = self._decoy(legal, front)
            if decoy is not None:
                return decoy
        for here, there in ways[:2]:
            walls = [wall for wall in walls_between(here, there) if wall in legal]
            if walls:
                return max(walls, key=self._misses(walls_between(here, there)))
        return idle(position)

    def _misses(self, blocks: list[Wall]) -> Callable[[Wall], int]:
        """Return how to count the views in which a wall does not stand where it is."""
        return lambda wall: sum(view.misreading.others(wall) not in blocks for view in self._views)

    def _decoy(self, legal: Sequence[Wall], front: list[Wall]) -> Wall | None:
        """Return the wall that tells most views apart without being in the way; None if none tells any."""
        best, most = None, len(set(self._classes.values()))
        found: dict[int, tuple[bool, ...]] = {}
        for wall in legal:
            if wall in front:
                continue
            classes = {
                number: (*self._classes[number], view.misreading.others(wall) in front)
                for number, view in enumerate(self._views)
                if view.is_possible
            }
            if len(set(classes.values())) > most:
                best, most, found = wall, len(set(classes.values())), classes
        if best is not None:
            self._classes.update(found)
        return best


class Evader:
    """Steps aside first and builds then: a server that does not see the step finds its goal square taken.

    Args:
        builder: what builds.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._has_stepped = False

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        if not self._has_stepped:
            self._has_stepped = True
            return idle(position)
        return self._builder(position)


class Meeter:
    """Walks up to a pawn so that it has to jump.

    Args:
        victim: the player to meet.
        waits: whether to lose a move first, so that it is the other's turn when the pawns meet.
        builds: whether to place a wall behind the own pawn then, so that the jump goes sideways.
    """

    def __init__(self, victim: int, *, waits: bool = False, builds: bool = False) -> None:
        self._victim = victim
        self._waits = waits
        self._builds = builds

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        assert position.turn is not None
        here, there = position.pawn(position.turn), position.pawn(self._victim)
        assert here is not None
        assert there is not None
        if self._waits:
            self._waits = False
            return aside(position)
        if abs(here.column - there.column) + abs(here.row - there.row) == 1:
            behind = Square(2 * here.column - there.column, 2 * here.row - there.row)
            walls = walls_between(here, behind) if self._builds else []
            self._builds = False
            wall = next((wall for wall in walls if wall in position.legal_walls), None)
            return wall or aside(position)

        def way(step: Step) -> tuple[int, int]:
            across = abs(step.square.column - there.column), abs(step.square.row - there.row)
            return sum(across), min(across)

        return min(position.legal_steps, key=way, default=None) or aside(position)


def aside(position: Position) -> Move:
    """Return a wall in a corner where it hinders nobody, or a step."""
    corners = ((0, 0), (7, 7), (0, 7), (7, 0))
    walls = [Wall(column, row, Orientation.HORIZONTAL) for column, row in corners]
    return next((wall for wall in walls if wall in position.legal_walls), None) or idle(position)


def idle(position: Position) -> Move:
    """Return a step that wins nothing, or any move."""
    player = position.turn
    assert player is not None

    def way_after(step: Step) -> int:
        position.push(step)
        way = position.distance(player) or 0
        position.pop()
        return way

    return max(position.legal_steps, key=way_after, default=None) or position.legal_moves[0]
