"""Max-n search as a method of the searcher; it keeps its tree between the moves of a game."""

from __future__ import annotations

from functools import partial
from time import perf_counter

from attrs import evolve

from quoridor_net.engine.alphabeta.deepening import Deepening
from quoridor_net.engine.board.convert import move_of
from quoridor_net.engine.limits import Analysis, Choice, Limits, wins_in
from quoridor_net.engine.maxn import search, tree
from quoridor_net.engine.maxn.inference import Opponents
from quoridor_net.engine.maxn.memory import TreeMemory
from quoridor_net.engine.maxn.reroot import reroot
from quoridor_net.engine.maxn.scores import score_of
from quoridor_net.engine.scores import WIN
from quoridor_net.engine.time_management import time_left
from quoridor_net.engine.trees import best_line, cap_scores, find_node, is_worth_keeping, table_beside
from quoridor_net.rules import Move, Position

#: Seconds to copy a subtree, per edge of the tree.
_SECONDS_AN_EDGE = 5e-8


class MaxN:
    """The search for four players, while at least two are left.

    With a depth limit it uses iterative deepening of best-reply search instead. ``table_mb`` is the size of
    the tree.

    Attributes:
        memory: the tree.
    """

    def __init__(self, size: int, players: int, table_mb: int, weights: dict[str, int] | None = None) -> None:
        self._size = size
        self._best_reply = Deepening(size, players, table_beside(table_mb), weights)
        self._state = self._best_reply.state
        self.memory = TreeMemory(table_mb)
        self._tree = self.memory.tree
        self._opponents = Opponents(self._state, self._tree)
        self._root: Position | None = None

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""
        self._best_reply.clear()
        self._opponents.forget()
        self._root = None

    def stop(self) -> None:
        """Make a running search answer at once."""
        self._best_reply.stop()

    def prepare(self, position: Position, order: list[Move], limits: Limits) -> None:
        """Load ``position`` for a search in one thread, and learn from the rivals' moves."""
        begun = perf_counter()
        self._opponents.watch(position)
        seat = int(self._state.root_seat)
        rest = evolve(limits, time=time_left(limits.time, begun))
        self._best_reply.prepare(position, order, rest)
        # A tree for another seat has priors for other rivals.
        root = self._root if self._tree.node_count and self._state.root_seat == seat else None
        node, _ = find_node(root, position, partial(tree.find_child, self._tree))
        if node < 0 or not is_worth_keeping(self._tree.edge_count * _SECONDS_AN_EDGE, limits.time):
            self._tree.node_count = self._tree.edge_count = 0
        else:
            reroot(self._state, self._tree, node)
        self._depth = limits.depth
        self._alive = len(position.alive)
        # A tree of a selection of moves is dropped, because its visits would bias a search of all moves.
        self._root = position.copy() if len(order) == len(position.legal_moves) else None

    def run(self, multipv: int) -> Analysis:
        """Search until stopped or until the winner is proven, and score the best ``multipv`` moves."""
        if self._depth is not None:
            return self._best_reply.run(multipv)
        search.grow(self._state, self._tree)
        choices = cap_scores([self._choice_of(edge) for edge in self._list_visited()[:multipv]])
        if not choices:
            glance = self._best_reply.search_one_ply(self._best_reply.order)
            return Analysis((glance,), 0, int(self._state.nodes))
        return Analysis(choices, len(choices[0].line), int(self._state.nodes))

    def _list_visited(self) -> list[int]:
        """Return the edges of the root that were visited, best first."""
        seat = int(self.memory.nodes[0].turn)
        merits = {edge: tree.merit(self._tree, seat, edge) for edge in self.memory.edges_of(0)}
        return sorted((edge for edge in merits if merits[edge]), key=merits.__getitem__, reverse=True)

    def _choice_of(self, edge: int) -> Choice:
        seat = int(self.memory.nodes[0].turn)
        child = self.memory.nodes[self.memory.child_of(edge)]
        visits, winner = int(child.visits), int(child.winner)
        if winner == tree.NOBODY:
            score = score_of(float(child.sums[seat]) / visits, self._alive)
        else:
            score = WIN - int(child.plies) - 1 if winner == seat else int(child.plies) + 1 - WIN
        line = best_line(edge, self.memory.child_of, partial(tree.best_edge, self._tree))
        moves = tuple(move_of(int(self.memory.edges[each].move), self._size) for each in line)
        return Choice(moves[0], score, wins_in(score), moves, visits)
