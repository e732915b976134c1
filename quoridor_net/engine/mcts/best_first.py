"""Best-first search as a method of the searcher; it keeps its tree between the moves of a game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import cast

from attrs import Factory, define, evolve

from quoridor_net.engine import scores
from quoridor_net.engine.alphabeta.deepening import ALL_NODES, Deepening
from quoridor_net.engine.board.convert import move_of, moves_since
from quoridor_net.engine.board.moves import PLIES
from quoridor_net.engine.board.state import Frame
from quoridor_net.engine.evaluation.network import SCALE
from quoridor_net.engine.limits import Analysis, Choice, wins_in
from quoridor_net.engine.mcts import search, stack, tree
from quoridor_net.engine.mcts.backup import is_root_proven
from quoridor_net.engine.mcts.evaluate import is_decided
from quoridor_net.engine.mcts.hints import advance_root, give_hint
from quoridor_net.engine.mcts.memory import TreeMemory
from quoridor_net.engine.mcts.reroot import reroot
from quoridor_net.engine.mcts.worker import Worker
from quoridor_net.jit.records import RecordView, new_record
from quoridor_net.rules import Move, Position

#: The transposition table, which handles few positions, gets the tree's memory divided by this in addition.
_SHARE_OF_TABLE = 8
#: Seconds to reroot a tree, per edge, and the maximum share of a move's time for it.
_SECONDS_AN_EDGE = 3e-8
_MOST_OF_TIME = 0.25
#: PVS gets a turn after this many playouts.
_PLAYOUTS_AT_ONCE = 600
#: Growth of the nodes from one pass to the next, and the minimum nodes that make a pass worthwhile.
_GROWTH = 2.5
_LEAST_NODES = 100
#: The root's hints get the rest of the budget divided by this.
_ROOT_WAITS = 3
#: Clamp: averages closer to 1 carry no score information.
_SUREST = 0.99999


@define
class _HintSearch:
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


class BestFirst(Deepening):
    """The strongest search for two players on 7x7 to 11x11, guided by the network.

    With a depth limit or in a decided race it uses iterative deepening instead.
    """

    def __init__(self, size: int, players: int, table_mb: int, weights: dict[str, int] | None = None) -> None:
        super().__init__(size, players, max(table_mb // _SHARE_OF_TABLE, 1), weights)
        self._memory = TreeMemory(table_mb)
        self._tree, self._nodes, self._edges = self._memory.tree, self._memory.nodes, self._memory.edges
        self._playout = new_record(tree.Playout)
        # The workers of all searches so far, and those of the running search.
        self._workers: list[Worker] = []
        self._helpers: list[Worker] = []
        self._root: Position | None = None

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""
        super().clear()
        self._root = None

    def stop(self) -> None:
        """Make a running search answer at once."""
        super().stop()
        # In this order, because helpers copy the flag with the rest of the state.
        self._stop_helpers()

    def _stop_helpers(self) -> None:
        for worker in self._helpers:
            worker.stop()

    def prepare(
        self,
        position: Position,
        order: list[Move],
        nodes: int | None,
        seconds: float | None = None,
        threads: int = 1,
    ) -> None:
        """Load ``position`` for a search of the legal moves in ``order``, the first of them first."""
        super().prepare(position, order, nodes, seconds)
        self._threads = threads
        self._helpers = []
        self._write_root_moves(self._order)
        node, plies = self._node_of(position)
        costs = self._tree.edge_count * _SECONDS_AN_EDGE
        if node < 0 or (node > 0 and seconds is not None and costs > _MOST_OF_TIME * seconds):
            tree.clear(self._tree)
        elif node > 0:
            reroot(self._state, self._tree, self._playout, node, plies)
        self._tree.root_ply = position.ply
        self._root = position.copy()

    def _node_of(self, position: Position) -> tuple[int, int]:
        """Return the number of the node of ``position``, negative if it has none, and its depth in plies."""
        moves = None if self._root is None else moves_since(self._root, position)
        if moves is None or not self._tree.node_count:
            return tree.NO_NODE, 0
        node = 0
        for move in moves:
            node = tree.find_child(self._tree, node, move)
            if node < 0:
                return tree.NO_NODE, 0
        return node, len(moves)

    def run(self, depth: int | None, top: int) -> Analysis:
        """Search until stopped or until the best move is proven, and score the best ``top`` moves."""
        # Deepening plays out decided races.
        if depth is not None or is_decided(self._state, 0):
            return super().run(depth, top)
        with self._sharing_tree():
            self._grow()
        visited = self._visited()
        if not visited or self._is_lost(visited[0]):
            seen = {self._move(edge) for edge in visited}
            self._order = [move for move in self._order if move not in seen]
            # An unvisited move is hardly worse than a move known to lose.
            glance = self._search_one_ply() if self._order else []
            if glance and (not visited or glance[0].score > self._choice_of(visited[0]).score):
                return Analysis(tuple(glance), 0, self._nodes_searched)
        choices: list[Choice] = []
        for edge in visited[:top]:
            choice = self._choice_of(edge)
            if choices and choice.score > choices[-1].score:
                choice = evolve(choice, score=choices[-1].score)
            choices.append(choice)
        return Analysis(tuple(choices), len(choices[0].line), self._nodes_searched)

    def _grow(self) -> None:
        """Grow the tree, with hints from principal variation search.

        PVS sees far along moves that the prior thinks unlikely, so it misses other things than the tree.
        """
        state = self._state
        share = int(state.weights.hint_nodes)
        # Keyed by the move from the root, because nodes may be replaced.
        self._hint_searches: dict[int | None, _HintSearch] = {}
        allowance = spent = before = 0
        while True:
            self.resume(_PLAYOUTS_AT_ONCE if share else None)
            # Even without time, a cleared tree gets its root.
            search.grow(state, self._net, self._tree, self._playout)
            if self.is_stopped or is_root_proven(self._tree):
                break
            # The other threads continued during the last hints.
            playouts = self._nodes_searched - spent
            allowance += (playouts - before) * share // 100
            before = playouts
            best = tree.best_edge(self._tree, 0)
            cost = 0 if best < 0 else self._hint(best, allowance)
            cost += self._hint(None, (allowance - cost) // _ROOT_WAITS)
            spent += cost
            allowance -= cost
        self.resume(None)

    @property
    def _nodes_searched(self) -> int:
        """Number of nodes that all threads have searched."""
        return int(self._state.nodes) + sum(worker.nodes for worker in self._helpers)

    @contextmanager
    def _sharing_tree(self) -> Iterator[None]:
        """Run the other threads on the tree within the block, and wait for them at its end.

        They are stopped at the end, unless only this thread has used up its share of the nodes.
        """
        self._share_nodes()
        if not self._helpers:
            yield
            return
        self._tree.is_shared = 1
        try:
            with ThreadPoolExecutor(len(self._helpers)) as pool:
                searches = [pool.submit(self._help, worker) for worker in self._helpers]
                try:
                    yield
                finally:
                    if is_root_proven(self._tree) or self._state.nodes < self._state.node_limit:
                        self._stop_helpers()
        finally:
            self._tree.is_shared = 0
        for found in searches:
            found.result()

    def _share_nodes(self) -> None:
        """Prepare the other threads of this search, with equal shares of its nodes."""
        state = self._state
        with suppress(MemoryError):
            while len(self._workers) < self._threads - 1:
                self._workers.append(Worker(self._net))
        limit = int(state.node_limit)
        share = limit if limit == ALL_NODES else limit // self._threads
        if share == 0:
            return
        self._helpers = self._workers[: self._threads - 1]
        if self._helpers:
            # The root must exist before the helpers start.
            state.is_paused = 1
            search.grow(state, self._net, self._tree, self._playout)
            self.resume(None)
        for worker in self._helpers:
            worker.prepare(state, share)
        if limit < ALL_NODES:
            state.node_limit = limit - share * len(self._helpers)
        if self.is_stopped:
            self._stop_helpers()

    def _help(self, worker: Worker) -> None:
        """Search in a thread of its own; a proof or an error there ends the whole search."""
        try:
            worker.grow(self._tree)
            if is_root_proven(self._tree):
                # The first thread may be busy with a hint.
                self._state.pause_at = 0
        except BaseException:
            self.stop()
            raise

    def _takes_hints(self, node: int) -> bool:
        """Return whether the node exists and is not about to be replaced."""
        return node >= 0 and bool(self._nodes[node].coverage != tree.NOT_ENOUGH)

    def _hint(self, edge: int | None, allowance: int) -> int:
        """Search deeper from the node at the root's edge if the budget allows, and give the tree a hint.

        Args:
            edge: number of the edge, None for the root itself.
            allowance: approximate node limit.

        Returns:
            The number of nodes searched.
        """
        state = self._state
        node = 0 if edge is None else self._child(edge)
        if not self._takes_hints(node):
            return 0
        move = None if edge is None else self._move(edge)
        hint = self._hint_searches.setdefault(move, _HintSearch())
        if self.is_stopped or allowance < hint.needs or hint.is_final:
            return 0
        before = int(state.nodes)
        with self._after(edge):
            self._order = hint.order or self._order
            self._deepen_hint(hint, allowance)
            if hint.score is not None:
                hint.order = self._order
                parent_edge, best = -1 if edge is None else edge, self._order[0]
                give_hint(state, self._net, self._tree, node, parent_edge, best, hint.score)
        return int(state.nodes) - before

    def _deepen_hint(self, hint: _HintSearch, allowance: int) -> None:
        """Deepen the hint of the position in the first frame by as many passes as ``allowance`` covers."""
        end = int(self._state.nodes) + allowance
        while not hint.is_final:
            before = int(self._state.nodes)
            if end - before < hint.needs:
                break
            self.resume(2 * (end - before))
            choice = self._search_root(hint.depth + 1, 0, hint.score)
            hint.nodes = int(self._state.nodes) - before
            if choice is not None:
                hint.score = choice.score
            if self.is_stopped or self.is_paused:
                break
            hint.depth += 1

    @contextmanager
    def _after(self, edge: int | None) -> Iterator[None]:
        """Load the position after an edge of the root, with all its moves, into the first frame."""
        state, order = self._state, self._order
        first, saved = (cast("RecordView", frame) for frame in (state.frames[0], new_record(Frame)))
        saved.copy_from(first)
        past_count = int(state.past_count)
        if edge is None:
            self._order = list(order)
        else:
            advance_root(state, self._net, self._move(edge))
            self._order = [int(move) for move in state.root_moves[: state.root_count]]
        try:
            yield
        finally:
            self._order = order
            first.copy_from(saved)
            state.past_count = past_count
            stack.refresh(state, self._net, 0)

    def _is_lost(self, edge: int) -> bool:
        return self._child(edge) == tree.FINAL and self._value(edge) < -tree.CERTAIN

    def _visited(self) -> list[int]:
        """Return the visited edges of the root whose moves may be played, best first."""
        allowed = set(self._order)
        merits = {}
        for edge in self._edges_of(0):
            if self._move(edge) in allowed:
                merits[edge] = tree.merit(self._tree, edge)
        return sorted((edge for edge in merits if merits[edge]), key=merits.__getitem__, reverse=True)

    def _edges_of(self, node: int) -> range:
        """Return the numbers of the edges of a node."""
        first = int(self._nodes[node].first_edge)
        return range(first, first + int(self._nodes[node].edge_count))

    def _move(self, edge: int) -> int:
        return int(self._edges[edge].move)

    def _child(self, edge: int) -> int:
        return int(self._edges[edge].child)

    def _visits(self, edge: int) -> int:
        return int(self._edges[edge].visits)

    def _value(self, edge: int) -> float:
        """Return the mean value of an edge that was visited."""
        return float(self._edges[edge].value_sum) / self._visits(edge)

    def _choice_of(self, edge: int) -> Choice:
        value = self._value(edge)
        if self._child(edge) == tree.FINAL and abs(value) > tree.CERTAIN:
            score = tree.score_of(value)
        else:
            share = max(min(value / tree.CERTAIN, _SUREST), -_SUREST)
            score = round(2 * SCALE * math.atanh(share))
        line = [edge]
        while (node := self._child(line[-1])) >= 0 and len(line) < PLIES:
            after = tree.best_edge(self._tree, node)
            if after < 0:
                break
            line.append(after)
        moves = tuple(move_of(self._move(edge), self._size) for edge in line)
        return Choice(moves[0], score, wins_in(score), moves, self._visits(edge))
