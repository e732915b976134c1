"""A recorded game analysed by the engine, ply after ply."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from attrs import evolve, frozen

from quoridor_net.analysis.chances import chance_of
from quoridor_net.analysis.marks import Mark, mark_of
from quoridor_net.engine import Choice, Engine, Limits
from quoridor_net.engine.scores import WIN
from quoridor_net.replay import Replay
from quoridor_net.replay.replay import apply
from quoridor_net.rules import Move, Ply, Position


@frozen
class BestLine:
    """A line of play that the engine expects.

    Attributes:
        moves: the moves, the one that is scored first.
        score: what it is worth to the player that makes it, in hundredths of a step.
        chance: the winning chance of that player, 0 to 1.
        wins_in: plies, at most, until that player has won, when that is proven; negative until it has lost;
            else None.
    """

    moves: tuple[Move, ...]
    score: int
    chance: float
    wins_in: int | None


@frozen
class PlyAnalysis:
    """What the engine thinks of one ply of a game.

    Attributes:
        ply: its number, from 1.
        player: who played it.
        move: what was played; None for an elimination, which has neither lines nor a score.
        best: the best lines before it, best first.
        played: the move, and the line expected after it.
        loss: how much of the winning chance the move lost, 0 to 1; 0 for the best move, None for an
            elimination.
        mark: what such a loss is called; None if it is small.
    """

    ply: int
    player: int
    move: Move | None
    best: tuple[BestLine, ...] = ()
    played: BestLine | None = None
    loss: float | None = None
    mark: Mark | None = None


def analyse_game(
    replay: Replay,
    engine: Engine,
    limits: Limits | None = None,
    *,
    lines: int = 1,
    first: int = 1,
    last: int | None = None,
    abandoned: threading.Event | None = None,
) -> Iterator[PlyAnalysis]:
    """Yield the analysis of each ply of a recorded game, as soon as it is there.

    The position before each ply is searched once, and so is the last; a move is worth what the position after
    it is. With four players, where scores are those of the player to move, a move that is not among the best
    lines gets a search of its own instead. A loss that would be marked is checked: the best move gets a
    search as the played one did, and the smaller loss counts.

    Each step of the iterator blocks and computes without the GIL, as :meth:`quoridor_net.engine.Engine.play`
    does. With nodes or depth alone as limits, and a new engine, an analysis always repeats itself.

    Args:
        replay: the game.
        engine: what searches.
        limits: when each search ends; after one second unless given.
        lines: how many of the best lines to find before each ply.
        first: the first ply to analyse, from 1.
        last: the last one; that of the game unless given.
        abandoned: set before :meth:`quoridor_net.engine.Engine.stop` is called, it ends the iterator at once.

    Raises:
        ValueError: the game has no such plies, or fewer lines than one are asked for.
    """
    last = len(replay.plies) if last is None else last
    if not 1 <= first <= last + 1 <= len(replay.plies) + 1:
        raise ValueError(f"the game has {len(replay.plies)} plies, there are no plies {first} to {last}")
    if lines < 1:
        raise ValueError(f"at least one line is to be found, not {lines}")
    analyst = _Analyst(engine, limits or Limits(), lines, abandoned or threading.Event())
    return analyst.analyse(replay.position(first - 1), replay.plies[first - 1 : last], first)


class _Analyst:
    """Searches positions of one game, each of them once."""

    def __init__(self, engine: Engine, limits: Limits, lines: int, abandoned: threading.Event) -> None:
        self._engine = engine
        self._limits = limits
        self._lines = lines
        self._abandoned = abandoned

    def analyse(self, position: Position, plies: tuple[Ply, ...], first: int) -> Iterator[PlyAnalysis]:
        """Yield the analysis of ``plies``, which begin in ``position``, as far as it is not abandoned."""
        best: tuple[BestLine, ...] = ()
        for number, ply in enumerate(plies, first):
            if ply.move is None:
                apply(position, ply)
                best = ()
                yield PlyAnalysis(number, ply.player, None)
                continue
            best = best or self._search(position)
            if self._abandoned.is_set():
                return
            played, after = self._play(position, ply.player, ply.move, best)
            loss = self._loss(position, ply, best, played)
            if self._abandoned.is_set():
                return
            yield PlyAnalysis(number, ply.player, ply.move, best, played, loss, mark_of(loss))
            apply(position, ply)
            best = after

    def _search(
        self, position: Position, lines: int | None = None, moves: tuple[Move, ...] | None = None
    ) -> tuple[BestLine, ...]:
        """Return the best lines; none if the game is over."""
        if position.turn is None:
            return ()
        # Without its history: searches take what stood on the board before for a draw, which no rule does.
        alone = Position.from_line(position.to_line(), position.jumps)
        choices = self._engine.analyse(
            alone, self._limits, multipv=lines or self._lines, moves=moves, abandoned=self._abandoned
        )
        return tuple(_line(choice, position) for choice in choices)

    def _play(
        self, position: Position, player: int, move: Move, best: tuple[BestLine, ...]
    ) -> tuple[BestLine, tuple[BestLine, ...]]:
        """Return what ``move`` is worth to ``player``, and the best lines after it if they are known."""
        known = next((line for line in best if line.moves[0] == move), None)
        position.push(move)
        try:
            if position.turn is None or position.players == 2:
                after = self._search(position)
                return _earlier(move, player, position, after), after
        finally:
            position.pop()
        return known or self._search(position, 1, (move,))[0], ()

    def _loss(self, position: Position, ply: Ply, best: tuple[BestLine, ...], played: BestLine) -> float:
        """Return how much of the winning chance ``ply`` lost."""
        top = max(best, key=lambda line: line.score)
        if top.moves[0] == ply.move or top.score <= played.score:
            return 0.0
        loss = max(top.chance - played.chance, 0.0)
        # What is proven needs no check, and with four players both searches were alike.
        is_checked = position.players == 2 and top.wins_in is None
        if is_checked and mark_of(loss) is not None and not self._abandoned.is_set():
            again, _ = self._play(position, ply.player, top.moves[0], ())
            loss = min(loss, max(again.chance - played.chance, 0.0))
        return loss


def _line(choice: Choice, position: Position) -> BestLine:
    """Return a choice of the player to move in ``position`` as a line."""
    return BestLine(choice.line, choice.score, chance_of(choice.score, position), choice.wins_in)


def _earlier(move: Move, player: int, position: Position, after: tuple[BestLine, ...]) -> BestLine:
    """Return ``move`` of ``player`` as a line, whose best continuations in ``position`` are ``after``."""
    if not after:
        score = 0 if position.winner is None else WIN - 1 if position.winner == player else 1 - WIN
        return BestLine((move,), score, chance_of(score, position), 1 if score > 0 else None)
    line = max(after, key=lambda line: line.score)
    sign = 1 if position.turn == player else -1
    score, wins_in = sign * line.score, line.wins_in
    if wins_in is not None:
        score -= 1 if score > 0 else -1
        wins_in = sign * wins_in + (1 if score > 0 else -1)
    chance = line.chance if sign > 0 else 1 - line.chance
    return evolve(line, moves=(move, *line.moves), score=score, chance=chance, wins_in=wins_in)
