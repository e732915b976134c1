"""Best-first search as a method of the searcher: keeps its tree from one move of a game to the next."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import Factory, define, evolve

from quoridor_net.engine import growth, layout, tree
from quoridor_net.engine.advice import advise, go_on
from quoridor_net.engine.deepening import Deepening
from quoridor_net.engine.evaluation import certificate
from quoridor_net.engine.limits import Analysis, Choice, wins_in
from quoridor_net.engine.memory import move_of, number_of
from quoridor_net.engine.network import SCALE
from quoridor_net.engine.weights import ADVICE
from quoridor_net.engine.words import Fractions, Links
from quoridor_net.rules import Move, Position

#: What a move takes, how many moves there is room for beside each node, and the most there are in all.
_BYTES_A_MOVE = 24
_MOVES_A_NODE = 12
_MOST_MOVES = 1 << 28
#: The transposition table, which few positions are left to, gets this part of the memory beside the tree's.
_SHARE_OF_TABLE = 8
#: What it takes to cut down a tree, for each move in it, and the most of a move's time that may go into it.
_SECONDS_A_MOVE = 3e-8
_MOST_OF_TIME = 0.25
#: Principal variation search may be heard after so many visits.
_VISITS_AT_ONCE = 600
#: A pass takes about so many times the nodes of the one before, and is not worth it with fewer than these.
_GROWTH = 2.5
_LEAST_NODES = 100
#: The root is looked at with a part of what may be spent, as its moves are when they are about to be played.
_ROOT_WAITS = 3
#: Nearer to 1 than this an average does not tell how good a position is.
_SUREST = 0.99999


@define
class _Opinion:
    """What principal variation search thinks of a position.

    Attributes:
        depth: of the last full pass.
        nodes: what the last pass took.
        score: what the best move is worth, None if that is not known.
        order: the moves, the best first, empty before the first pass.
    """

    depth: int = 0
    nodes: int = 0
    score: int | None = None
    order: list[int] = Factory(list)

    @property
    def needs(self) -> float:
        """What the next pass is likely to take, in nodes."""
        return max(_GROWTH * self.nodes, _LEAST_NODES)

    @property
    def is_final(self) -> bool:
        """Whether looking deeper is of no use."""
        is_decided = self.score is not None and abs(self.score) > layout.DOUBTFUL
        return is_decided or self.depth >= layout.PLIES - 2


def room_in(table_mb: int) -> tuple[int, int, int]:
    """Return how many nodes, moves, and places in the index a tree of so many megabytes has.

    Beyond some 6,000 megabytes there are no more: all places in its array are told by 32 bits.
    """
    edges = min((table_mb << 20) // _BYTES_A_MOVE, _MOST_MOVES)
    nodes = edges // _MOVES_A_NODE
    return nodes, edges, 1 << (2 * nodes).bit_length()


class BestFirst(Deepening):
    """The search that knows games best which the network judges: two players on 9x9.

    Where a depth is asked for, or the race is decided, it deepens instead.
    """

    def __init__(self, size: int, players: int, table_mb: int, weights: dict[str, int] | None = None) -> None:
        import numpy as np

        super().__init__(size, players, max(table_mb // _SHARE_OF_TABLE, 1), weights)
        nodes, edges, slots = room_in(table_mb)
        after = tree.HEAD + nodes * tree.NODE + edges * tree.EDGE
        # The memory is taken from the system as the tree grows into it.
        links = np.zeros(after + slots, dtype=np.int32)
        self._links: Links = links
        self._priors: Fractions = links.view(np.float32)
        self._totals: Fractions = links.view(np.float64)
        self._places: Links = np.zeros(nodes, dtype=np.int32)
        self._links[tree.NODE_MAX] = nodes
        self._links[tree.EDGE_MAX] = edges
        self._links[tree.EDGES] = tree.HEAD + nodes * tree.NODE
        self._links[tree.INDEX] = after
        self._links[tree.INDEX_MASK] = slots - 1
        self._root: Position | None = None

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""
        super().clear()
        self._root = None

    def prepare(
        self, position: Position, order: list[Move], nodes: int | None, seconds: float | None = None
    ) -> None:
        """Load ``position``, whose legal moves in the order to search them first are ``order``."""
        super().prepare(position, order, nodes, seconds)
        memory = self._memory
        memory[layout.ROOT_COUNT] = len(self._order)
        memory[layout.ROOT_MOVES : layout.ROOT_MOVES + len(self._order)] = self._order
        node, plies = self._node_of(position)
        costs = int(self._links[tree.EDGE_COUNT]) * _SECONDS_A_MOVE
        if node < 0 or (node > 0 and seconds is not None and costs > _MOST_OF_TIME * seconds):
            tree.forget(self._links)
            self._links[tree.PLAYED] = position.ply
        elif node > 0:
            tree.cut_down(self._links, self._totals, node, plies, self._places)
        self._root = position.copy()

    def _node_of(self, position: Position) -> tuple[int, int]:
        """Return the node of ``position`` in the tree, negative if it has none, and how deep it lies."""
        before = self._root
        if before is None:
            return tree.NO_NODE, 0
        twin = position.copy()
        later: list[Move | None] = []
        while twin.ply > before.ply:
            later.append(twin.pop().move)
        if twin != before or twin.history != before.history:
            return tree.NO_NODE, 0
        node = 0 if self._links[tree.NODE_COUNT] else tree.NO_NODE
        for move in reversed(later):
            if move is None or node < 0:
                return tree.NO_NODE, 0
            node = int(tree.child_of(self._links, node, number_of(move, self._size)))
        return node, len(later)

    def run(self, depth: int | None, top: int) -> Analysis:
        """Search until stopped or until the best move is settled, and score the best ``top`` moves."""
        if depth is not None or self._is_decided():
            return super().run(depth, top)
        memory, links = self._memory, self._links
        self._grow()
        visited = self._visited()
        if not visited or self._is_lost(visited[0]):
            seen = {int(links[self._place(edge)]) for edge in visited}
            self._order = [move for move in self._order if move not in seen]
            # What was not looked at is hardly worse than what is known to lose.
            glance = self._glance() if self._order else []
            if glance and (not visited or glance[0].score > self._choice_of(visited[0]).score):
                return Analysis(tuple(glance), 0, int(memory[layout.NODES]))
        choices: list[Choice] = []
        for edge in visited[:top]:
            choice = self._choice_of(edge)
            if choices and choice.score > choices[-1].score:
                choice = evolve(choice, score=choices[-1].score)
            choices.append(choice)
        return Analysis(tuple(choices), len(choices[0].line), int(memory[layout.NODES]))

    def _grow(self) -> None:
        """Let the tree grow, and have principal variation search advise it meanwhile.

        That sees far what the prior thinks unlikely: it overlooks other things than the tree does.
        """
        memory, links, totals = self._memory, self._links, self._totals
        share = int(memory[ADVICE])
        self._opinions: dict[int, _Opinion] = {}
        allowance = 0
        while True:
            before = int(memory[layout.NODES])
            self.resume(_VISITS_AT_ONCE if share else None)
            # However little time there is, a tree that was forgotten gets its root.
            growth.grow(memory, self._numbers, links, self._priors, totals)
            if self.is_stopped or tree.is_over(links, totals):
                break
            allowance += (int(memory[layout.NODES]) - before) * share // 100
            best = int(tree.best_of(links, totals, 0))
            if best >= 0 and self._takes_advice(self._child(best)):
                allowance -= self._advise(best, allowance)
            allowance -= self._advise(None, allowance // _ROOT_WAITS)
        self.resume(None)

    def _takes_advice(self, node: int) -> bool:
        """Return whether there is such a node, and it is not waiting for another to take its place."""
        return node >= 0 and int(self._links[tree.HEAD + node * tree.NODE + tree.LISTED]) != tree.NOT_ENOUGH

    def _advise(self, edge: int | None, allowance: int) -> int:
        """Look deeper from the node that the root's move ``edge`` leads to, if that is allowed.

        Args:
            edge: the move, None for the root itself.
            allowance: about how many nodes it may take.

        Returns:
            How many nodes it took.
        """
        node = 0 if edge is None else self._child(edge)
        opinion = self._opinions.setdefault(node, _Opinion())
        if self.is_stopped or allowance < opinion.needs or opinion.is_final:
            return 0
        memory, links, before = self._memory, self._links, int(self._memory[layout.NODES])
        with self._after(edge):
            self._order = opinion.order or self._order
            self._consult(opinion, allowance)
            if opinion.score is not None:
                opinion.order = self._order
                way, best = -1 if edge is None else edge, self._order[0]
                tree_of = (links, self._priors, self._totals)
                new = advise(memory, self._numbers, *tree_of, node, way, best, opinion.score)
                self._opinions[int(new)] = opinion
        return int(memory[layout.NODES]) - before

    def _consult(self, opinion: _Opinion, allowance: int) -> None:
        """Deepen the opinion of the position in the first row by as many passes as are allowed."""
        memory = self._memory
        end = int(memory[layout.NODES]) + allowance
        while not opinion.is_final:
            before = int(memory[layout.NODES])
            if end - before < opinion.needs:
                break
            self.resume(2 * (end - before))
            choice = self._pass(opinion.depth + 1, 0, opinion.score)
            opinion.nodes = int(memory[layout.NODES]) - before
            if choice is not None:
                opinion.score = choice.score
            if self.is_stopped or self.is_paused:
                break
            opinion.depth += 1

    @contextmanager
    def _after(self, edge: int | None) -> Iterator[None]:
        """Have the position after the move ``edge`` of the root in the first row, with all its moves."""
        memory, order = self._memory, self._order
        first = slice(layout.ROWS, layout.ROWS + layout.ROW)
        row, past = memory[first].copy(), int(memory[layout.PAST_COUNT])
        if edge is None:
            self._order = list(order)
        else:
            go_on(memory, self._numbers, int(self._links[self._place(edge)]))
            count = int(memory[layout.ROOT_COUNT])
            self._order = [int(move) for move in memory[layout.ROOT_MOVES : layout.ROOT_MOVES + count]]
        try:
            yield
        finally:
            self._order = order
            memory[first], memory[layout.PAST_COUNT] = row, past
            growth.refresh(memory, self._numbers, 0)

    def _is_lost(self, edge: int) -> bool:
        return self._child(edge) == tree.SETTLED and self._value(edge) < -tree.CERTAIN

    def _is_decided(self) -> bool:
        """Return whether distances decide the race, or the next move wins: deepening plays those out."""
        memory, row = self._memory, layout.ROWS
        walls = memory[row + layout.LEFT] + memory[row + layout.LEFT + 1]
        return bool(walls == 0 or certificate(memory, 0) != 0 or growth.can_win(memory, row))

    def _visited(self) -> list[int]:
        """Return the moves of the root that may be played and were looked at, best first."""
        links, allowed = self._links, set(self._order)
        first = int(links[tree.HEAD + tree.FIRST])
        merits = {}
        for edge in range(first, first + int(links[tree.HEAD + tree.COUNT])):
            if int(links[self._place(edge)]) in allowed:
                merits[edge] = float(tree.merit(links, self._totals, edge))
        return sorted((edge for edge in merits if merits[edge]), key=merits.__getitem__, reverse=True)

    def _place(self, edge: int) -> int:
        return int(self._links[tree.EDGES]) + edge * tree.EDGE

    def _child(self, edge: int) -> int:
        return int(self._links[self._place(edge) + tree.CHILD])

    def _visits(self, edge: int) -> int:
        return int(self._links[self._place(edge) + tree.EDGE_VISITS])

    def _value(self, edge: int) -> float:
        return float(self._totals[int(tree.total_at(self._place(edge)))]) / self._visits(edge)

    def _choice_of(self, edge: int) -> Choice:
        value = self._value(edge)
        if self._child(edge) == tree.SETTLED and abs(value) > tree.CERTAIN:
            score = tree.score_of(value)
        else:
            share = max(min(value / tree.CERTAIN, _SUREST), -_SUREST)
            score = round(2 * SCALE * math.atanh(share))
        line = [edge]
        while (node := self._child(line[-1])) >= 0 and len(line) < layout.PLIES:
            after = int(tree.best_of(self._links, self._totals, node))
            if after < 0:
                break
            line.append(after)
        moves = tuple(move_of(int(self._links[self._place(edge)]), self._size) for edge in line)
        return Choice(moves[0], score, wins_in(score), moves, self._visits(edge))
