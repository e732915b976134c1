"""A slower search on the rules library, for boards larger than the kernel handles."""

from __future__ import annotations

from itertools import pairwise

from quoridor_net.engine.evaluation.weights import PLAIN_WALL_VALUES
from quoridor_net.engine.limits import Analysis, Choice, Limits, wins_in
from quoridor_net.engine.scores import PROVEN, WIN
from quoridor_net.moves import walls_between
from quoridor_net.rules import Move, Position, Step

_REPLIES = 8


class TwoPly:
    """A search of each move, then of the replies to the most promising ones."""

    def __init__(self) -> None:
        self.is_stopped = False

    def stop(self) -> None:
        """Make a running search answer at once."""
        self.is_stopped = True

    def clear(self) -> None:
        """Do nothing, because this search keeps nothing."""

    def prepare(self, position: Position, order: list[Move], limits: Limits) -> None:
        """Load ``position`` for a search in one thread. Only :meth:`stop` limits the time."""
        self._position = position.copy()
        self._order = order
        self._nodes = 0
        self._limits = limits
        self.is_stopped = False

    def run(self, multipv: int) -> Analysis:
        """Search one or two plies and score the best ``multipv`` moves."""
        position = self._position
        player = position.turn
        assert player is not None
        # Whatever the limits, a winning move and the first of the others are searched.
        order = sorted(self._order, key=lambda move: not _wins(position, move))
        scores = {order[0]: self._evaluate_after(position, order[0], player)}
        for move in self._candidates(position, order[1:]):
            score = self._score(position, move, player)
            if score is None:
                break
            scores[move] = score
        ranked = sorted(scores, key=scores.__getitem__, reverse=True)
        done = 0 if self.is_stopped else 1
        if done and self._limits.depth != 1 and scores[ranked[0]] < PROVEN:
            head = ranked[: max(_REPLIES, multipv)]
            replies = {move: self._worst_reply(position, move, player) for move in head}
            if not self.is_stopped:
                scores.update({move: score for move, score in replies.items() if score is not None})
                head.sort(key=scores.__getitem__, reverse=True)
                ranked[: len(head)] = head
                done = 2
        choices = [Choice(move, scores[move], wins_in(scores[move]), (move,)) for move in ranked[:multipv]]
        return Analysis(tuple(choices), done, self._nodes)

    def _candidates(self, position: Position, moves: list[Move]) -> list[Move]:
        """Return the steps, and the walls that cut a shortest path of an opponent."""
        cuts: set[Move] = set()
        for other in position.alive:
            if other != position.turn:
                for here, there in pairwise(position.shortest_path(other)):
                    cuts.update(walls_between(here, there))
        return [move for move in moves if isinstance(move, Step) or move in cuts]

    def _score(self, position: Position, move: Move, player: int) -> int | None:
        """Return the value of the position after ``move`` for ``player``; None once stopped."""
        self._nodes += 1
        if self._limits.nodes is not None and self._nodes > self._limits.nodes:
            self.is_stopped = True
        if self.is_stopped:
            return None
        return self._evaluate_after(position, move, player)

    def _evaluate_after(self, position: Position, move: Move, player: int) -> int:
        position.push(move)
        score = _evaluate(position, player)
        position.pop()
        return score

    def _worst_reply(self, position: Position, move: Move, player: int) -> int | None:
        position.push(move)
        worst = _evaluate(position, player)
        if position.turn is not None and position.turn != player:
            for reply in self._candidates(position, position.legal_moves):
                score = self._score(position, reply, player)
                if score is None:
                    break
                worst = min(worst, score)
        position.pop()
        return worst


def _wins(position: Position, move: Move) -> bool:
    """Return whether ``move`` wins at once."""
    if not isinstance(move, Step):
        return False
    player = position.turn
    position.push(move)
    winner = position.winner
    position.pop()
    return winner == player


def _evaluate(position: Position, player: int) -> int:
    if position.turn is None:
        return WIN - 1 if position.winner == player else 0 if position.winner is None else 2 - WIN
    own = position.distance(player) or 0
    others = [position.distance(other) or 0 for other in position.alive if other != player]
    lead = 65 * (min(others) - own) + 35 * (sum(others) - len(others) * own) // len(others)
    walls = [position.walls_left(other) for other in position.alive if other != player]
    last = len(PLAIN_WALL_VALUES) - 1
    rivals = sum(PLAIN_WALL_VALUES[min(count, last)] for count in walls) // len(walls)
    return lead + PLAIN_WALL_VALUES[min(position.walls_left(player), last)] - rivals
