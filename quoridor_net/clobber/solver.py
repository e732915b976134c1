"""Proofs: who wins a position of Clobber, and by which move.

Importing this module compiles the kernels or loads them from numba's cache.
"""

from __future__ import annotations

import enum

from quoridor_net.clobber import games as game_kernels
from quoridor_net.clobber import regions as region_kernels
from quoridor_net.clobber import sums as sum_kernels
from quoridor_net.clobber.jit import UNLIMITED, go_on
from quoridor_net.clobber.position import ClobberPosition
from quoridor_net.clobber.values import Colour, Move

#: Regions of at most this many stones are replaced by the games they equal: with fewer the search is longer,
#: with more the games take longer than what they save.
VALUED_STONES = 8
#: Regions kept by default, enough for a search of some ten seconds; about 250 bytes each once they are used.
REGIONS = 1 << 20
#: Once this part of the room is taken, the next search starts with empty stores.
FULL = 0.6


class OutcomeClass(enum.Enum):
    """Who wins, by who moves first: the letters of combinatorial game theory."""

    BLACK = "L"
    WHITE = "R"
    FIRST_PLAYER = "N"
    SECOND_PLAYER = "P"

    def __str__(self) -> str:
        return self.value


class Solver:
    """Proves wins and losses. One search at a time; :meth:`stop` may be called from any thread.

    Args:
        regions: how many regions to keep; a search that needs more ends without a verdict.
        valued_stones: regions up to this size are replaced by the games they equal.
    """

    def __init__(self, regions: int = REGIONS, valued_stones: int = VALUED_STONES) -> None:
        self._sums = sum_kernels.new_sums(1 << max(regions // 2, 1).bit_length())
        self._games = game_kernels.new_games(max(regions // 2, 1 << 12))
        self._regions = region_kernels.new_regions(regions, valued_stones)

    def _clear(self) -> None:
        game_kernels.clear_games(self._games)
        region_kernels.clear_regions(self._regions)
        # The keys of states count games and regions by number, so they die with the stores.
        self._sums.table_key.fill(0)
        self._sums.table_nodes.fill(0)

    @property
    def nodes(self) -> int:
        """States searched by the latest call."""
        return int(self._sums.control[sum_kernels.NODES])

    def allow(self, seconds: float | None = None) -> None:
        """Take back an earlier :meth:`stop`; where kernels tell the time, stop again after ``seconds``."""
        go_on(self._regions.counts, region_kernels.HALT, seconds)

    def stop(self) -> None:
        """Make the search that runs, and all until :meth:`allow`, end soon and without a verdict."""
        self._regions.counts[region_kernels.HALT] = 1

    def wins(self, position: ClobberPosition, nodes: int | None = None) -> bool | None:
        """Return whether the player to move wins; None when stopped, out of room or out of ``nodes``."""
        control = self._sums.control
        control[sum_kernels.NODES] = 0
        control[sum_kernels.NODE_LIMIT] = nodes or UNLIMITED
        if not self._fits():
            self._clear()
        if not self._state(position):
            return None
        verdict = sum_kernels.searched(self._regions, self._games, self._sums, 0)
        return None if verdict == sum_kernels.STOPPED else verdict == sum_kernels.WIN

    def _fits(self) -> bool:
        counts = self._regions.counts
        games = self._games.counts
        return bool(
            counts[region_kernels.REGIONS] < FULL * counts[region_kernels.REGION_LIMIT]
            and counts[region_kernels.STONES] < FULL * counts[region_kernels.STONE_LIMIT]
            and counts[region_kernels.MOVES] < FULL * counts[region_kernels.MOVE_LIMIT]
            and games[game_kernels.GAMES] < FULL * games[game_kernels.LIMIT]
            and games[game_kernels.POOL] < FULL * games[game_kernels.POOL_LIMIT]
        )

    def _is_known_loss(self, position: ClobberPosition) -> bool:
        return self._state(position) and sum_kernels.known(self._games, self._sums) == sum_kernels.LOSS

    def _state(self, position: ClobberPosition) -> bool:
        grid = region_kernels.grid_of(position, position.side)
        return sum_kernels.stated(self._regions, self._games, self._sums, grid)

    def winning_move(self, position: ClobberPosition, nodes: int | None = None) -> Move | None:
        """Return a move that wins; None when there is none, or none was found in time.

        After :meth:`wins` has returned True this is quick as a rule.
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
        """Return the outcome class of the stones of ``position``, whoever is to move; None when too hard."""
        size, stones = (position.columns, position.rows), position.stones()
        wins = tuple(self.wins(ClobberPosition.setup(*size, stones, colour)) for colour in Colour)
        letters: dict[tuple[bool | None, ...], str] = {
            (True, True): "N",
            (False, False): "P",
            (True, False): "L",
            (False, True): "R",
        }
        return OutcomeClass(letters[wins]) if wins in letters else None
