"""Games of four that tempt a server into illegal moves if it lacks a rule."""

from __future__ import annotations

from quoridor_net.check.lan_server.opponents import (
    Builder,
    Crosser,
    Opponent,
    Planned,
    RacingOpponent,
    Trapper,
)
from quoridor_net.check.lan_server.playing import play_game, run_game
from quoridor_net.check.lan_server.server import ServerUnderTest
from quoridor_net.check.lan_server.server_game import ServerGame
from quoridor_net.moves import Orientation, Square, Step, Wall

#: Maximum number of moves of the server in each game.
ROUNDS = 12

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
        await game.begin(1, 4)
        builder = Builder(1, game.truth)
        inside = [Step(Square(4, row)) for row in (7, 6, 5, 6)]
        others: dict[int, Opponent] = {
            2: Planned(inside, RacingOpponent(builder)),
            3: Planned(_DEAD_END, builder),
            4: builder,
        }
        await play_game(game, others, ROUNDS, ROUNDS)

    before = server.moves
    await run_game(server, game_of_four)
    return f"{server.moves - before} moves"


async def tempt_to_cross(server: ServerUnderTest) -> str:
    """Make the server player 1 of four, with player 2 ahead and best stopped by a wall across another."""

    async def game_of_four(game: ServerGame) -> None:
        await game.begin(1, 4)
        builder = Builder(1, game.truth)
        others: dict[int, Opponent] = {2: RacingOpponent(builder), 3: Crosser(2, game.truth), 4: builder}
        await play_game(game, others, ROUNDS, ROUNDS)

    before = server.moves
    await run_game(server, game_of_four)
    return f"{server.moves - before} moves"


async def tempt_to_jump(server: ServerUnderTest) -> str:
    """Make the server player 1 of four, with player 2 in a dead end where its pawn cannot be jumped.

    The walls beside that pawn come first, and the one behind it when the server stands in front of it.
    """

    async def game_of_four(game: ServerGame) -> None:
        await game.begin(1, 4)
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
    await run_game(server, game_of_four)
    return f"{server.moves - before} moves"
