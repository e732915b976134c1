"""Iterative deepening: one call of the kernel per iteration, with root moves ordered between them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from attrs import evolve

from quoridor_net.engine import scores
from quoridor_net.engine.alphabeta.move_ordering import MOVE_MASK, SEAT_SHIFT, decay_history, score_root_moves
from quoridor_net.engine.alphabeta.transposition import mask_of, new_table
from quoridor_net.engine.board.convert import load_position, move_of, new_state, number_of
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.moves import HORIZONTAL, PLIES, SEATS
from quoridor_net.engine.board.state import PAST_LIMIT, WALLS_LEFT_LIMIT
from quoridor_net.engine.evaluation.network import knows, new_network
from quoridor_net.engine.evaluation.weights import set_weights
from quoridor_net.engine.limits import Analysis, Choice, Limits, wins_in
from quoridor_net.jit.clock import deadline_after
from quoridor_net.rules import Move, Position

_WINDOW = 40
_WIDEST = 1000
#: More nodes than any search visits.
ALL_NODES = 1 << 60


class Deepening:
    """The kernel's search on boards of up to 11 squares, for two or four players.

    Args:
        size: squares on a side.
        players: 2 or 4.
        table_mb: megabytes for the transposition table.
        weights: changed evaluation weights by name.

    Attributes:
        state: the state of the kernels, with the prepared position in its first frame.
        net: the network.
        order: the numbers of the moves to search, the best known ones first.
    """

    def __init__(self, size: int, players: int, table_mb: int, weights: dict[str, int] | None = None) -> None:
        self._size = size
        changes = dict(weights or {})
        uses_network = bool(changes.pop("network", 1)) and knows(size, players)
        self.state = new_state(size, players)
        self.state.has_network = uses_network
        self.net = new_network(size if uses_network else None)
        self.order: list[int] = []
        set_weights(self.state, changes, uses_network)
        self._table = new_table(table_mb)
        self.state.table = self._table.address
        self.state.table_mask = mask_of(self._table)

    @cached_property
    def _search(self) -> Callable[[int, int, int, int], int]:
        """The kernel, called with ply, depth, alpha and beta. Imported late, because importing compiles."""
        if self.state.players == 2:
            from quoridor_net.engine.alphabeta.pvs import search

            return partial(search, self.state, self.net)
        from quoridor_net.engine.alphabeta.best_reply import search_best_reply

        return partial(search_best_reply, self.state)

    def stop(self) -> None:
        """Make a running search answer at once."""
        self.state.stop = 1

    def resume(self, nodes: int | None) -> None:
        """Continue the search, and pause it after ``nodes``; None for no pause."""
        self.state.is_paused = 0
        self.state.pause_at = ALL_NODES if nodes is None else self.state.nodes + nodes

    @property
    def is_paused(self) -> bool:
        """Whether the search paused and can be resumed."""
        return bool(self.state.is_paused)

    @property
    def is_stopped(self) -> bool:
        """Whether the search was stopped, from outside or by its node limit."""
        return bool(self.state.stop)

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""
        self._table.clear()
        self.state.history[:] = 0

    def prepare(self, position: Position, order: list[Move], limits: Limits) -> None:
        """Load ``position`` for a search in one thread, whose root moves are those in ``order``."""
        deadline = deadline_after(limits.time)
        state = self.state
        self._position = position
        load_position(state, position)
        flood_all(state, 0)
        decay_history(state)
        state.past_count = 0
        if position.players == 2:
            self._load_past(position)
        else:
            frame = state.frames[0]
            state.root_seat = frame.turn
            # Scores belong to the seat that searches, so entries of other seats must not match.
            frame.key ^= state.walls_left_keys[SEATS - 1, WALLS_LEFT_LIMIT - 1 - frame.turn]
        state.generation = (state.generation + 1) & 255
        state.nodes = 0
        state.node_limit = min(limits.nodes or ALL_NODES, ALL_NODES)
        self._depth = min(limits.depth or PLIES, PLIES - 2)
        self.order = [number_of(move, self._size) for move in order]
        self._write_root_moves(self.order)
        if state.has_network:
            self._order_by_prior()
        state.clock[0] = deadline
        self.resume(None)
        state.stop = 0

    def _order_by_prior(self) -> None:
        """Sort the root moves by the network's prior."""
        score_root_moves(self.state, self.net)
        priors = [int(prior) for prior in self.state.lists[0].priors[: len(self.order)]]
        ranked = sorted(zip(priors, self.order, strict=True), key=lambda pair: -pair[0])
        self.order = [move for _, move in ranked]
        self._write_root_moves(self.order)

    def _write_root_moves(self, moves: list[int]) -> None:
        self.state.root_count = len(moves)
        self.state.root_moves[: len(moves)] = moves

    def _load_past(self, position: Position) -> None:
        """Write the keys of the positions since the last wall, so that the search sees repetitions."""
        twin = position.copy()
        keys: list[int] = []
        state, frame = self.state, self.state.frames[0]
        key = int(frame.key)
        seats = {player: seat for seat, player in enumerate(position.order)}
        for ply in reversed(position.history[1 - PAST_LIMIT :]):
            if ply.move is None or number_of(ply.move, self._size) >= HORIZONTAL:
                break
            turn = seats[twin.turn or position.order[0]]
            pawn = twin.pawn(ply.player)
            twin.pop()
            before = twin.pawn(ply.player)
            seat = seats[ply.player]
            for square in (pawn, before):
                if square is not None:
                    key ^= int(state.pawn_keys[seat, square.row * self._size + square.column])
            key ^= int(state.turn_keys[turn]) ^ int(state.turn_keys[seat])
            keys.append(key)
        keys.reverse()
        state.past_count = frame.reversible = len(keys)
        for index, past in enumerate(keys):
            state.past[index] = past

    def run(self, multipv: int) -> Analysis:
        """Search deeper and deeper, and score the best ``multipv`` moves.

        A search that is stopped before it has searched every move still searches one ply, so that it misses
        no win in one move.
        """
        best: list[Choice] = []
        done = 0
        multipv = min(multipv, len(self.order))
        for iteration in range(1, self._depth + 1):
            found: list[Choice] = []
            for pv_index in range(multipv):
                previous_score = best[pv_index].score if pv_index < len(best) else None
                rest = self.order[pv_index:]
                choice = self.search_root(rest, iteration, previous_score)
                self.order[pv_index:] = rest
                if choice is None:
                    break
                found.append(choice)
            if iteration == 1 and len(found) < 2 and self.is_stopped:
                break
            # The results of a stopped iteration count, because it began with the best known move. The other
            # moves keep their scores of the previous iteration, limited to the lowest score of this one.
            limit = found[-1].score if found else scores.INFINITY
            older = [old for old in best if all(old.move != new.move for new in found)][
                : multipv - len(found)
            ]
            best = found + [evolve(old, score=min(old.score, limit)) for old in older]
            # Reductions depend on the other moves of a search, so scores need not come out in order.
            best.sort(key=lambda choice: choice.score, reverse=True)
            first = [number_of(choice.move, self._size) for choice in best]
            self.order = first + [move for move in self.order if move not in first]
            if self.is_stopped:
                break
            done = iteration
            if all(choice.wins_in is not None and abs(choice.wins_in) <= iteration for choice in best):
                break
        choices = tuple(best) or (self.search_one_ply(self.order),)
        return Analysis(choices, done, int(self.state.nodes))

    def search_one_ply(self, moves: list[int]) -> Choice:
        """Return the best of ``moves`` at one ply, regardless of limits, in less than a millisecond."""
        choice = None
        while choice is None:
            # A stop from outside may come at any moment, and must not leave the search without a move.
            self.state.stop = 0
            self.state.node_limit = ALL_NODES
            self.state.clock[0] = 0
            choice = self.search_root(moves, 1, None)
        self.state.stop = 1
        return choice

    def search_root(self, moves: list[int], depth: int, previous_score: int | None) -> Choice | None:
        """Search the position in the first frame, and move the best of its ``moves`` to the front.

        Args:
            moves: the numbers of the moves to search, in order.
            depth: search depth, in plies.
            previous_score: score of the last iteration, the middle of the aspiration window; None if unknown.

        Returns:
            The best move. If the search was stopped or paused, it is the best so far, None without any.
        """
        self._write_root_moves(moves)
        self.state.root_best = -1
        middle = previous_score or 0
        is_narrow = previous_score is not None and depth > 3 and abs(middle) < scores.DECIDED
        window = _WINDOW if is_narrow else scores.INFINITY
        low, high = max(middle - window, -scores.INFINITY), min(middle + window, scores.INFINITY)
        while True:
            score = int(self._search(0, depth, low, high))
            if self.is_stopped or self.is_paused:
                break
            window = window * 4 if window < _WIDEST else scores.INFINITY
            if score <= low and low > -scores.INFINITY:
                low = max(score - window, -scores.INFINITY)
            elif score >= high and high < scores.INFINITY:
                high = min(score + window, scores.INFINITY)
            else:
                break
        index = int(self.state.root_best)
        if index < 0:
            return None
        moves.insert(0, moves.pop(index))
        return self._choice(int(self.state.root_score), moves[0])

    def _choice(self, score: int, move: int) -> Choice:
        line = self.state.lines[0]
        numbers = [int(number) for number in line.moves[: line.length]]
        if not numbers or numbers[0] != move:
            numbers = [move]
        if self._position.players > 2 and scores.PROVEN < abs(score) < scores.WIN - 1:
            # Unproven, because only one rival's replies were searched.
            unproven = scores.DOUBTFUL + abs(score) - scores.WIN
            score = unproven if score > 0 else -unproven
        return Choice(move_of(move, self._size), score, wins_in(score), self._convert_line(numbers))

    def _convert_line(self, numbers: list[int]) -> tuple[Move, ...]:
        """Return the moves of a line up to the first that is illegal in true turn order.

        With four players, such moves occur because the search lets only one rival reply.
        """
        moves = [move_of(number & MOVE_MASK, self._size) for number in numbers]
        if self._position.players == 2:
            return tuple(moves)
        twin = self._position.copy()
        twin.push(moves[0])
        for index, move in enumerate(moves[1:], 1):
            seat = numbers[index] >> SEAT_SHIFT
            if twin.turn is None or twin.order.index(twin.turn) != seat or not twin.is_legal(move):
                return tuple(moves[:index])
            twin.push(move)
        return tuple(moves)
