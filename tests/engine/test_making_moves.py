"""The kernel makes and unmakes moves as the rules do: walks up and down random lines of play."""

from __future__ import annotations

import random

import pytest

from quoridor_net.engine import layout
from quoridor_net.engine.floods import flood_all
from quoridor_net.engine.memory import load, new_memory, number_of, numbers_in
from quoridor_net.engine.plays import find_paths, flood_rest, legal_walls, play_step, play_wall
from quoridor_net.engine.sets import is_goal, steps
from quoridor_net.rules import Illegality, Jumps, Move, Orientation, Position, Step, Wall

pytestmark = pytest.mark.compiled("engine")

#: Plies of a line, and moves that are made in lines from one position.
DEEPEST = 30
MOVES = 300


def row_at(ply: int) -> int:
    return layout.ROWS + ply * layout.ROW


class Walk:
    """One position as the rules keep it, and the rows that the kernel has made on the way there.

    Attributes:
        made: moves that were made and compared.
    """

    def __init__(self, source: random.Random, size: int, players: int, jumps: Jumps) -> None:
        self._source = source
        self._size = size
        self._memory = new_memory(size, players)
        self._fresh = new_memory(size, players)
        self._players = players
        self._jumps = jumps
        self.made = 0

    def walk(self) -> None:
        """Make and unmake moves from a random position."""
        source = self._source
        self.position = self._random_position()
        self.ply = 0
        load(self._memory, self.position)
        assert flood_all(self._memory, 0) == 1
        for _ in range(MOVES):
            if self.ply and (self.ply == DEEPEST or source.random() < 0.4):
                self._unmake()
            else:
                self._make()

    def _random_position(self) -> Position:
        source = self._source
        while True:
            position = Position(self._size, self._players, source.randrange(12), self._jumps)
            for _ in range(source.randrange(4 * self._size)):
                if position.turn is None:
                    break
                if self._players == 4 and source.random() < 0.02:
                    position.eliminate(source.choice(position.alive))
                else:
                    position.push(self._choose(position))
            if position.turn is not None:
                # Without a history: what is taken back is what this walk has made.
                return Position.from_line(position.to_line(), self._jumps)

    def _choose(self, position: Position) -> Move:
        moves = position.legal_steps
        if moves and self._source.random() < 0.5:
            return self._source.choice(moves)
        return self._source.choice(position.legal_moves)

    def _make(self) -> None:
        position, memory = self.position, self._memory
        flood_rest(memory, self.ply)
        if position.legal_steps and self._source.random() < 0.5:
            step = self._source.choice(position.legal_steps)
            play_step(memory, self.ply, number_of(step, self._size))
            self._follow(step)
            return
        wall = self._random_wall()
        reason = position.why_illegal(wall)
        # The kernel is given no others.
        if reason is None or reason.kind is Illegality.NO_PATH:
            is_legal = play_wall(memory, self.ply, number_of(wall, self._size))
            assert is_legal == (reason is None), (position, wall)
            self.made += 1
            if reason is None:
                self._follow(wall)

    def _random_wall(self) -> Wall:
        source, numbers = self._source, range(self._size - 1)
        return Wall(source.choice(numbers), source.choice(numbers), source.choice(tuple(Orientation)))

    def _follow(self, move: Move) -> None:
        """Make the same move by the rules, and compare if the game goes on with the player who follows."""
        position, memory = self.position, self._memory
        order, mover = position.order, position.turn
        assert mover is not None
        seat = order.index(mover)
        position.push(move)
        self.made += 1
        if isinstance(move, Step):
            square = number_of(move, self._size)
            assert bool(is_goal(memory, seat, square)) == (position.winner == mover)
        following = next(
            player for player in (*order[seat + 1 :], *order[: seat + 1]) if player in position.alive
        )
        if position.turn != following:
            # The game is over, or somebody is passed over, which the kernel leaves to its caller.
            position.pop()
            return
        self.ply += 1
        self._compare()

    def _unmake(self) -> None:
        self.position.pop()
        self.ply -= 1
        self._compare()

    def _compare(self) -> None:
        """Compare the row with one that is filled from the position of the rules."""
        position, memory, fresh, row = self.position, self._memory, self._fresh, row_at(self.ply)
        load(fresh, position)
        assert (memory[row : row + layout.SLOT] == fresh[layout.ROWS : layout.ROWS + layout.SLOT]).all()
        for field in (layout.WALL_KEY, layout.WALL_COUNT):
            assert memory[row + field] == fresh[layout.ROWS + field]
        walls = int(memory[row + layout.WALL_COUNT])
        placed = memory[layout.PLACED : layout.PLACED + walls], fresh[layout.PLACED : layout.PLACED + walls]
        assert sorted(placed[0]) == sorted(placed[1])
        for seat, player in enumerate(position.order):
            if player in position.alive:
                assert memory[row + layout.DISTANCE + seat] == position.distance(player)
        legal_steps = {number_of(step, self._size) for step in position.legal_steps}
        assert set(numbers_in(*(int(word) for word in steps(memory, row)))) == legal_steps
        if self._source.random() < 0.05:
            self._compare_walls()

    def _compare_walls(self) -> None:
        assert find_paths(self._memory, self.ply) == 1
        h_low, h_high, v_low, v_high = map(int, legal_walls(self._memory, self.ply))
        found = {layout.HORIZONTAL + anchor for anchor in numbers_in(h_low, h_high)}
        found |= {layout.VERTICAL + anchor for anchor in numbers_in(v_low, v_high)}
        assert found == {number_of(wall, self._size) for wall in self.position.legal_walls}


def walk(size: int, players: int, jumps: Jumps, moves: int) -> None:
    course = Walk(random.Random(f"{size} {players} {jumps}"), size, players, jumps)
    while course.made < moves:
        course.walk()


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", [3, 5, 9, 11])
def test_a_thousand_moves(size: int, players: int, jumps: Jumps) -> None:
    walk(size, players, jumps, 1000)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", range(3, 12))
def test_three_million_moves(size: int, players: int, jumps: Jumps) -> None:
    walk(size, players, jumps, 3_000_000 // 36)
