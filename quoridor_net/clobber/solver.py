"""Proofs of the winner of a position, and of winning moves.

Importing this module compiles the kernels, or loads them from numba's cache.
"""

from __future__ import annotations

import enum

from quoridor_net.clobber import games as game_kernels
from quoridor_net.clobber import regions as region_kernels
from quoridor_net.clobber import sums as sum_kernels
from quoridor_net.clobber.jit import UNLIMITED, clear_stop
from quoridor_net.clobber.position import ClobberPosition
from quoridor_net.clobber.values import Colour, Move

#: Regions of at most this many stones are replaced by the games they equal. A smaller limit makes the search
#: longer; a larger one spends more time on games than it saves.
VALUED_STONES = 8
#: Default number of regions to keep: enough for a search of about ten seconds. Each takes about 250 bytes.
REGIONS = 1 << 20
#: If more than this fraction of the stores is used, the next search starts with empty ones.
FULL = 0.6


class OutcomeClass(enum.Enum):
    """The outcome classes of combinatorial game theory, with their letters."""

    BLACK = "L"
    WHITE = "R"
    FIRST_PLAYER = "N"
    SECOND_PLAYER = "P"

    def __str__(self) -> str:
        return self.value


class Solver:
    """A prover of wins and losses. One search at a time; :meth:`stop` may be called from any thread.

    Args:
        regions: number of regions to keep; a search that needs more ends without a verdict.
        valued_stones: regions of at most this many stones are replaced by the games they equal.
    """

    def __init__(self, regions: int = REGIONS, valued_stones: int = VALUED_STONES) -> None:
        self._sums = sum_kernels.new_sums(1 << max(regions // 2, 1).bit_length())
        self._games = game_kernels.new_games(max(regions // 2, 1 << 12))
        self._regions = region_kernels.new_regions(regions, valued_stones)

    def _clear(self) -> None:
        game_kernels.clear_games(self._games)
        region_kernels.clear_regions(self._regions)
        # Keys of states contain the numbers of games and regions, so they are invalid without the stores.
        sum_kernels.clear_table(self._sums)

    @property
    def nodes(self) -> int:
        """Number of states that the latest call searched."""
        return int(self._sums.control.nodes)

    def allow(self, seconds: float | None = None) -> None:
        """Clear an earlier :meth:`stop`; kernels that can read the clock stop again after ``seconds``."""
        clear_stop(self._regions.counts.stop, seconds)

    def stop(self) -> None:
        """End the current search soon, and every later one until :meth:`allow`, without a verdict."""
        self._regions.counts.stop.is_set = 1

    def wins(self, position: ClobberPosition, nodes: int | None = None) -> bool | None:
        """Return whether the player to move wins; None when stopped, out of room or out of ``nodes``."""
        control = self._sums.control
        control.nodes = 0
        control.node_limit = nodes or UNLIMITED
        if not self._has_room():
            self._clear()
        if not self._set_up(position):
            return None
        verdict = sum_kernels.search(self._regions, self._games, self._sums, 0)
        return None if verdict == sum_kernels.STOPPED else verdict == sum_kernels.WIN

    def _has_room(self) -> bool:
        regions, games = self._regions.counts, self._games.counts
        return bool(
            regions.regions < FULL * regions.region_limit
            and regions.stones < FULL * regions.stone_limit
            and regions.moves < FULL * regions.move_limit
            and games.games < FULL * games.game_limit
            and games.options < FULL * games.option_limit
        )

    def _is_known_loss(self, position: ClobberPosition) -> bool:
        if not self._set_up(position):
            return False
        return sum_kernels.find_verdict(self._games, self._sums, 0) == sum_kernels.LOSS

    def _set_up(self, position: ClobberPosition) -> bool:
        grid = region_kernels.grid_of(position, position.side)
        return sum_kernels.set_up(self._regions, self._games, self._sums, grid)

    def winning_move(self, position: ClobberPosition, nodes: int | None = None) -> Move | None:
        """Return a winning move; None if no move wins, or none was found in time.

        This is usually quick after :meth:`wins` has returned True.
        """
        after = position.copy()
        for search in (False, True):
            for move in position.legal_moves:
                after.push(move)
                lost = self.wins(after, nodes) is False if search else self._is_known_loss(after)
                after.pop()
                if lost:
                    return move
        return None

    def outcome(self, position: ClobberPosition) -> OutcomeClass | None:
        """Return the outcome class of the stones, ignoring the side to move; None if the search fails."""
        size, stones = (position.columns, position.rows), position.stones()
        wins = tuple(self.wins(ClobberPosition.setup(*size, stones, colour)) for colour in Colour)
        letters: dict[tuple[bool | None, ...], str] = {
            (True, True): "N",
            (False, False): "P",
            (True, False): "L",
            (False, True): "R",
        }
        return OutcomeClass(letters[wins]) if wins in letters else None
