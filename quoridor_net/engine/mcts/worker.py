"""One of several threads that search a shared tree, with the state that it does not share."""

from __future__ import annotations

from typing import cast

from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.mcts import search, stack
from quoridor_net.engine.mcts.tree import Playout, Tree
from quoridor_net.jit.records import RecordView, new_record


class Worker:
    """The search of a shared tree in a thread other than the searcher's.

    Args:
        net: the network, which is copied because it contains the accumulators.
    """

    def __init__(self, net: Network) -> None:
        self._state = new_record(SearchState)
        self._net = new_record(Network)
        self._playout = new_record(Playout)
        cast("RecordView", self._net).copy_from(cast("RecordView", net))

    @property
    def nodes(self) -> int:
        """Number of positions visited in this search."""
        return int(self._state.nodes)

    def prepare(self, state: SearchState, nodes: int) -> None:
        """Prepare a search of the position in ``state``, limited to this number of nodes."""
        cast("RecordView", self._state).copy_from(cast("RecordView", state))
        self._state.nodes = 0
        self._state.node_limit = nodes
        stack.refresh(self._state, self._net, 0)

    def grow(self, tree: Tree) -> None:
        """Grow the tree until it is time to stop, or the root is proven."""
        search.grow(self._state, self._net, tree, self._playout)

    def stop(self) -> None:
        """Make the search end at once."""
        self._state.stop = 1
