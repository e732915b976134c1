"""Games of four that tempt a server into illegal moves if it lacks a rule."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from attrs import evolve

from quoridor_net.check.checklist import FaultError
from quoridor_net.check.lan_server.cornering import VICTIM, Cornering
from quoridor_net.check.lan_server.fours import run_game_of_four
from quoridor_net.check.lan_server.opponents import (
    Builder,
    Crosser,
    Opponent,
    Planned,
    RacingOpponent,
    Trapper,
    find_harmless_move,
)
from quoridor_net.check.lan_server.playing import play_game
from quoridor_net.check.lan_server.server import RULES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import ServerGame
from quoridor_net.moves import Move, Orientation, Square, Step, Wall
from quoridor_net.rules import Position
from quoridor_net.text import count_things

#: Maximum number of moves of the server in each game.
ROUNDS = 12

#: The same in the long game, and in the game that corners the server.
LONG, CORNER = 30, 24

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
    return count_things(server.moves - before, "move")


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


async def corner(server: ServerUnderTest) -> str:
    """Make the server player 2 of four, and leave it no step but a jump to the side until it makes it."""
    has_jumped = False

    def make_game(*, is_early: bool) -> Callable[[ServerGame], Awaitable[None]]:
        async def play(game: ServerGame) -> None:
            nonlocal has_jumped
            await game.begin(VICTIM, 4, suspects=("LAN-114",))
            has_jumped = await _corner(game, Cornering(is_early=is_early))

        return play

    await run_game_of_four(server, make_game(is_early=True))
    if not has_jumped and server.pace.allows(ROUNDS):
        await run_game_of_four(server, make_game(is_early=False))
    return "it jumped" if has_jumped else "the server avoided it"


async def _corner(game: ServerGame, others: Opponent) -> bool:
    """Play until the server has jumped to the side, and return whether it has."""
    position, asked, has_jumped = game.position, 0, False
    while not position.is_over and not has_jumped and asked < CORNER:
        turn = position.turn
        assert turn is not None
        if turn != VICTIM:
            await game.report(turn, others(position))
            continue
        is_cornered = _must_jump_aside(position)
        try:
            move = await game.ask()
        except FaultError as error:
            if is_cornered and error.finding.code in _NO_STEP:
                raise FaultError(evolve(error.finding, rule=RULES["LAN-196"])) from None
            raise
        asked += 1
        has_jumped = is_cornered and isinstance(move, Step)
    for player in position.alive:
        if player != VICTIM and not position.is_over:
            await game.eliminate(player)
    await game.end(position.winner or VICTIM)
    return has_jumped


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
    return count_things(server.moves - before, "move")


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
    return count_things(server.moves - before, "move")


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
    return count_things(server.moves - before, "move")
