"""The kernel makes and unmakes moves as the rules do: walks up and down random lines of play."""

from __future__ import annotations

import random

import numpy as np
import pytest

from quoridor_net.engine.board.convert import load_position, move_of, new_state, number_of
from quoridor_net.engine.board.distances import flood_all, flood_rest
from quoridor_net.engine.board.make import make_move, make_wall
from quoridor_net.engine.board.movegen import generate_legal_moves
from quoridor_net.engine.board.moves import WINS
from quoridor_net.rules import Illegality, Jumps, Move, Orientation, Position, Wall

pytestmark = pytest.mark.compiled("engine")

#: Fields of a frame that depend on the position alone.
BOARD = ("passages", "fits", "touched", "tied", "pawns", "walls_left", "turn", "key", "wall_count")
#: Plies of a line, and moves that are made in lines from one position.
DEEPEST = 30
MOVES = 300


class Walk:
    """One position as the rules keep it, and the frames that the kernel has made on the way there.

    Attributes:
        made: moves that were made and compared.
    """

    def __init__(self, source: random.Random, size: int, players: int, jumps: Jumps) -> None:
        self._source = source
        self._size = size
        self._state = new_state(size, players)
        self._fresh = new_state(size, players)
        self._players = players
        self._jumps = jumps
        self.made = 0

    def walk(self) -> None:
        """Make and unmake moves from a random position."""
        source = self._source
        self.position = self._random_position()
        self.ply = 0
        load_position(self._state, self.position)
        assert flood_all(self._state, 0)
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
                # Without a history, so that the walk takes back only its own moves.
                return Position.from_line(position.to_line(), self._jumps)

    def _choose(self, position: Position) -> Move:
        moves = position.legal_steps
        if moves and self._source.random() < 0.5:
            return self._source.choice(moves)
        return self._source.choice(position.legal_moves)

    def _make(self) -> None:
        position, state = self.position, self._state
        flood_rest(state, self.ply)
        if position.legal_steps and self._source.random() < 0.5:
            step = self._source.choice(position.legal_steps)
            outcome = make_move(state, self.ply, number_of(step, self._size))
            position.push(step)
            assert (outcome == WINS) == (position.winner is not None)
            position.pop()
            self._follow(step)
            return
        wall = self._random_wall()
        reason = position.why_illegal(wall)
        # The kernel is given no others.
        if reason is None or reason.kind is Illegality.NO_PATH:
            is_legal = make_wall(state, self.ply, number_of(wall, self._size))
            assert is_legal == (reason is None), (position, wall)
            self.made += 1
            if reason is None:
                self._follow(wall)

    def _random_wall(self) -> Wall:
        source, numbers = self._source, range(self._size - 1)
        return Wall(source.choice(numbers), source.choice(numbers), source.choice(tuple(Orientation)))

    def _follow(self, move: Move) -> None:
        """Make the same move by the rules, and compare if the next player in order moves."""
        position = self.position
        order, mover = position.order, position.turn
        assert mover is not None
        seat = order.index(mover)
        position.push(move)
        self.made += 1
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
        """Compare the frame with one that is filled from the position of the rules."""
        position, frame, fresh = self.position, self._state.frames[self.ply], self._fresh.frames[0]
        load_position(self._fresh, position)
        for field in BOARD:
            assert np.array_equal(getattr(frame, field), getattr(fresh, field)), field
        placed = [state.placed[: frame.wall_count] for state in (self._state, self._fresh)]
        assert sorted(placed[0]) == sorted(placed[1])
        for seat, player in enumerate(position.order):
            if player in position.alive:
                assert frame.distances[seat] == position.distance(player)
        if self._source.random() < 0.2:
            total = generate_legal_moves(self._state, self.ply)
            found = [move_of(int(move), self._size) for move in self._state.lists[self.ply].moves[:total]]
            assert len(found) == len(set(found))
            assert set(found) == set(position.legal_moves)


def walk(size: int, players: int, jumps: Jumps, moves: int) -> None:
    course = Walk(random.Random(f"{size} {players} {jumps}"), size, players, jumps)
    while course.made < moves:
        course.walk()


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", [3, 5, 9, 11])
def test_hundreds_of_moves_agree_with_the_rules(size: int, players: int, jumps: Jumps) -> None:
    walk(size, players, jumps, 500)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", range(3, 12))
def test_three_million_moves_agree_with_the_rules(size: int, players: int, jumps: Jumps) -> None:
    walk(size, players, jumps, 3_000_000 // 36)
