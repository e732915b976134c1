"""Everything that can be done with a position, in any order, against a second implementation."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from quoridor_net.rules import (
    IllegalMoveError,
    Jumps,
    Move,
    Orientation,
    Ply,
    Position,
    Square,
    Step,
    Wall,
)
from tests.support.reference_rules import Reference, assert_same, assert_same_moves

NUMBERS = st.integers(-1, 9)
MOVES = st.one_of(
    st.builds(Step, st.builds(Square, NUMBERS, NUMBERS)),
    st.builds(Wall, NUMBERS, NUMBERS, st.sampled_from(Orientation)),
)


class Positions(RuleBasedStateMachine):
    """One position, its expected state, and the states before each ply."""

    largest = 5

    @initialize(
        data=st.data(),
        players=st.sampled_from([2, 4]),
        walls=st.integers(0, 6),
        jumps=st.sampled_from(Jumps),
    )
    def begin(self, data: st.DataObject, players: int, walls: int, jumps: Jumps) -> None:
        size = data.draw(st.integers(3, self.largest))
        self.jumps = jumps
        self.position = Position(size, players, walls, jumps)
        self.now = Reference(size, players, walls, jumps)
        self.before: list[tuple[Reference, Ply]] = []

    def is_going_on(self) -> bool:
        return self.now.turn is not None

    def remember(self, player: int | None, move: Move | None) -> None:
        assert player is not None
        self.before.append((deepcopy(self.now), Ply(player, move)))

    def push(self, move: Move) -> None:
        self.remember(self.now.turn, move)
        self.position.push(move)
        self.now.play(move)

    @precondition(is_going_on)
    @rule(data=st.data())
    def push_any(self, data: st.DataObject) -> None:
        self.push(data.draw(st.sampled_from(self.position.legal_moves)))

    @precondition(lambda self: self.is_going_on() and self.position.legal_steps)
    @rule(data=st.data())
    def push_step(self, data: st.DataObject) -> None:
        self.push(data.draw(st.sampled_from(self.position.legal_steps)))

    @precondition(lambda self: self.is_going_on() and self.position.legal_walls)
    @rule(data=st.data())
    def push_wall(self, data: st.DataObject) -> None:
        self.push(data.draw(st.sampled_from(self.position.legal_walls)))

    @rule(move=MOVES)
    def try_any(self, move: Move) -> None:
        is_legal = self.is_going_on() and move in self.now.moves()
        assert self.position.is_legal(move) == is_legal
        reason = self.position.why_illegal(move)
        assert (reason is None) == is_legal
        if reason is not None:
            with pytest.raises(IllegalMoveError) as caught:
                self.position.push(move)
            assert caught.value.reason == reason

    @rule()
    def compare_moves(self) -> None:
        assert_same_moves(self.position, self.now)

    @precondition(lambda self: self.is_going_on() and len(self.now.pawns) > 1)
    @rule(data=st.data())
    def eliminate(self, data: st.DataObject) -> None:
        player = data.draw(st.sampled_from(sorted(self.now.pawns)))
        self.remember(player, None)
        self.position.eliminate(player)
        self.now.eliminate(player)

    @rule(count=st.integers(1, 5))
    def pop(self, count: int) -> None:
        for _ in range(min(count, len(self.before))):
            self.now, ply = self.before.pop()
            assert self.position.peek() == ply
            assert self.position.pop() == ply
        if not self.before:
            with pytest.raises(IndexError):
                self.position.pop()

    @rule(goes_on_with_copy=st.booleans())
    def copy(self, goes_on_with_copy: bool) -> None:
        twin = self.position.copy()
        used, self.position = (self.position, twin) if goes_on_with_copy else (twin, self.position)
        if used.turn is not None:
            used.push(used.legal_moves[0])
        while used.history:
            used.pop()

    @rule()
    def root(self) -> None:
        first = self.before[0][0] if self.before else self.now
        assert_same(self.position.root(), first)

    @rule(goes_on_with_it=st.booleans())
    def write_and_read_line(self, goes_on_with_it: bool) -> None:
        twin = Position.from_line(self.position.to_line(), self.jumps)
        assert twin == self.position
        assert twin.key == self.position.key
        assert twin.legal_moves == self.position.legal_moves
        if goes_on_with_it:
            # A line has no history.
            self.position = twin
            self.before.clear()

    @invariant()
    def agree(self) -> None:
        assert_same(self.position, self.now)
        assert self.position.history == tuple(ply for _, ply in self.before)


class LargerPositions(Positions):
    largest = 9


def explore(machine: type[Positions], examples: int, steps: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_calls_in_any_order_agree_on_small_boards() -> None:
    explore(Positions, 40, 25)


@pytest.mark.slow
def test_calls_in_any_order_agree_up_to_the_usual_size() -> None:
    explore(LargerPositions, 400, 80)
