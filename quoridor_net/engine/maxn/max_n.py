"""Max-n search as a method of the searcher; it keeps its tree between the moves of a game."""

from __future__ import annotations

from time import perf_counter

from attrs import evolve

from quoridor_net.engine.alphabeta.deepening import Deepening
from quoridor_net.engine.board.convert import move_of, moves_since
from quoridor_net.engine.board.moves import PLIES
from quoridor_net.engine.limits import Analysis, Choice, wins_in
from quoridor_net.engine.maxn import search, tree
from quoridor_net.engine.maxn.inference import Opponents
from quoridor_net.engine.maxn.network import load_network
from quoridor_net.engine.maxn.reroot import reroot
from quoridor_net.engine.maxn.scores import score_of
from quoridor_net.engine.maxn.styles import load_styles
from quoridor_net.engine.scores import WIN
from quoridor_net.jit.records import new_record, new_records, record_type
from quoridor_net.rules import Move, Position

#: Number of edges with room in the tree for each node.
_EDGES_A_NODE = 16
#: The transposition table of best-reply search, which handles few positions, gets the tree's memory divided
#: by this in addition.
_SHARE_OF_TABLE = 8
#: Seconds to copy a subtree, per edge of the tree, and the maximum share of a move's time for it.
_SECONDS_AN_EDGE = 5e-8
_MOST_OF_TIME = 0.25


def room_in(table_mb: int) -> tuple[int, int]:
    """Return the numbers of nodes and edges of a tree of ``table_mb``, half of it for a copy."""
    size = record_type(tree.MaxNNode).itemsize + _EDGES_A_NODE * record_type(tree.MaxNEdge).itemsize
    nodes = (table_mb << 20) // (2 * size)
    return nodes, nodes * _EDGES_A_NODE


class MaxN(Deepening):
    """The search for four players, while at least two are left.

    With a depth limit it uses iterative deepening of best-reply search instead.
    """

    def __init__(self, size: int, players: int, table_mb: int, weights: dict[str, int] | None = None) -> None:
        super().__init__(size, players, max(table_mb // _SHARE_OF_TABLE, 1), weights)
        nodes, edges = room_in(table_mb)
        self._tree = new_record(tree.MaxNTree)
        load_network(self._tree.network)
        load_styles(self._tree.opponents)
        # Kernels use the addresses of the arrays. The system provides memory as the tree grows into it.
        self._nodes = [new_records(tree.MaxNNode, nodes) for _ in range(2)]
        self._edges = [new_records(tree.MaxNEdge, edges) for _ in range(2)]
        self._tree.nodes, self._tree.spare_nodes = (array.address for array in self._nodes)
        self._tree.edges, self._tree.spare_edges = (array.address for array in self._edges)
        self._tree.node_limit = nodes
        self._tree.edge_limit = edges
        self._root: Position | None = None
        self._opponents = Opponents(self._state, self._tree)

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""
        super().clear()
        self._root = None
        self._opponents.forget()

    def prepare(
        self,
        position: Position,
        order: list[Move],
        nodes: int | None,
        seconds: float | None = None,
        threads: int = 1,
    ) -> None:
        """Load ``position`` for a search of the legal moves in ``order``."""
        begun = perf_counter()
        self._opponents.watch(position)
        left = None if seconds is None else max(seconds - (perf_counter() - begun), 0.0)
        seat = int(self._state.root_seat)
        super().prepare(position, order, nodes, left)
        self._write_root_moves(self._order)
        # A tree for another seat has priors for other rivals.
        node = self._node_of(position) if self._state.root_seat == seat else tree.NO_NODE
        costs = self._tree.edge_count * _SECONDS_AN_EDGE
        if node == tree.NO_NODE or (seconds is not None and costs > _MOST_OF_TIME * seconds):
            self._tree.node_count = self._tree.edge_count = 0
        else:
            reroot(self._state, self._tree, node)
            # The array of the tree comes first.
            if self._nodes[0].address != self._tree.nodes:
                self._nodes.reverse()
                self._edges.reverse()
        # A tree of a selection of moves is dropped, because its visits would bias a search of all moves.
        self._root = position.copy() if len(order) == len(position.legal_moves) else None

    def _node_of(self, position: Position) -> int:
        """Return the number of the node of ``position``, or NO_NODE."""
        moves = None if self._root is None else moves_since(self._root, position)
        if moves is None or not self._tree.node_count:
            return tree.NO_NODE
        node = 0
        for move in moves:
            node = tree.find_child(self._tree, node, move)
            if node == tree.NO_NODE:
                return tree.NO_NODE
        return node

    def run(self, depth: int | None, top: int) -> Analysis:
        """Search until stopped or until the winner is proven, and score the best ``top`` moves."""
        if depth is not None:
            return super().run(depth, top)
        search.grow(self._state, self._tree)
        choices: list[Choice] = []
        for edge in self._visited()[:top]:
            choice = self._choice_of(edge)
            if choices and choice.score > choices[-1].score:
                choice = evolve(choice, score=choices[-1].score)
            choices.append(choice)
        if not choices:
            return Analysis(tuple(self._search_one_ply()), 0, int(self._state.nodes))
        return Analysis(tuple(choices), len(choices[0].line), int(self._state.nodes))

    def _visited(self) -> list[int]:
        """Return the edges of the root that were visited, best first."""
        root = self._nodes[0][0]
        merits = {
            edge: tree.merit(self._tree, int(root.turn), edge)
            for edge in range(int(root.first_edge), int(root.first_edge) + int(root.edge_count))
        }
        return sorted((edge for edge in merits if merits[edge]), key=merits.__getitem__, reverse=True)

    def _choice_of(self, edge: int) -> Choice:
        seat = int(self._nodes[0][0].turn)
        child = self._nodes[0][int(self._edges[0][edge].child)]
        visits, winner = int(child.visits), int(child.winner)
        if winner == tree.NOBODY:
            score = score_of(float(child.sums[seat]) / visits, len(self._position.alive))
        else:
            score = WIN - int(child.plies) - 1 if winner == seat else int(child.plies) + 1 - WIN
        line = [edge]
        while len(line) < PLIES:
            after = tree.best_edge(self._tree, int(self._edges[0][line[-1]].child))
            if after < 0:
                break
            line.append(after)
        moves = tuple(move_of(int(self._edges[0][edge].move), self._size) for edge in line)
        return Choice(moves[0], score, wins_in(score), moves, visits)
