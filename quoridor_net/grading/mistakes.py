"""The positions in which a program lost most of its winning chance, found by the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import aclosing

from quoridor_net.analysis import PlyAnalysis
from quoridor_net.engine import Engine, Limits
from quoridor_net.grading.grade import GradedGame, Mistake
from quoridor_net.players.analyst import analyse_plies
from quoridor_net.replay import Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.rules import Position

#: Number of positions shown.
SHOWN = 3

#: Maximum number of games analysed; the last ones are against opponents of about the program's level.
ANALYSED = 5

#: Limit of each search. With nodes alone and a new engine for each game, the result is repeatable.
LIMITS = Limits(nodes=3000)

#: Smallest loss of winning chance worth showing.
LEAST = 0.05


async def find_mistakes(games: Iterable[GradedGame], start: Position, found: list[Mistake]) -> None:
    """Put the largest mistakes of the lost games into ``found``, at most one of each game, the largest first.

    Games lost by faults need no analysis. When this is cancelled, ``found`` has the mistakes so far.

    Args:
        games: games of one program.
        start: the position before the openings.
        found: gets the mistakes.
    """
    lost = [game for game in games if not game.points and not game.is_lost_by_fault]
    for game in lost[-ANALYSED:]:
        # One of each game, because a mistake is often followed by others that only finish the work.
        worst = max(await _analyse(game, start), key=lambda mistake: mistake.loss, default=None)
        if worst is not None and worst.loss >= LEAST:
            found.append(worst)
        found.sort(key=lambda mistake: -mistake.loss)
        del found[SHOWN:]


async def _analyse(game: GradedGame, start: Position) -> list[Mistake]:
    """Return the program's moves that lost something, in their order."""
    replay = Replay(Setting.of(start), game.plies, complete=True)
    with Engine() as engine:
        async with aclosing(analyse_plies(replay, engine, LIMITS, first=game.opening + 1)) as found:
            plies = [ply async for ply in found if ply.player == game.seat and ply.loss]
    return list(_mistakes(game, replay, plies))


def _mistakes(game: GradedGame, replay: Replay, plies: Iterable[PlyAnalysis]) -> Iterator[Mistake]:
    for ply in plies:
        assert ply.played is not None
        assert ply.move is not None
        assert ply.loss is not None
        position = replay.position(ply.ply - 1)
        chance = ply.played.chance + ply.loss
        yield Mistake(game, ply.ply, position, ply.move, ply.best[0].moves[0], chance, ply.loss)
