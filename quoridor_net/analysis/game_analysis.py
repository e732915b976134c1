"""Engine analysis of a recorded game, ply by ply."""

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
from quoridor_net.text import count_things


@frozen
class BestLine:
    """A line of play that the engine expects.

    Attributes:
        moves: the moves; the score is that of the first.
        score: value of the move for the player who makes it, in hundredths of a step.
        chance: the winning chance of that player, 0 to 1.
        wins_in: maximum plies to a proven win of that player, negative for a proven loss; None without proof.
    """

    moves: tuple[Move, ...]
    score: int
    chance: float
    wins_in: int | None


@frozen
class PlyAnalysis:
    """Engine analysis of one ply of a game.

    Attributes:
        ply: its number, from 1.
        player: number of the player.
        move: the move played; None for an elimination, which has neither lines nor a score.
        best: the best lines before it, best first.
        played: the move, and the line expected after it.
        loss: winning chance that the move lost, 0 to 1; 0 for the best move, None for an elimination.
        mark: the name of such a loss; None for a small one.
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
    """Yield the analysis of each ply of a recorded game as soon as it is ready.

    Each position is searched once, and a move has the score of the position after it. With four players a
    score belongs to the player to move, so a move outside the best lines gets a search of its own instead.
    A loss large enough for a mark is checked: the best move gets the same search as the played one, and the
    smaller loss counts.

    Each step of the iterator blocks and computes without the GIL, as :meth:`quoridor_net.engine.Engine.play`
    does. With a new engine and a limit of nodes or depth alone, an analysis is repeatable.

    Args:
        replay: the game.
        engine: the engine that searches.
        limits: when each search ends; after one second by default.
        lines: number of best lines to find before each ply.
        first: number of the first ply to analyse, from 1.
        last: number of the last ply; the last of the game by default.
        abandoned: set before :meth:`quoridor_net.engine.Engine.stop` is called, it ends the iterator at once.

    Raises:
        ValueError: the game does not have these plies, or ``lines`` is less than 1.
    """
    last = len(replay.plies) if last is None else last
    if not 1 <= first <= last + 1 <= len(replay.plies) + 1:
        plies = count_things(len(replay.plies), "ply")
        raise ValueError(f"the game has {plies}, so plies {first} to {last} do not exist")
    if lines < 1:
        raise ValueError(f"the number of lines must be at least 1, not {lines}")
    analyst = _Analyst(engine, limits or Limits(), lines, abandoned or threading.Event())
    return analyst.analyse(replay.position(first - 1), replay.plies[first - 1 : last], first)


class _Analyst:
    """The searches of one game, one for each position."""

    def __init__(self, engine: Engine, limits: Limits, lines: int, abandoned: threading.Event) -> None:
        self._engine = engine
        self._limits = limits
        self._lines = lines
        self._abandoned = abandoned

    def analyse(self, position: Position, plies: tuple[Ply, ...], first: int) -> Iterator[PlyAnalysis]:
        """Yield the analysis of ``plies``, which begin in ``position``, until it is abandoned."""
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
        # Without its history, because searches score repetitions as draws, which the rules do not.
        alone = Position.from_line(position.to_line(), position.jumps)
        choices = self._engine.analyse(
            alone, self._limits, multipv=lines or self._lines, moves=moves, abandoned=self._abandoned
        )
        return tuple(_line(choice, position) for choice in choices)

    def _play(
        self, position: Position, player: int, move: Move, best: tuple[BestLine, ...]
    ) -> tuple[BestLine, tuple[BestLine, ...]]:
        """Return ``move`` of ``player`` as a scored line, and the best lines after it if they are known."""
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
        """Return the winning chance that ``ply`` lost."""
        top = max(best, key=lambda line: line.score)
        if top.moves[0] == ply.move or top.score <= played.score:
            return 0.0
        loss = max(top.chance - played.chance, 0.0)
        # A proven score needs no check, and with four players both moves had the same kind of search.
        is_checked = position.players == 2 and top.wins_in is None
        if is_checked and mark_of(loss) is not None and not self._abandoned.is_set():
            again, _ = self._play(position, ply.player, top.moves[0], ())
            loss = min(loss, max(again.chance - played.chance, 0.0))
        return loss


def _line(choice: Choice, position: Position) -> BestLine:
    """Return a choice of the player to move in ``position`` as a line."""
    return BestLine(choice.line, choice.score, chance_of(choice.score, position), choice.wins_in)


def _earlier(move: Move, player: int, position: Position, after: tuple[BestLine, ...]) -> BestLine:
    """Return ``move`` of ``player`` as a line; ``after`` are the best lines of ``position`` after it."""
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
