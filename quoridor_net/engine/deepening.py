"""Iterative deepening for the kernel: calls it pass by pass and keeps the best moves in order."""

from __future__ import annotations

from functools import partial

from attrs import evolve

from quoridor_net.engine import layout
from quoridor_net.engine.alphabeta import search
from quoridor_net.engine.floods import flood_all
from quoridor_net.engine.jit import deadline_after
from quoridor_net.engine.limits import Analysis, Choice, wins_in
from quoridor_net.engine.many import search_many
from quoridor_net.engine.memory import load, move_of, new_memory, number_of
from quoridor_net.engine.network import knows, new_numbers
from quoridor_net.engine.ordering import MOVE_MASK, PRIOR, SEAT_SHIFT, fade, rank_root
from quoridor_net.engine.weights import set_weights
from quoridor_net.engine.words import Words
from quoridor_net.rules import Move, Position

_WINDOW = 40
_WIDEST = 1000
_ALL_NODES = 1 << 60


class Deepening:
    """The kernel's search on boards of up to 11 squares, for two or four players.

    Args:
        size: squares on a side.
        players: 2 or 4.
        table_mb: megabytes for the transposition table.
        weights: changes of weights by name.
    """

    def __init__(self, size: int, players: int, table_mb: int, weights: dict[str, int] | None = None) -> None:
        import numpy as np

        self._size = size
        changes = dict(weights or {})
        uses_network = bool(changes.pop("network", 1)) and knows(size, players)
        self._memory: Words = new_memory(size, players)
        self._memory[layout.HAS_NETWORK] = uses_network
        self._numbers = new_numbers(uses_network)
        set_weights(self._memory, changes, uses_network)
        buckets = 1
        while buckets * 2 * layout.BUCKET * layout.ENTRY * 8 <= table_mb << 20:
            buckets *= 2
        self._memory[layout.TABLE_MASK] = buckets - 1
        self._table: Words = np.zeros(buckets * layout.BUCKET * layout.ENTRY, dtype=np.int64)
        if players == 2:
            self._search = partial(search, self._memory, self._numbers, self._table)
        else:
            self._search = partial(search_many, self._memory, self._table)

    def stop(self) -> None:
        """Have the search that is running, if any, answer at once."""
        self._memory[layout.STOP] = 1

    def resume(self, nodes: int | None) -> None:
        """Have the search that goes on now pause after ``nodes``, None for never."""
        memory = self._memory
        memory[layout.IS_PAUSED] = 0
        memory[layout.PAUSE_AT] = _ALL_NODES if nodes is None else memory[layout.NODES] + nodes

    @property
    def is_paused(self) -> bool:
        """Whether the search broke off to be gone on with."""
        return bool(self._memory[layout.IS_PAUSED])

    @property
    def is_stopped(self) -> bool:
        """Whether the search was stopped, from outside or by its node limit."""
        return bool(self._memory[layout.STOP])

    def clear(self) -> None:
        """Forget everything learned from earlier searches."""
        self._table[:] = 0
        self._memory[layout.HISTORY : layout.KILLERS] = 0

    def prepare(
        self, position: Position, order: list[Move], nodes: int | None, seconds: float | None = None
    ) -> None:
        """Load ``position``, whose legal moves in the order to search them first are ``order``.

        The search ends after ``nodes`` or, where kernels can tell the time, ``seconds`` from now.
        """
        deadline = deadline_after(seconds)
        memory = self._memory
        self._position = position
        load(memory, position)
        flood_all(memory, 0)
        fade(memory)
        memory[layout.PAST_COUNT] = 0
        if position.players == 2:
            self._load_past(position)
        else:
            hero = int(memory[layout.ROWS + layout.TURN])
            memory[layout.ROOT_SEAT] = hero
            # Scores are those of the seat the search is for: entries of other seats must not match.
            memory[layout.ROWS + layout.KEY] ^= memory[layout.TURN_KEYS - 1 - hero]
        memory[layout.GENERATION] = (memory[layout.GENERATION] + 1) & 255
        memory[layout.NODES] = 0
        memory[layout.NODE_LIMIT] = min(nodes or _ALL_NODES, _ALL_NODES)
        self._order = [number_of(move, self._size) for move in order]
        if memory[layout.HAS_NETWORK]:
            self._rank()
        memory[layout.DEADLINE] = deadline
        self.resume(None)
        memory[layout.STOP] = 0

    def _rank(self) -> None:
        """Put the moves in the order of the network's prior."""
        memory = self._memory
        count = len(self._order)
        memory[layout.ROOT_COUNT] = count
        memory[layout.ROOT_MOVES : layout.ROOT_MOVES + count] = self._order
        rank_root(self._numbers, memory)
        place = layout.LISTS + PRIOR
        priors = [int(prior) for prior in memory[place : place + count]]
        self._order = [
            move for _, move in sorted(zip(priors, self._order, strict=True), key=lambda pair: -pair[0])
        ]

    def _load_past(self, position: Position) -> None:
        """Write the keys of the positions since the last wall, so that repetitions are seen."""
        twin = position.copy()
        keys: list[int] = []
        memory = self._memory
        row = layout.ROWS
        key = int(memory[row + layout.KEY])
        seats = {player: seat for seat, player in enumerate(position.order)}
        for ply in reversed(position.history[1 - layout.PAST_LIMIT :]):
            if ply.move is None or number_of(ply.move, self._size) >= layout.HORIZONTAL:
                break
            turn = seats[twin.turn or position.order[0]]
            pawn = twin.pawn(ply.player)
            twin.pop()
            before = twin.pawn(ply.player)
            seat = seats[ply.player]
            for square in (pawn, before):
                if square is not None:
                    place = layout.PAWN_KEYS + seat * layout.CELLS + square.row * self._size + square.column
                    key ^= int(memory[place])
            key ^= int(memory[layout.TURN_KEYS + turn]) ^ int(memory[layout.TURN_KEYS + seat])
            keys.append(key)
        keys.reverse()
        memory[layout.PAST_COUNT] = len(keys)
        memory[row + layout.RUN] = len(keys)
        for index, past in enumerate(keys):
            memory[layout.PAST + index] = past

    def run(self, depth: int | None, top: int) -> Analysis:
        """Search deeper and deeper until stopped, or to ``depth``, and score the best ``top`` moves.

        A search that is stopped before it has looked at every move still looks one ply ahead: it overlooks
        no win in one move.
        """
        best: list[Choice] = []
        done = 0
        top = min(top, len(self._order))
        for now in range(1, min(depth or layout.PLIES, layout.PLIES - 2) + 1):
            found: list[Choice] = []
            for rank in range(top):
                choice = self._pass(now, rank, best[rank].score if rank < len(best) else None)
                if choice is None:
                    break
                found.append(choice)
            if now == 1 and len(found) < 2 and self.is_stopped:
                break
            # A pass that was stopped still counts as far as it came: it began with the best move known.
            # The rest are known from the pass before, and to be no better than those of this one.
            limit = found[-1].score if found else layout.INFINITY
            older = [old for old in best if all(old.move != new.move for new in found)][: top - len(found)]
            best = found + [evolve(old, score=min(old.score, limit)) for old in older]
            # What is searched less deep depends on the moves beside it: scores need not come out in order.
            best.sort(key=lambda choice: choice.score, reverse=True)
            first = [number_of(choice.move, self._size) for choice in best]
            self._order = first + [move for move in self._order if move not in first]
            if self._memory[layout.STOP]:
                break
            done = now
            if all(choice.wins_in is not None and abs(choice.wins_in) <= now for choice in best):
                break
        return Analysis(tuple(best or self._glance()), done, int(self._memory[layout.NODES]))

    def _glance(self) -> list[Choice]:
        """Look one ply ahead whatever the limits; it takes less than a millisecond."""
        choice = None
        while choice is None:
            # It may be stopped from outside at any moment, which must not leave nothing to play.
            self._memory[layout.STOP] = 0
            self._memory[layout.NODE_LIMIT] = _ALL_NODES
            self._memory[layout.DEADLINE] = 0
            choice = self._pass(1, 0, None)
        self._memory[layout.STOP] = 1
        return [choice]

    def _pass(self, depth: int, rank: int, guess: int | None) -> Choice | None:
        """Search the moves from ``rank`` on, bring the best of them to that rank, and return it."""
        memory = self._memory
        moves = self._order[rank:]
        memory[layout.ROOT_COUNT] = len(moves)
        memory[layout.ROOT_MOVES : layout.ROOT_MOVES + len(moves)] = moves
        memory[layout.ROOT_BEST] = -1
        window = (
            _WINDOW if guess is not None and depth > 3 and abs(guess) < layout.DECIDED else layout.INFINITY
        )
        middle = guess or 0
        low, high = max(middle - window, -layout.INFINITY), min(middle + window, layout.INFINITY)
        while True:
            score = int(self._search(0, depth, low, high))
            if self.is_stopped or self.is_paused:
                break
            window = window * 4 if window < _WIDEST else layout.INFINITY
            if score <= low and low > -layout.INFINITY:
                low = max(score - window, -layout.INFINITY)
            elif score >= high and high < layout.INFINITY:
                high = min(score + window, layout.INFINITY)
            else:
                break
        index = int(memory[layout.ROOT_BEST])
        if index < 0:
            return None
        self._order.insert(rank, self._order.pop(rank + index))
        return self._choice(int(memory[layout.ROOT_SCORE]), self._order[rank])

    def _choice(self, score: int, move: int) -> Choice:
        memory = self._memory
        length = int(memory[layout.LINES])
        numbers = [int(number) for number in memory[layout.LINES + 1 : layout.LINES + 1 + length]]
        if not numbers or numbers[0] != move:
            numbers = [move]
        if self._position.players > 2 and layout.PROVEN < abs(score) < layout.WIN - 1:
            # Only one rival's replies were searched.
            unproven = layout.DOUBTFUL + abs(score) - layout.WIN
            score = unproven if score > 0 else -unproven
        return Choice(move_of(move, self._size), score, wins_in(score), self._played(numbers))

    def _played(self, numbers: list[int]) -> tuple[Move, ...]:
        """Return the moves of a line, as far as they can be played one after the other.

        With four players the search has one rival reply, whoever that is, and the others step on.
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
