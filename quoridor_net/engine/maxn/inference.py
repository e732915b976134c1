"""The inference of the rivals' styles from their moves."""

from __future__ import annotations

import math
from collections.abc import Sequence

from quoridor_net.engine.board.convert import load_position, number_of
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.maxn.opponents import observe
from quoridor_net.engine.maxn.styles import STYLES
from quoridor_net.engine.maxn.tree import MaxNTree
from quoridor_net.rules import Move, Ply, Position

#: Maximum number of the latest plies to learn from.
_MOST_PLIES = 100
#: Part of the shares that is spread evenly over all styles, because a player may switch styles.
_DOUBT = 0.1
#: Lower bound of the likelihood of a move in a style.
LEAST_LIKELIHOOD = 0.003


def weigh_styles(evidence: Sequence[float]) -> list[float]:
    """Return the probability of each style, given the logarithms of the likelihoods of a player's moves."""
    most = max(evidence)
    shares = [math.exp(each - most) for each in evidence]
    return [_DOUBT / len(shares) + (1 - _DOUBT) * share / sum(shares) for share in shares]


class Opponents:
    """The styles that the players of a game seem to have.

    Args:
        state: state whose first frame serves as space to work in.
        tree: tree that receives the shares of the styles.
    """

    def __init__(self, state: SearchState, tree: MaxNTree) -> None:
        self._state = state
        self._tree = tree
        self._evidence: dict[int, list[float]] = {}
        self._past: tuple[Ply, ...] = ()

    def forget(self) -> None:
        """Drop all evidence, so that all styles are equally likely."""
        self._evidence.clear()
        self._past = ()
        self._tree.opponents.shares[:] = 1 / STYLES

    def watch(self, position: Position) -> None:
        """Learn from the moves that led to ``position``, only the new ones if it continues the last one."""
        past = tuple(position.history)
        known = len(self._past)
        if past[:known] != self._past:
            self.forget()
            known = 0
        self._past = past
        twin = position.copy()
        for _ in range(min(len(past) - known, _MOST_PLIES)):
            ply = twin.pop()
            if ply.move is not None:
                self._take_in(twin, ply.move)
        for seat, evidence in self._evidence.items():
            self._tree.opponents.shares[seat] = weigh_styles(evidence)

    def _take_in(self, position: Position, move: Move) -> None:
        """Add the evidence of a move made in ``position``."""
        state, model = self._state, self._tree.opponents
        load_position(state, position)
        flood_all(state, 0)
        number = number_of(move, position.size)
        listed = [int(each) for each in state.lists[0].moves[: observe(state, self._tree)]]
        if number not in listed:
            # It was played under another jump rule.
            return
        likelihoods = model.likelihoods[listed.index(number)]
        evidence = self._evidence.setdefault(int(state.frames[0].turn), [0.0] * STYLES)
        for style in range(STYLES):
            share = float(likelihoods[style]) / float(model.sums[style])
            evidence[style] += math.log(max(share, LEAST_LIKELIHOOD))
