"""Best-first search as a method of the searcher; it keeps its tree between the moves of a game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial

from quoridor_net.engine.alphabeta.deepening import ALL_NODES, Deepening
from quoridor_net.engine.board.convert import move_of
from quoridor_net.engine.evaluation.network import SCALE
from quoridor_net.engine.limits import Analysis, Choice, Limits, wins_in
from quoridor_net.engine.mcts import search, tree
from quoridor_net.engine.mcts.backup import is_root_proven
from quoridor_net.engine.mcts.evaluate import is_decided
from quoridor_net.engine.mcts.memory import TreeMemory
from quoridor_net.engine.mcts.pvs_hints import PvsHints
from quoridor_net.engine.mcts.reroot import reroot
from quoridor_net.engine.mcts.worker import Worker
from quoridor_net.engine.trees import best_line, cap_scores, find_node, is_worth_keeping, table_beside
from quoridor_net.jit.records import new_record
from quoridor_net.rules import Move, Position

#: Seconds to reroot a tree, per edge.
_SECONDS_AN_EDGE = 3e-8
#: PVS gets a turn after this many playouts.
_PLAYOUTS_AT_ONCE = 600
#: The root's hints get the rest of the budget divided by this.
_ROOT_WAITS = 3
#: Clamp: averages closer to 1 carry no score information.
_SUREST = 0.99999


class BestFirst:
    """The strongest search for two players on 7x7 to 11x11, guided by the network.

    With a depth limit or in a decided race it uses principal variation search instead. ``table_mb`` is the
    size of the tree.

    Attributes:
        pvs: principal variation search, which shares its state with the search of the tree.
        memory: the tree.
        hints: the hints that the tree gets.
        helpers: the workers of the latest search.
    """

    def __init__(self, size: int, players: int, table_mb: int, weights: dict[str, int] | None = None) -> None:
        self._size = size
        self.pvs = Deepening(size, players, table_beside(table_mb), weights)
        self._state, self._net = self.pvs.state, self.pvs.net
        self.memory = TreeMemory(table_mb)
        self._tree = self.memory.tree
        self.hints = PvsHints(self.pvs, self.memory)
        self._playout = new_record(tree.Playout)
        # The workers of all searches so far.
        self._workers: list[Worker] = []
        self.helpers: list[Worker] = []
        self._root: Position | None = None

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""
        self.pvs.clear()
        self._root = None

    def stop(self) -> None:
        """Make a running search answer at once."""
        self.pvs.stop()
        # In this order, because helpers copy the flag with the rest of the state.
        self._stop_helpers()

    def _stop_helpers(self) -> None:
        for worker in self.helpers:
            worker.stop()

    def prepare(self, position: Position, order: list[Move], limits: Limits) -> None:
        """Load ``position``, and keep the subtree of the moves since the last one if there is time."""
        self.pvs.prepare(position, order, limits)
        self._limits = limits
        self.helpers = []
        root = self._root if self._tree.node_count else None
        node, plies = find_node(root, position, partial(tree.find_child, self._tree))
        cost = self._tree.edge_count * _SECONDS_AN_EDGE
        if node < 0 or (node > 0 and not is_worth_keeping(cost, limits.time)):
            tree.clear(self._tree)
        elif node > 0:
            reroot(self._state, self._tree, self._playout, node, plies)
        self._tree.root_ply = position.ply
        self._root = position.copy()

    def run(self, multipv: int) -> Analysis:
        """Search until stopped or until the best move is proven, and score the best ``multipv`` moves."""
        # Deepening plays out decided races.
        if self._limits.depth is not None or is_decided(self._state, 0):
            return self.pvs.run(multipv)
        with self._share_tree():
            self._grow()
        visited = self._list_visited()
        choices = [self._choice_of(edge) for edge in visited[:multipv]]
        if not choices or self._is_lost(visited[0]):
            seen = {self.memory.move_of(edge) for edge in visited}
            unseen = [move for move in self.pvs.order if move not in seen]
            # An unvisited move is hardly worse than a move known to lose.
            glance = self.pvs.search_one_ply(unseen) if unseen else None
            if glance is not None and (not choices or glance.score > choices[0].score):
                return Analysis((glance,), 0, self._nodes_searched)
        return Analysis(cap_scores(choices), len(choices[0].line), self._nodes_searched)

    def _grow(self) -> None:
        """Grow the tree, with hints from principal variation search."""
        state, pvs = self._state, self.pvs
        share = int(state.weights.hint_nodes)
        self.hints.searches.clear()
        allowance = spent = before = 0
        while True:
            pvs.resume(_PLAYOUTS_AT_ONCE if share else None)
            # Even without time, a cleared tree gets its root.
            search.grow(state, self._net, self._tree, self._playout)
            if pvs.is_stopped or is_root_proven(self._tree):
                break
            # The other threads continued during the last hints.
            playouts = self._nodes_searched - spent
            allowance += (playouts - before) * share // 100
            before = playouts
            best = tree.best_edge(self._tree, 0)
            cost = 0 if best < 0 else self.hints.search(best, allowance)
            cost += self.hints.search(None, (allowance - cost) // _ROOT_WAITS)
            spent += cost
            allowance -= cost
        pvs.resume(None)

    @property
    def _nodes_searched(self) -> int:
        """Number of nodes that all threads have searched."""
        return int(self._state.nodes) + sum(worker.nodes for worker in self.helpers)

    @contextmanager
    def _share_tree(self) -> Iterator[None]:
        """Run the other threads on the tree within the block, and wait for them at its end.

        They are stopped at the end, unless only this thread has used up its share of the nodes.
        """
        self._share_nodes()
        if not self.helpers:
            yield
            return
        self._tree.is_shared = 1
        try:
            with ThreadPoolExecutor(len(self.helpers)) as pool:
                searches = [pool.submit(self._help, worker) for worker in self.helpers]
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
        state, threads = self._state, self._limits.threads
        with suppress(MemoryError):
            while len(self._workers) < threads - 1:
                self._workers.append(Worker(self._net))
        limit = int(state.node_limit)
        share = limit if limit == ALL_NODES else limit // threads
        if share == 0:
            return
        self.helpers = self._workers[: threads - 1]
        if self.helpers:
            # The root must exist before the helpers start.
            state.is_paused = 1
            search.grow(state, self._net, self._tree, self._playout)
            self.pvs.resume(None)
        for worker in self.helpers:
            worker.prepare(state, share)
        if limit < ALL_NODES:
            state.node_limit = limit - share * len(self.helpers)
        if self.pvs.is_stopped:
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

    def _is_lost(self, edge: int) -> bool:
        return self.memory.child_of(edge) == tree.FINAL and self.memory.mean_of(edge) < -tree.CERTAIN

    def _list_visited(self) -> list[int]:
        """Return the visited edges of the root whose moves may be played, best first."""
        allowed = set(self.pvs.order)
        edges = [edge for edge in self.memory.edges_of(0) if self.memory.move_of(edge) in allowed]
        merits = {edge: tree.merit(self._tree, edge) for edge in edges}
        return sorted((edge for edge in edges if merits[edge]), key=merits.__getitem__, reverse=True)

    def _choice_of(self, edge: int) -> Choice:
        memory = self.memory
        value = memory.mean_of(edge)
        if memory.child_of(edge) == tree.FINAL and abs(value) > tree.CERTAIN:
            score = tree.score_of(value)
        else:
            share = max(min(value / tree.CERTAIN, _SUREST), -_SUREST)
            score = round(2 * SCALE * math.atanh(share))
        line = best_line(edge, memory.child_of, partial(tree.best_edge, self._tree))
        moves = tuple(move_of(memory.move_of(each), self._size) for each in line)
        return Choice(moves[0], score, wins_in(score), moves, memory.visits_of(edge))
