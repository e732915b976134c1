"""A slow and simple second implementation of the rules: sets of squares, and one search per wall.

Written from the rules in docs/decisions.md and the coordinates of the 2016 document, independently of the
project's bit sets.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise

from quoridor_net.rules import (
    TURN_ORDER,
    Jumps,
    Move,
    Orientation,
    Position,
    Square,
    Step,
    Termination,
    Wall,
)

Place = tuple[int, int]
H, V = Orientation.HORIZONTAL, Orientation.VERTICAL


class Reference:
    """One game, kept as on paper."""

    def __init__(self, size: int, players: int, walls: int, jumps: Jumps) -> None:
        middle, last = size // 2, size - 1
        starts = {1: (middle, 0), 2: (middle, last), 3: (0, middle), 4: (last, middle)}
        self.size = size
        self.jumps = jumps
        self.order = TURN_ORDER[players]
        self.pawns = {player: starts[player] for player in self.order}
        self.left = dict.fromkeys(self.order, walls)
        self.walls: set[Wall] = set()
        self.closed: set[frozenset[Place]] = set()
        self.turn: int | None = 1
        self.winner: int | None = None
        self.ending: Termination | None = None

    def at_goal(self, player: int, place: Place) -> bool:
        column, row = place
        last = self.size - 1
        return {1: row == last, 2: row == 0, 3: column == last, 4: column == 0}[player]

    def edges(self, wall: Wall) -> list[frozenset[Place]]:
        column, row = wall.column, wall.row
        if wall.orientation is H:
            pairs = [((column + i, row), (column + i, row + 1)) for i in (0, 1)]
        else:
            pairs = [((column, row + i), (column + 1, row + i)) for i in (0, 1)]
        return [frozenset(pair) for pair in pairs]

    def is_open(self, here: Place, there: Place) -> bool:
        on_board = 0 <= there[0] < self.size and 0 <= there[1] < self.size
        return on_board and frozenset((here, there)) not in self.closed

    def around(self, here: Place) -> list[Place]:
        column, row = here
        places = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
        return [place for place in places if self.is_open(here, place)]

    def distance(self, player: int) -> int | None:
        start = self.pawns[player]
        steps = {start: 0}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            if self.at_goal(player, here):
                return steps[here]
            for place in self.around(here):
                if place not in steps:
                    steps[place] = steps[here] + 1
                    waiting.append(place)
        return None

    def steps(self, player: int) -> set[Place]:
        here = self.pawns[player]
        occupied = set(self.pawns.values())
        if self.jumps is Jumps.CLASSROOM:
            return self.classroom_steps(here, occupied, {here})
        found = set()
        for place in self.around(here):
            if place not in occupied:
                found.add(place)
                continue
            behind = (2 * place[0] - here[0], 2 * place[1] - here[1])
            if self.is_open(place, behind) and behind not in occupied:
                found.add(behind)
            else:
                found |= {side for side in self.around(place) if side not in occupied}
        return found

    def classroom_steps(self, here: Place, occupied: set[Place], visited: set[Place]) -> set[Place]:
        found = set()
        for place in self.around(here):
            if place not in occupied:
                found.add(place)
            elif place not in visited:
                visited.add(place)
                found |= self.classroom_steps(place, occupied, visited)
        return found

    def wall_fits(self, wall: Wall) -> bool:
        across = Wall(wall.column, wall.row, V if wall.orientation is H else H)
        edges = self.edges(wall)
        if across in self.walls or any(edge in self.closed for edge in edges):
            return False
        self.closed |= set(edges)
        has_paths = all(self.distance(player) is not None for player in self.pawns)
        self.closed -= set(edges)
        return has_paths

    def wall_moves(self) -> set[Wall]:
        numbers = range(self.size - 1)
        walls = (Wall(column, row, way) for column in numbers for row in numbers for way in (H, V))
        return {wall for wall in walls if self.wall_fits(wall)}

    def moves(self) -> set[Move]:
        assert self.turn is not None
        moves: set[Move] = {Step(Square(*place)) for place in self.steps(self.turn)}
        if self.left[self.turn]:
            moves |= self.wall_moves()
        return moves

    def play(self, move: Move) -> None:
        player = self.turn
        assert player is not None
        if isinstance(move, Step):
            self.pawns[player] = (move.square.column, move.square.row)
            if self.at_goal(player, self.pawns[player]):
                self.turn, self.winner, self.ending = None, player, Termination.GOAL
                return
        else:
            self.walls.add(move)
            self.closed |= set(self.edges(move))
            self.left[player] -= 1
        self.give_turn_after(player)

    def give_turn_after(self, player: int) -> None:
        index = self.order.index(player) + 1
        for candidate in self.order[index:] + self.order[:index]:
            if candidate in self.pawns and (
                self.steps(candidate) or (self.left[candidate] and self.wall_moves())
            ):
                self.turn = candidate
                return
        self.turn, self.ending = None, Termination.NO_MOVES

    def eliminate(self, player: int) -> None:
        del self.pawns[player]
        self.left[player] = 0
        if len(self.pawns) == 1:
            self.turn, self.ending = None, Termination.LAST_PLAYER
            (self.winner,) = self.pawns
        elif player == self.turn:
            self.give_turn_after(player)


def assert_same(position: Position, reference: Reference) -> None:
    assert position.turn == reference.turn
    assert position.winner == reference.winner
    assert position.ending == reference.ending
    assert set(position.walls) == reference.walls
    assert position.alive == tuple(player for player in reference.order if player in reference.pawns)
    for player in reference.order:
        place = reference.pawns.get(player)
        assert position.pawn(player) == (None if place is None else Square(*place))
        assert position.walls_left(player) == reference.left[player]
        steps = None if place is None else reference.distance(player)
        assert position.distance(player) == steps
        path = position.shortest_path(player)
        if place is None:
            assert path == []
            continue
        assert len(path) - 1 == steps
        assert path[0] == Square(*place)
        assert reference.at_goal(player, (path[-1].column, path[-1].row))
        for here, there in pairwise(path):
            assert (there.column, there.row) in reference.around((here.column, here.row))


def assert_same_moves(position: Position, reference: Reference) -> list[Move]:
    moves = position.legal_moves
    assert len(moves) == len(set(moves))
    assert set(moves) == (reference.moves() if reference.turn else set())
    return moves
