"""The game as a server with one misreading sees it, to find the misreading behind an illegal move.

All views follow the same messages. A move that is illegal in a view rules the view out. A move that is
illegal in the game but legal in a view shows what the server misread.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from attrs import define, evolve, field, frozen

from quoridor_net.moves import Jumps, Move, Orientation, Square, Step, Wall, default_walls
from quoridor_net.rules.board import Board, board_of_size
from quoridor_net.rules.jumps import targets
from quoridor_net.rules.legality import why_wall_does_not_fit
from quoridor_net.rules.paths import distance, find_nearest
from quoridor_net.rules.walls import WallSet

_BOARD: Board = board_of_size(9)
_LAST = 8
_WALLS = [Wall(column, row, way) for column in range(_LAST) for row in range(_LAST) for way in Orientation]

ReadMove = Callable[[Move], Move | None]


def _as_it_is(move: Move) -> Move:
    return move


@cache
def _find_near_walls(read: ReadMove, pawn: int) -> frozenset[Wall]:
    """Return the walls that are read as next to the pawn on square ``pawn``; none if it is on no square."""
    if pawn < 0:
        return frozenset()
    column, row = _BOARD.square_of[pawn]
    return frozenset(
        wall
        for wall in _WALLS
        if isinstance(seen := read(wall), Wall)
        and 0 <= column - seen.column <= 1
        and 0 <= row - seen.row <= 1
    )


@frozen
class Misreading:
    """One way to misread messages.

    Attributes:
        code: its code in the catalogue.
        others: reads reported moves of others; None for a move that is not made.
        own: reads reported moves of the server itself.
        meant: returns what the server means by a move that it sends.
        rereads: whether its pawn goes where it reads that it went instead of where it meant to go.
        seat: the player number that the server believes it has; None for the right one.
        keeps_pawns: whether pawns of eliminated players stay on its board.
        keeps_walls: whether walls of eliminated players stay on its board.
        short: orientations of the walls that block one step instead of two.
        is_for_two: whether the server believes that only players 1 and 2 play.
        is_zeroed: whether the pawns of players 3 and 4 start on (0, 0), because only two are set up.
        places: the players whose start and goal line each player has in a game of four.
        variant: distinguishes misreadings with the same code.
    """

    code: str
    others: ReadMove = _as_it_is
    own: ReadMove = _as_it_is
    meant: ReadMove = _as_it_is
    rereads: bool = False
    seat: int | None = None
    keeps_pawns: bool = False
    keeps_walls: bool = True
    short: frozenset[Orientation] = frozenset()
    is_for_two: bool = False
    is_zeroed: bool = False
    places: tuple[int, int, int, int] = (1, 2, 3, 4)
    variant: int = 0

    @property
    def key(self) -> str:
        """The code and the variant."""
        return f"{self.code}#{self.variant}"


def _walls(change: Callable[[int, int, Orientation], Wall]) -> ReadMove:
    """Return a reader of moves that reads ``[(c, r), o]`` as ``change(c, r, o)``."""

    # A game asks for the same few walls again and again.
    @cache
    def read(move: Move) -> Move | None:
        return change(move.column, move.row, move.orientation) if isinstance(move, Wall) else move

    return read


def _steps(change: Callable[[int, int], tuple[int, int]]) -> ReadMove:
    def read(move: Move) -> Move | None:
        if isinstance(move, Wall):
            return move
        return Step(Square(*change(move.square.column, move.square.row)))

    return read


_H, _V = Orientation.HORIZONTAL, Orientation.VERTICAL
_TURNED = {_H: _V, _V: _H}

#: Misreadings of walls, by code; each is tried for the walls of others only, and for all walls.
_WALL_READINGS: tuple[tuple[str, Callable[[int, int, Orientation], Wall]], ...] = (
    ("LAN-141", lambda c, r, o: Wall(r, c, o)),
    ("LAN-141", lambda c, r, o: Wall(r, c, _TURNED[o])),
    ("LAN-142", lambda c, r, o: Wall(c - 1, r - 1, o)),
    ("LAN-143", lambda c, r, o: Wall(c, 7 - r, o)),
    ("LAN-143", lambda c, r, o: Wall(c, 8 - r, o)),
    ("LAN-144", lambda c, r, o: Wall(c, r - 1, o) if o is _H else Wall(c - 1, r, o)),
    ("LAN-144", lambda c, r, o: Wall(c, r - 1, o) if o is _H else Wall(c, r, o)),
    ("LAN-144", lambda c, r, o: Wall(c, r, o) if o is _H else Wall(c - 1, r, o)),
    ("LAN-145", lambda c, r, o: Wall(c - 1, r, o) if o is _H else Wall(c, r - 1, o)),
    ("LAN-145", lambda c, r, o: Wall(c - 1, r, o) if o is _H else Wall(c, r, o)),
    ("LAN-145", lambda c, r, o: Wall(c, r, o) if o is _H else Wall(c, r - 1, o)),
    ("LAN-146", lambda c, r, o: Wall(c, r, _TURNED[o])),
)

#: Shifted or mirrored readings, for walls of others only.
_SHIFTED: tuple[Callable[[int, int, Orientation], Wall], ...] = (
    lambda c, r, o: Wall(c + 1, r, o),
    lambda c, r, o: Wall(c, r + 1, o),
    lambda c, r, o: Wall(c + 1, r + 1, o),
    lambda c, r, o: Wall(7 - c, r, o),
)


def _all(steps: ReadMove, walls: Callable[[int, int, Orientation], Wall]) -> ReadMove:
    """Return a reader of moves that reads squares as ``steps`` and walls as ``walls``."""
    read_wall = _walls(walls)
    return lambda move: read_wall(move) if isinstance(move, Wall) else steps(move)


_AS_IT_IS = Wall

#: Misreadings of walls and squares alike: row first, rows from the bottom, numbers from 1.
_READINGS: tuple[tuple[ReadMove, Callable[[int, int, Orientation], Wall]], ...] = (
    (_steps(lambda c, r: (r, c)), lambda c, r, o: Wall(r, c, o)),
    (_steps(lambda c, r: (c, _LAST - r)), lambda c, r, o: Wall(c, 7 - r, o)),
    (_steps(lambda c, r: (c - 1, r - 1)), lambda c, r, o: Wall(c - 1, r - 1, o)),
)


def _no_walls(move: Move) -> Move | None:
    return None if isinstance(move, Wall) else move


def _only(orientation: Orientation) -> ReadMove:
    """Return a reader of moves that ignores walls of the other orientation."""

    def read(move: Move) -> Move | None:
        return None if isinstance(move, Wall) and move.orientation is not orientation else move

    return read


def _no_steps(move: Move) -> Move | None:
    return None if isinstance(move, Step) else move


def _hide_everything(_move: Move) -> Move | None:
    return None


_KINDS: tuple[Misreading, ...] = (
    Misreading(""),
    *(Misreading("LAN-112", seat=seat) for seat in (1, 2, 3, 4)),
    Misreading("LAN-114", is_for_two=True),
    Misreading("LAN-114", is_zeroed=True),
    # Players 3 and 4 swapped, and all players numbered in the order of play.
    *(Misreading("LAN-115", places=places) for places in ((1, 2, 4, 3), (1, 4, 2, 3))),
    Misreading("LAN-131", meant=_steps(lambda c, r: (r, c))),
    Misreading("LAN-132", meant=_steps(lambda c, r: (c, _LAST - r))),
    Misreading("LAN-133", meant=_steps(lambda c, r: (c - 1, r - 1))),
    *(Misreading(code, others=_walls(change)) for code, change in _WALL_READINGS),
    *(
        Misreading(code, others=_walls(change), own=_walls(change), meant=_walls(change))
        for code, change in _WALL_READINGS
    ),
    *(Misreading("LAN-135", meant=_walls(change)) for _, change in _WALL_READINGS),
    *(Misreading("LAN-148", short=frozenset(short)) for short in ((_H, _V), (_H,), (_V,))),
    Misreading("LAN-161", keeps_pawns=True),
    Misreading("LAN-162", keeps_walls=False),
    Misreading("LAN-151", others=_steps(lambda c, r: (r, c))),
    Misreading("LAN-151", others=_steps(lambda c, r: (c, _LAST - r))),
    Misreading("LAN-147", others=_no_walls),
    Misreading("LAN-147", others=_no_walls, own=_no_walls),
    *(
        Misreading("LAN-147", others=_only(orientation), own=own)
        for orientation in Orientation
        for own in (_as_it_is, _only(orientation))
    ),
    Misreading("LAN-152", others=_hide_everything),
    Misreading("LAN-152", others=_no_steps),
    *(
        Misreading("LAN-154", others=_all(steps, walls), own=_all(steps, walls), rereads=True)
        for steps, walls in _READINGS
    ),
    *(
        Misreading("LAN-154", others=_all(steps, _AS_IT_IS), own=_all(steps, _AS_IT_IS), rereads=True)
        for steps, _ in _READINGS
    ),
    Misreading("LAN-153", own=_hide_everything),
    Misreading("LAN-153", own=_no_steps),
    *(Misreading("LAN-149", others=_walls(change)) for change in _SHIFTED),
)

#: All misreadings, the likelier first; the one without a code misreads nothing.
MISREADINGS = tuple(evolve(kind, variant=number) for number, kind in enumerate(_KINDS))

#: The key of the server that sets up only two pawns.
ZEROED = next(misreading.key for misreading in MISREADINGS if misreading.is_zeroed)


def code_of(key: str) -> str:
    """Return the code of the misreading that has ``key``."""
    return key.partition("#")[0]


@define
class View:
    """The board as a server with one misreading sees it.

    Attributes:
        misreading: the misreading.
        player: the player number that the server believes it has.
        pawns: square numbers by player; negative for eliminated players.
        goals: goal lines by player, as sets of squares.
        placed: the walls on its board, with the players who placed them.
        fits: number of its steps that follow a shortest path on this board.
        hindering: number of its walls, as it means them, that made another player's path longer.
        is_possible: whether all its moves so far were legal on this board.
    """

    misreading: Misreading
    player: int
    pawns: list[int]
    goals: list[int]
    walls_left: int
    placed: list[tuple[int, Wall]] = field(factory=list)
    walls: WallSet = field(factory=lambda: WallSet.empty(_BOARD))
    fits: int = 0
    hindering: int = 0
    is_possible: bool = True

    @classmethod
    def of_game(cls, misreading: Misreading, player: int, players: int) -> View:
        """Return the view at the start of a game."""
        places = misreading.places if players == 4 else (1, 2)
        pawns = [-1, *(_BOARD.starts[place] for place in places)]
        believed = misreading.seat or player
        if misreading.is_for_two:
            believed = player if player < 3 else player - 2
            pawns = pawns[:3]
        if misreading.is_zeroed:
            pawns[3:] = [_BOARD.number(Square(0, 0))] * 2
        return cls(
            misreading,
            believed if believed <= players else player,
            pawns + [-1] * (5 - len(pawns)),
            [0, *(_BOARD.goals[place] for place in places)],
            default_walls(9, players),
        )

    def follow(self, player: int, move: Move, *, is_own: bool) -> None:
        """Make a reported move as this server would."""
        read = self.misreading.own(move) if is_own else self.misreading.others(move)
        if is_own and isinstance(move, Step) and read is not None and not self.misreading.rereads:
            # The server knows where it meant to go.
            read = self.misreading.meant(move)
        if is_own:
            player = self.player
        elif self.misreading.is_for_two and player > 2:
            return
        if isinstance(read, Step):
            number = _BOARD.number(read.square)
            if number >= 0:
                self.pawns[player] = number
        elif read is not None:
            if is_own:
                self.walls_left -= 1
            # Most servers do not check reported moves, so walls may overlap and cross on their boards.
            if _BOARD.anchor_number(read) >= 0:
                self.placed.append((player, read))
                self.walls = self.with_wall(self.walls, read)

    def eliminate(self, player: int) -> None:
        """Eliminate a player as this server would."""
        if not self.misreading.keeps_pawns:
            self.pawns[player] = -1
        if not self.misreading.keeps_walls:
            self.placed = [(placer, wall) for placer, wall in self.placed if placer != player]
            self._build()

    def believes(self, move: Move) -> bool:
        """Return whether the move that the server means by sending ``move`` is legal on its board."""
        meant = self.misreading.meant(move)
        if isinstance(meant, Step):
            number = _BOARD.number(meant.square)
            return number >= 0 and self._targets() >> number & 1 == 1
        if meant is None:
            return False
        return self.walls_left > 0 and why_wall_does_not_fit(self.walls, meant) is None

    def shortest_steps(self, walls: WallSet | None = None) -> int:
        """Return the set of squares in reach that are closest to its goal on its board.

        Args:
            walls: walls to use instead of those on its board.
        """
        walls = self.walls if walls is None else walls
        return find_nearest(walls, self._targets(walls), self.goals[self.player])

    def headings(self, square: Square) -> list[int]:
        """Return the players to whose goal line a step to ``square`` leads on a shortest path."""
        number, reachable = _BOARD.number(square), self._targets()
        return [
            player
            for player in (1, 2, 3, 4)
            if find_nearest(self.walls, reachable, _BOARD.goals[player]) >> number & 1
        ]

    def shortest_steps_after(self, wall: Wall) -> int:
        """Return :meth:`shortest_steps` after another player's wall, as this server reads it."""
        read = self.misreading.others(wall)
        if not isinstance(read, Wall) or _BOARD.anchor_number(read) < 0:
            return self.shortest_steps()
        return self.shortest_steps(self.with_wall(self.walls, read))

    def steps_after(self, wall: Wall) -> int:
        """Return the set of squares in reach after ``wall``, read correctly, is placed."""
        return self._targets(self.with_wall(self.walls, wall))

    def near_walls(self) -> frozenset[Wall]:
        """Return the walls that this server would see next to its pawn."""
        return _find_near_walls(self.misreading.others, self.pawns[self.player])

    def judge(self, move: Move) -> None:
        """Record whether a server with this view can have made ``move``."""
        if not self.believes(move):
            self.is_possible = False
            return
        meant = self.misreading.meant(move)
        if isinstance(meant, Wall):
            self.hindering += self._hinders(meant)
        elif meant is not None and self.shortest_steps() >> _BOARD.number(meant.square) & 1:
            self.fits += 1

    def way(self, player: int, walls: WallSet) -> int | None:
        """Return the distance of ``player`` from its goal line among ``walls``; None if it is shut in."""
        return distance(walls, self.pawns[player], self.goals[player])

    def _hinders(self, wall: Wall) -> bool:
        """Return whether a wall makes another player's path longer."""
        walls = self.with_wall(self.walls, wall)
        others = [player for player, pawn in enumerate(self.pawns) if pawn >= 0 and player != self.player]
        return any(self.way(player, walls) != self.way(player, self.walls) for player in others)

    def _targets(self, walls: WallSet | None = None) -> int:
        walls = self.walls if walls is None else walls
        here = self.pawns[self.player]
        if here < 0:
            return 0
        occupied = sum({1 << pawn for pawn in self.pawns if pawn >= 0})
        # The other rule allows nothing more.
        return targets(walls, here, occupied, Jumps.CLASSROOM)

    def _build(self) -> None:
        self.walls = WallSet.empty(_BOARD)
        for _, wall in self.placed:
            self.walls = self.with_wall(self.walls, wall)

    def with_wall(self, walls: WallSet, wall: Wall) -> WallSet:
        """Return ``walls`` with one more wall, as this server reads its length."""
        anchor, is_vertical = _BOARD.anchor_number(wall), wall.orientation is _V
        longer = walls.with_wall(anchor, is_vertical)
        if wall.orientation not in self.misreading.short:
            return longer
        # Leave the second step that the wall blocks open.
        second = 1 << (anchor + (_BOARD.stride if is_vertical else 1))
        return evolve(
            longer,
            east_open=longer.east_open | (second & walls.east_open),
            south_open=longer.south_open | (second & walls.south_open),
        )


def views_of(player: int, players: int) -> list[View]:
    """Return the views of all misreadings at the start of a game in which the server is ``player``."""
    views = []
    for misreading in MISREADINGS:
        if misreading.code == "LAN-112" and misreading.seat in {player, *range(players + 1, 5)}:
            continue
        if misreading.is_zeroed and player < 3:
            continue
        views.append(View.of_game(misreading, player, players))
    return views
