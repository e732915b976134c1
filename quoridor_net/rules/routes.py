"""Which walls leave everybody a path, found with as few flood fills as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quoridor_net.rules.board import Board
from quoridor_net.rules.paths import Path, distance, shortest_path
from quoridor_net.rules.walls import WallSet


class Routes:
    """Remembers a path of each player, as a wall that cuts none of them needs no flood fill.

    A remembered path holds until a wall cuts it or its pawn moves; taking walls away never spoils it. So one
    object serves a position through all its pushes and pops.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        # Indexed by player number.
        self._paths: list[Path | None] = [None] * len(board.goals)

    def copy(self) -> Routes:
        """Return an independent object that remembers the same paths."""
        twin = Routes(self._board)
        twin._paths = self._paths.copy()
        return twin

    def cut_off(
        self, walls: WallSet, pawns: Sequence[int], players: Iterable[int], anchor: int, is_vertical: bool
    ) -> int | None:
        """Return the number of a player that one more wall would leave without a path, or None.

        Args:
            walls: the walls on the board.
            pawns: the square of each player's pawn, by player number.
            players: the players that need a path.
            anchor: where the wall would lie; it has to fit there.
            is_vertical: how it would lie.
        """
        bit = 1 << anchor
        more = None
        for player in players:
            path = self._path(walls, player, pawns[player])
            if not (path.cut_vertical if is_vertical else path.cut_horizontal) & bit:
                continue
            if more is None:
                more = walls.with_vertical(anchor) if is_vertical else walls.with_horizontal(anchor)
            if distance(more, pawns[player], self._board.goals[player]) is None:
                return player
        return None

    def legal_walls(self, walls: WallSet, pawns: Sequence[int], players: Iterable[int]) -> tuple[int, int]:
        """Return the anchors of the (horizontal, vertical) walls that fit and leave ``players`` a path."""
        horizontal, vertical = walls.fitting
        doubtful_horizontal, doubtful_vertical = walls.cutting
        for player in players:
            closing_horizontal, closing_vertical = self._closing(
                walls, player, pawns[player], doubtful_horizontal & horizontal, doubtful_vertical & vertical
            )
            horizontal &= ~closing_horizontal
            vertical &= ~closing_vertical
        return horizontal, vertical

    def _closing(
        self, walls: WallSet, player: int, pawn: int, horizontal: int, vertical: int
    ) -> tuple[int, int]:
        """Return which of the given anchors hold walls that would leave ``player`` without a path.

        Only walls that cut every path found so far are tried, and each try finds another path.
        """
        path = self._path(walls, player, pawn)
        goal = self._board.goals[player]
        horizontal &= path.cut_horizontal
        vertical &= path.cut_vertical
        closing_horizontal = closing_vertical = 0
        while horizontal:
            bit = horizontal & -horizontal
            horizontal ^= bit
            found = shortest_path(walls.with_horizontal(bit.bit_length() - 1), pawn, goal)
            if found is None:
                closing_horizontal |= bit
            else:
                horizontal &= found.cut_horizontal
                vertical &= found.cut_vertical
        while vertical:
            bit = vertical & -vertical
            vertical ^= bit
            found = shortest_path(walls.with_vertical(bit.bit_length() - 1), pawn, goal)
            if found is None:
                closing_vertical |= bit
            else:
                vertical &= found.cut_vertical
        return closing_horizontal, closing_vertical

    def _path(self, walls: WallSet, player: int, pawn: int) -> Path:
        """Return a path of ``player``, remembered if it still holds. It need not be a shortest one."""
        path = self._paths[player]
        if (
            path is not None
            and path.numbers[0] == pawn
            and not path.cut_horizontal & walls.horizontal
            and not path.cut_vertical & walls.vertical
        ):
            return path
        path = shortest_path(walls, pawn, self._board.goals[player])
        assert path is not None, "every player in the game has a path"
        self._paths[player] = path
        return path
