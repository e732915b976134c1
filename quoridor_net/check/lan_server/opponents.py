"""The other players in the checker's games, which test what the server knows of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, compress, pairwise

from quoridor_net.check.lan_server.views import View
from quoridor_net.moves import Move, Orientation, Square, Step, Wall, walls_between
from quoridor_net.rules import Illegality, Position
from quoridor_net.rules.legality import why_wall_does_not_fit

#: Chooses a move for the player to move.
Opponent = Callable[[Position], Move]


class Builder:
    """Places walls that distinguish misreadings, then walls in the way.

    Args:
        victim: the player to hinder.
        truth: the view without a misreading.
        views: views of possible misreadings.
        tests: number of walls that only distinguish views.
        scores: scores of the misreadings in earlier games, by key.
        harmless: whether those walls must be out of the victim's way.
        waits: number of moves to waste first, so that games differ.
    """

    def __init__(
        self,
        victim: int,
        truth: View,
        views: Sequence[View] = (),
        tests: int = 0,
        scores: Mapping[str, int] | None = None,
        *,
        harmless: bool = True,
        waits: int = 0,
    ) -> None:
        self._victim = victim
        self._views = [truth, *views]
        self._tests = tests
        self._scores = scores or {}
        self._harmless = harmless
        self._waits = waits
        # Codes that already had a trap.
        self._trapped: set[str] = set()

    def __call__(self, position: Position) -> Move:
        """Return a wall, or a step when none is left or fits."""
        legal = position.legal_walls
        if self._waits > 0:
            self._waits -= 1
            return find_harmless_move(position)
        if self._tests > 0:
            self._tests -= 1
            wall = self._test(legal)
            if wall is not None:
                return wall
        return self._trap(legal) or self._block(position, legal) or waste_move(position)

    def _trap(self, legal: Sequence[Wall]) -> Wall | None:
        """Return the wall after which most misreadings would make the player walk through a wall."""
        truth, *views = [view for view in self._views if view.is_possible]
        # Codes that already had a trap count less.
        worth = [1 if view.misreading.code in self._trapped else 9 for view in views]
        best, most, caught = None, 0, set[str]()
        near = truth.near_walls()
        for wall in legal:
            if wall not in near:
                continue
            possible = truth.steps_after(wall)
            is_caught = [not view.shortest_steps_after(wall) & possible for view in views]
            total = sum(compress(worth, is_caught))
            if total > most:
                best, most = wall, total
                caught = {view.misreading.code for view in compress(views, is_caught)}
        self._trapped |= caught
        return best

    def _block(self, position: Position, legal: Sequence[Wall]) -> Wall | None:
        """Return a wall across a shortest path."""
        for here, there in list(pairwise(position.shortest_path(self._victim)))[:2]:
            for wall in walls_between(here, there):
                if wall in legal:
                    return wall
        return None

    def _test(self, legal: Sequence[Wall]) -> Wall | None:
        """Return the wall that distinguishes most views, or None if none distinguishes any."""
        views = [view for view in self._views if view.is_possible]
        before = [view.shortest_steps() for view in views]
        near = [view.near_walls() for view in views]
        near_any = frozenset[Wall]().union(*near)
        known = [self._scores.get(view.misreading.key, 0) + view.fits for view in views]
        pairs = [
            (one, other)
            for one, other in combinations(range(len(views)), 2)
            if known[one] == known[other] and views[one].misreading.code != views[other].misreading.code
        ]
        # Harmless walls come first, because they cannot end the game.
        best: dict[bool, tuple[int, Wall]] = {}
        for wall in legal:
            is_harmless = wall not in near[0]
            if wall not in near_any or (self._harmless and not is_harmless):
                continue
            after = [
                view.shortest_steps_after(wall) if wall in walls else steps
                for view, walls, steps in zip(views, near, before, strict=True)
            ]
            distinguished = sum(not after[one] & after[other] for one, other in pairs)
            if distinguished > best.get(is_harmless, (0, None))[0]:
                best[is_harmless] = distinguished, wall
        return next((best[kind][1] for kind in (True, False) if kind in best), None)


class Planned:
    """Makes given moves while they are legal, and then those of another opponent.

    Args:
        moves: the first moves.
        then: chooses the later moves; by default, walls that hinder nobody.
    """

    def __init__(self, moves: Sequence[Move] = (), then: Opponent | None = None) -> None:
        self._moves = list(moves)
        self._then = find_harmless_move if then is None else then

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        if self._moves and position.why_illegal(move := self._moves.pop(0)) is None:
            return move
        self._moves.clear()
        return self._then(position)


class RacingOpponent:
    """Walks along a shortest path to the square before its goal line.

    Args:
        then: chooses the moves from there.
    """

    def __init__(self, then: Opponent) -> None:
        self._then = then

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        assert position.turn is not None
        way = position.shortest_path(position.turn)
        step = Step(way[1])
        is_there = len(way) == 2 or step not in position.legal_steps
        return self._then(position) if is_there else step


class Trapper:
    """Places a wall when a player stands on a square, and otherwise hinders nobody.

    Args:
        victim: the player.
        square: the square on which it must stand.
        wall: the wall to place.
    """

    def __init__(self, victim: int, square: Square, wall: Wall) -> None:
        self._victim = victim
        self._square = square
        self._wall = wall

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        is_due = position.pawn(self._victim) == self._square and position.is_legal(self._wall)
        return self._wall if is_due else find_harmless_move(position)


class Crosser:
    """Places walls so that the most effective wall against a player would illegally cross one of them.

    Args:
        victim: the player.
        truth: the view without a misreading.
    """

    def __init__(self, victim: int, truth: View) -> None:
        self._victim = victim
        self._truth = truth

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        here = position.pawn(self._victim)
        legal = set(position.legal_walls)
        near = [] if here is None else _walls_about(here)
        worth = {wall: self._temptation(wall, near) for wall in near if wall in legal}
        best = max(worth, key=lambda wall: worth[wall], default=None)
        return waste_move(position) if best is None or worth[best] <= 0 else best

    def _temptation(self, wall: Wall, near: Sequence[Wall]) -> int:
        """Return how many more steps a crossing wall would cost than the best legal one, after ``wall``."""
        truth, victim = self._truth, self._victim
        walls = truth.with_wall(truth.walls, wall)
        way = truth.way(victim, walls) or 0
        costs = {True: 0, False: 0}
        for other in near:
            reason = why_wall_does_not_fit(walls, other)
            if reason is None or reason.kind is Illegality.CROSS:
                # A wall that shuts the player in does not count, because most servers check for that.
                longer = truth.way(victim, truth.with_wall(walls, other)) or way
                costs[reason is not None] = max(costs[reason is not None], longer - way)
        return costs[True] - costs[False]


def _walls_about(square: Square) -> list[Wall]:
    """Return the walls whose centers are at most 1.5 squares from ``square`` in both directions."""
    columns = [column for column in range(square.column - 2, square.column + 2) if 0 <= column <= 7]
    rows = [row for row in range(square.row - 2, square.row + 2) if 0 <= row <= 7]
    return [Wall(column, row, way) for way in Orientation for column in columns for row in rows]


class Meeter:
    """Moves its pawn into the way of another, which then has to jump.

    Args:
        victim: the player to meet.
        builds: whether to place a wall behind its pawn, so that the jump goes sideways.
    """

    def __init__(self, victim: int, *, builds: bool = False) -> None:
        self._victim = victim
        self._builds = builds

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        assert position.turn is not None
        me = position.turn
        here, there = position.pawn(me), position.pawn(self._victim)
        assert here is not None
        assert there is not None
        if is_in_the_way(position, me, self._victim):
            behind = Square(2 * here.column - there.column, 2 * here.row - there.row)
            walls = walls_between(here, behind) if self._builds else []
            wall = next((wall for wall in walls if position.is_legal(wall)), None)
            return wall or find_harmless_move(position)
        moves: list[Move] = [*position.legal_steps, *_walls_near(position, there)]
        for move in moves:
            position.push(move)
            meets = not position.is_over and is_in_the_way(position, me, self._victim)
            position.pop()
            if meets:
                return move
        nearest = min(position.legal_steps, key=lambda step: self._way(position, step), default=None)
        return nearest or find_harmless_move(position)

    def _way(self, position: Position, step: Step) -> tuple[int, int]:
        """Return how far its pawn is from the victim's path after ``step``."""
        way = position.shortest_path(self._victim)
        ahead = way[min(2, len(way) - 1)]
        across = abs(step.square.column - ahead.column), abs(step.square.row - ahead.row)
        return sum(across), min(across)


def is_in_the_way(position: Position, player: int, victim: int) -> bool:
    """Return whether every shortest path of ``victim`` starts with the square of ``player``."""
    here, pawn = position.pawn(victim), position.pawn(player)
    way = position.shortest_path(victim)
    if here is None or pawn is None or way[1:2] != [pawn]:
        return False
    # No other step may lead to the goal as fast.
    walls = position.walls
    others = [square for square in neighbours(here) if square != pawn]
    blocked = set(walls)
    for square in others:
        if (
            blocked.isdisjoint(walls_between(here, square))
            and _distance(position, square, victim) < len(way) - 1
        ):
            return False
    return True


def _distance(position: Position, square: Square, player: int) -> int:
    """Return the distance of ``player`` from its goal if it stood on ``square``, in steps."""
    pawns = [square if number == player else None for number in range(1, position.players + 1)]
    moved = Position.setup(pawns, [0] * position.players, position.walls, player)
    return moved.distance(player) or 0


def neighbours(square: Square) -> list[Square]:
    """Return the squares adjacent to ``square``."""
    near = ((0, 1), (1, 0), (0, -1), (-1, 0))
    found = [Square(square.column + across, square.row + down) for across, down in near]
    return [square for square in found if 0 <= square.column <= 8 and 0 <= square.row <= 8]


def _walls_near(position: Position, square: Square) -> list[Wall]:
    """Return the walls that can be placed around ``square``."""
    walls = {wall for there in neighbours(square) for wall in walls_between(square, there)}
    return sorted(wall for wall in walls if position.is_legal(wall))


def find_harmless_move(position: Position) -> Move:
    """Return a wall at the left or right edge, away from the straight paths, or a step if there is none."""
    walls = [Wall(column, row, Orientation.HORIZONTAL) for row in range(8) for column in (0, 7)]
    return next((wall for wall in walls if position.is_legal(wall)), None) or waste_move(position)


def waste_move(position: Position) -> Move:
    """Return the step that leads farthest from the goal, or any move if there is no step."""
    player = position.turn
    assert player is not None

    def way_after(step: Step) -> int:
        position.push(step)
        way = position.distance(player) or 0
        position.pop()
        return way

    return max(position.legal_steps, key=way_after, default=None) or position.legal_moves[0]
