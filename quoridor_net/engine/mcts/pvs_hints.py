"""Principal variation search of likely positions, whose best moves become hints to the tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from attrs import Factory, define

from quoridor_net.engine import scores
from quoridor_net.engine.alphabeta.deepening import Deepening
from quoridor_net.engine.board.moves import PLIES
from quoridor_net.engine.board.state import Frame
from quoridor_net.engine.mcts import stack, tree
from quoridor_net.engine.mcts.hints import advance_root, give_hint
from quoridor_net.engine.mcts.memory import TreeMemory
from quoridor_net.jit.records import RecordView, new_record

#: Growth of the nodes from one pass to the next, and the minimum nodes that make a pass worthwhile.
_GROWTH = 2.5
_LEAST_NODES = 100


@define
class HintSearch:
    """The state of principal variation search in a position.

    Attributes:
        depth: depth of the last full pass, in plies.
        nodes: nodes of the last pass.
        score: score of the best move, None if unknown.
        order: the moves, best first; empty before the first pass.
    """

    depth: int = 0
    nodes: int = 0
    score: int | None = None
    order: list[int] = Factory(list)

    @property
    def needs(self) -> float:
        """Estimated number of nodes of the next pass."""
        return max(_GROWTH * self.nodes, _LEAST_NODES)

    @property
    def is_final(self) -> bool:
        """Whether a deeper search is of no use."""
        is_decided = self.score is not None and abs(self.score) > scores.DOUBTFUL
        return is_decided or self.depth >= PLIES - 2


class PvsHints:
    """The hints that principal variation search gives a tree.

    PVS sees far along moves that the prior thinks unlikely, so it misses other things than the tree.

    Args:
        pvs: principal variation search, prepared for the position at the root.
        memory: the tree.

    Attributes:
        searches: the searches from this root. The keys are moves from there, because nodes may be replaced;
            None is the root itself.
    """

    def __init__(self, pvs: Deepening, memory: TreeMemory) -> None:
        self._pvs = pvs
        self._memory = memory
        self.searches: dict[int | None, HintSearch] = {}

    def search(self, edge: int | None, allowance: int) -> int:
        """Search deeper from the node at the root's edge if the budget allows, and give the tree a hint.

        Args:
            edge: number of the edge, None for the root itself.
            allowance: approximate node limit.

        Returns:
            The number of nodes searched.
        """
        memory, state = self._memory, self._pvs.state
        node = 0 if edge is None else memory.child_of(edge)
        # A node that is about to be replaced takes no hints.
        if node < 0 or memory.nodes[node].coverage == tree.NOT_ENOUGH:
            return 0
        hint = self.searches.setdefault(None if edge is None else memory.move_of(edge), HintSearch())
        if self._pvs.is_stopped or allowance < hint.needs or hint.is_final:
            return 0
        before = int(state.nodes)
        with self.after(edge) as unsorted:
            moves = hint.order or unsorted
            self._deepen(hint, moves, allowance)
            if hint.score is not None:
                hint.order = moves
                parent_edge = -1 if edge is None else edge
                give_hint(state, self._pvs.net, memory.tree, node, parent_edge, moves[0], hint.score)
        return int(state.nodes) - before

    def _deepen(self, hint: HintSearch, moves: list[int], allowance: int) -> None:
        """Search the position in the first frame with as many deeper passes as ``allowance`` covers."""
        pvs = self._pvs
        end = int(pvs.state.nodes) + allowance
        while not hint.is_final:
            before = int(pvs.state.nodes)
            if end - before < hint.needs:
                break
            pvs.resume(2 * (end - before))
            choice = pvs.search_root(moves, hint.depth + 1, hint.score)
            hint.nodes = int(pvs.state.nodes) - before
            if choice is not None:
                hint.score = choice.score
            if pvs.is_stopped or pvs.is_paused:
                break
            hint.depth += 1

    @contextmanager
    def after(self, edge: int | None) -> Iterator[list[int]]:
        """Load the position after an edge of the root into the first frame, and yield its moves."""
        pvs, state = self._pvs, self._pvs.state
        first, saved = (cast("RecordView", frame) for frame in (state.frames[0], new_record(Frame)))
        saved.copy_from(first)
        past_count = int(state.past_count)
        moves = list(pvs.order)
        if edge is not None:
            advance_root(state, pvs.net, self._memory.move_of(edge))
            moves = [int(move) for move in state.root_moves[: state.root_count]]
        try:
            yield moves
        finally:
            first.copy_from(saved)
            state.past_count = past_count
            stack.refresh(state, pvs.net, 0)
