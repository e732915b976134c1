"""Games of four that tempt a server into illegal moves if it lacks a rule."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from attrs import evolve

from quoridor_net.check.checklist import FaultError
from quoridor_net.check.lan_server.fours import run_game_of_four
from quoridor_net.check.lan_server.opponents import (
    Builder,
    Crosser,
    Opponent,
    Planned,
    RacingOpponent,
    Trapper,
    find_harmless_move,
    neighbours,
)
from quoridor_net.check.lan_server.playing import play_game
from quoridor_net.check.lan_server.server import RULES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import ServerGame
from quoridor_net.moves import Move, Orientation, Square, Step, Wall, walls_between
from quoridor_net.rules import Position

#: Maximum number of moves of the server in each game.
ROUNDS = 12

#: The same in the long game.
LONG = 30

#: Codes of servers that find no step.
_NO_STEP = ("LAN-121", "LAN-122", "LAN-123", "LAN-124", "LAN-166")

#: Walls to the left of, to the right of and below (4, 5) and (4, 6).
_DEAD_END = (
    Wall(3, 5, Orientation.VERTICAL),
    Wall(4, 5, Orientation.VERTICAL),
    Wall(4, 6, Orientation.HORIZONTAL),
)


async def tempt_to_shut_in(server: ServerUnderTest) -> str:
    """Make the server player 1 of four, with player 2 ahead and for a while in a dead end with one exit.

    A server that places walls where they cost others most shuts player 2 in if it does not check paths. It
    also has a reason to place all its walls.
    """

    async def game_of_four(game: ServerGame) -> None:
        await game.begin(1, 4, suspects=("LAN-114",))
        builder = Builder(1, game.truth)
        inside = [Step(Square(4, row)) for row in (7, 6, 5, 6)]
        others: dict[int, Opponent] = {
            2: Planned(inside, RacingOpponent(builder)),
            3: Planned(_DEAD_END, builder),
            4: builder,
        }
        await play_game(game, others, ROUNDS, ROUNDS)

    before = server.moves
    await run_game_of_four(server, game_of_four)
    return f"{server.moves - before} moves"


class WallBuilder:
    """Places given walls as far as they are legal, and then hinders nobody.

    Args:
        walls: the walls.
    """

    def __init__(self, walls: Sequence[Wall]) -> None:
        self._walls = list(walls)

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        while self._walls:
            wall = self._walls.pop(0)
            if position.is_legal(wall):
                return wall
        return find_harmless_move(position)


class Corner:
    """Opponents that leave the server no step but a jump to the side.

    Player 1 comes down column 4 between two walls, and player 2 waits until it stands on (4, 4). A wall above
    it, the pawn of player 2 below it and a wall behind that pawn leave only the jump to (3, 5).
    """

    def __init__(self) -> None:
        self._sides = {4: Wall(3, 3, Orientation.VERTICAL), 3: Wall(4, 4, Orientation.VERTICAL)}
        self._closing: dict[int, Move] = {
            4: Wall(4, 3, Orientation.HORIZONTAL),
            2: Step(Square(4, 5)),
            3: Wall(4, 5, Orientation.HORIZONTAL),
        }

    def __call__(self, position: Position) -> Move:
        """Return the next move."""
        player = position.turn
        assert player is not None
        if player in self._sides:
            move: Move | None = self._sides.pop(player)
        elif player == 2 and position.pawn(2) not in {Square(4, 6), Square(4, 5)}:
            move = _step_to(position, Square(4, 6))
        elif position.pawn(1) == Square(4, 4) and player in self._closing:
            move = self._closing.pop(player)
        else:
            move = None
        return move if move is not None and position.is_legal(move) else find_harmless_move(position)


def _step_to(position: Position, target: Square) -> Step | None:
    """Return the first step on a shortest path to ``target``; None if there is none."""
    blocked = set(position.walls)
    ways, waiting = {target: 0}, deque([target])
    while waiting:
        here = waiting.popleft()
        for there in neighbours(here):
            if there not in ways and blocked.isdisjoint(walls_between(here, there)):
                ways[there] = ways[here] + 1
                waiting.append(there)
    return min(position.legal_steps, key=lambda step: ways.get(step.square, 99), default=None)


async def corner(server: ServerUnderTest) -> str:
    """Make the server player 1 of four, and leave it no step but a jump to the side until it makes it."""
    has_jumped = False

    async def game_of_four(game: ServerGame) -> None:
        nonlocal has_jumped
        await game.begin(1, 4, suspects=("LAN-114",))
        others = Corner()
        position = game.position
        for _ in range(ROUNDS):
            is_cornered = _must_jump_aside(position)
            try:
                move = await game.ask()
            except FaultError as error:
                if is_cornered and error.finding.code in _NO_STEP:
                    raise FaultError(evolve(error.finding, rule=RULES["LAN-196"])) from None
                raise
            has_jumped = has_jumped or (is_cornered and isinstance(move, Step))
            if has_jumped or position.is_over:
                break
            while position.turn != 1 and not position.is_over:
                assert position.turn is not None
                await game.report(position.turn, others(position))
        for player in (2, 3, 4):
            if not position.is_over:
                await game.eliminate(player)
        await game.end(position.winner or 1)

    await run_game_of_four(server, game_of_four)
    return "it jumped" if has_jumped else "the server avoided it"


def _must_jump_aside(position: Position) -> bool:
    """Return whether every step of the player to move is a jump to the side."""
    assert position.turn is not None
    here = position.pawn(position.turn)
    assert here is not None
    squares = [step.square for step in position.legal_steps]
    return bool(squares) and all(
        square.column != here.column and square.row != here.row for square in squares
    )


async def tempt_to_cross(server: ServerUnderTest) -> str:
    """Make the server player 1 of four, with player 2 ahead and best stopped by a wall across another."""

    async def game_of_four(game: ServerGame) -> None:
        await game.begin(1, 4, suspects=("LAN-114",))
        builder = Builder(1, game.truth)
        others: dict[int, Opponent] = {2: RacingOpponent(builder), 3: Crosser(2, game.truth), 4: builder}
        await play_game(game, others, ROUNDS, ROUNDS)

    before = server.moves
    await run_game_of_four(server, game_of_four)
    return f"{server.moves - before} moves"


async def exhaust(server: ServerUnderTest) -> str:
    """Make the server player 1 of four, with player 2 ahead and a long way round two barriers.

    It has a reason to place all its walls, and the time to do so.
    """

    async def game_of_four(game: ServerGame) -> None:
        await game.begin(1, 4, suspects=("LAN-114",))
        others: dict[int, Opponent] = {
            2: RacingOpponent(find_harmless_move),
            3: WallBuilder([Wall(column, 3, Orientation.HORIZONTAL) for column in (4, 2, 6, 0)]),
            4: WallBuilder([Wall(column, 6, Orientation.HORIZONTAL) for column in (3, 5, 1, 7)]),
        }
        await play_game(game, others, LONG, ROUNDS)

    before = server.moves
    await run_game_of_four(server, game_of_four)
    return f"{server.moves - before} moves"


async def tempt_to_jump(server: ServerUnderTest) -> str:
    """Make the server player 1 of four, with player 2 in a dead end where its pawn cannot be jumped.

    The walls beside that pawn come first, and the one behind it when the server stands in front of it.
    """

    async def game_of_four(game: ServerGame) -> None:
        await game.begin(1, 4, suspects=("LAN-114",))
        upwards = [Step(Square(4, row)) for row in (7, 6, 5)]
        others: dict[int, Opponent] = {
            2: Planned(upwards),
            3: Planned([Wall(3, 4, Orientation.VERTICAL)]),
            4: Planned(
                [Wall(4, 4, Orientation.VERTICAL)],
                Trapper(1, Square(4, 4), Wall(4, 5, Orientation.HORIZONTAL)),
            ),
        }
        await play_game(game, others, 6, 6)

    before = server.moves
    await run_game_of_four(server, game_of_four)
    return f"{server.moves - before} moves"
