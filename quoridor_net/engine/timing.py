"""How long a move may take, and the alarm that ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType

from quoridor_net.engine.limits import Limits

DEFAULT_MOVE_TIME = 1.0
#: Seconds kept back for what happens outside the search.
MARGIN = 0.006
#: A game is expected to go on for this many moves of one player at first, and for no fewer than the second.
EXPECTED_MOVES = 40
FEWEST_MOVES = 12
#: No move takes longer, some thirty years: what is more does not fit into the clocks.
LONGEST = 1e9


def seconds_for(limits: Limits, moves_played: int) -> float | None:
    """Return the seconds that one move may take; None when only nodes or depth limit it.

    Args:
        limits: the limits of the move.
        moves_played: moves this player has made in the game.
    """
    shares = []
    if limits.move_time is not None:
        shares.append(limits.move_time)
    if limits.game_time is not None:
        to_go = max(EXPECTED_MOVES - moves_played, FEWEST_MOVES)
        shares.append(min(limits.game_time / to_go + 0.8 * limits.increment, 0.5 * limits.game_time))
    if not shares and limits.nodes is None and limits.depth is None:
        shares.append(DEFAULT_MOVE_TIME)
    if not shares:
        return None
    return min(max(min(shares) - MARGIN, 0.0), LONGEST)


class Alarm:
    """Calls a function once after some seconds, unless the block ends earlier. None means never."""

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
