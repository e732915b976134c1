"""Time management: the time for a move, and the alarm that ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import perf_counter
from types import TracebackType

from quoridor_net.engine.limits import Limits

DEFAULT_MOVE_TIME = 1.0
#: Seconds reserved for work outside the search.
MARGIN = 0.006
#: Expected number of moves of one player in a game, and the minimum expected to remain.
EXPECTED_MOVES = 40
FEWEST_MOVES = 12
#: Longest time for a move, some thirty years, because the clocks overflow beyond it.
LONGEST = 1e9


def allot_time(
    move_time: float | None, game_time: float | None, increment: float, moves_played: int
) -> float | None:
    """Return the seconds that a player should take for a move; None without a limit.

    Args:
        move_time: seconds for this move; None for no limit.
        game_time: seconds for this move and all later ones; None for no limit.
        increment: seconds added to the game time after each move.
        moves_played: moves this player has made in the game.
    """
    shares = [] if move_time is None else [move_time]
    if game_time is not None:
        to_go = max(EXPECTED_MOVES - moves_played, FEWEST_MOVES)
        shares.append(min(game_time / to_go + 0.8 * increment, 0.5 * game_time))
    return min(shares, default=None)


def search_time(limits: Limits, moves_played: int) -> float | None:
    """Return the seconds that one search may take; None when only nodes or depth limit it.

    Args:
        limits: the limits of the search.
        moves_played: moves this player has made in the game.
    """
    seconds = allot_time(limits.time, limits.game_time, limits.increment, moves_played)
    if seconds is None:
        if limits.nodes is not None or limits.depth is not None:
            return None
        seconds = DEFAULT_MOVE_TIME
    return min(max(seconds - MARGIN, 0.0), LONGEST)


def time_left(seconds: float | None, begun: float) -> float | None:
    """Return the rest of ``seconds`` since ``begun`` on the performance counter; None without a limit."""
    return None if seconds is None else max(seconds - (perf_counter() - begun), 0.0)


class SearchAlarm:
    """A timer that calls a function after some seconds, unless the block ends earlier. None means never."""

    def __init__(self, seconds: float | None, ring: Callable[[], None]) -> None:
        self._timer = None if seconds is None else threading.Timer(seconds, ring)

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
