"""Tests which walls leave every player a path, with as few flood fills as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quoridor_net.rules.board import Board
from quoridor_net.rules.paths import Path, distance, shortest_path
from quoridor_net.rules.walls import WallSet


class Routes:
    """A path of each player, kept because a wall that cuts none of them needs no flood fill.

    A path holds until a wall cuts it or its pawn moves, which each use checks; removing walls never
    invalidates it. So one object serves a position and its copies through all their pushes and pops.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        # Indexed by player number.
        self._paths: list[Path | None] = [None] * len(board.goals)

    def cut_off(
        self, walls: WallSet, pawns: Sequence[int], players: Iterable[int], anchor: int, is_vertical: bool
    ) -> int | None:
        """Return the number of a player that one more wall would leave without a path, or None.

        Args:
            walls: the walls on the board.
            pawns: the square of each player's pawn, by player number.
            players: the players that need a path.
            anchor: where the wall would lie; it has to fit there.
            is_vertical: whether it would be vertical.
        """
        more = None
        for player in players:
            if not self._path(walls, player, pawns[player]).cuts[is_vertical] >> anchor & 1:
                continue
            if more is None:
                more = walls.with_wall(anchor, is_vertical)
            if distance(more, pawns[player], self._board.goals[player]) is None:
                return player
        return None

    def legal_walls(self, walls: WallSet, pawns: Sequence[int], players: Iterable[int]) -> tuple[int, int]:
        """Return the anchors of the (horizontal, vertical) walls that fit and leave ``players`` a path.

        Only walls that cut every path found so far are tried, and each try finds another path.
        """
        horizontal, vertical = walls.fitting
        doubtful_horizontal, doubtful_vertical = walls.cutting
        for player in players:
            pawn, goal = pawns[player], self._board.goals[player]
            cut_horizontal, cut_vertical = self._path(walls, player, pawn).cuts
            horizontal_left = doubtful_horizontal & horizontal & cut_horizontal
            vertical_left = doubtful_vertical & vertical & cut_vertical
            while left := horizontal_left or vertical_left:
                is_vertical = not horizontal_left
                bit = left & -left
                path = shortest_path(walls.with_wall(bit.bit_length() - 1, is_vertical), pawn, goal)
                if path is not None:
                    # This path avoids the tried wall, so the masks below drop that wall too.
                    cut_horizontal, cut_vertical = path.cuts
                    horizontal_left &= cut_horizontal
                    vertical_left &= cut_vertical
                elif is_vertical:
                    vertical_left ^= bit
                    vertical ^= bit
                else:
                    horizontal_left ^= bit
                    horizontal ^= bit
        return horizontal, vertical

    def _path(self, walls: WallSet, player: int, pawn: int) -> Path:
        """Return a path of ``player``: the one kept if it still holds. It need not be a shortest one."""
        path = self._paths[player]
        if (
            path is not None
            and path.numbers[0] == pawn
            and not path.cuts[False] & walls.horizontal
            and not path.cuts[True] & walls.vertical
        ):
            return path
        path = shortest_path(walls, pawn, self._board.goals[player])
        assert path is not None, "every player in the game has a path"
        self._paths[player] = path
        return path
