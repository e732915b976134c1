"""Games of four in which a server has a reason to do what it must not, unless it knows better."""

from __future__ import annotations

from quoridor_net.check.lan_server.opponents import (
    Builder,
    Crosser,
    Opponent,
    Planned,
    RacingOpponent,
    Trapper,
)
from quoridor_net.check.lan_server.playing import in_a_game, play_game
from quoridor_net.check.lan_server.server import ServerUnderTest
from quoridor_net.check.lan_server.server_game import ServerGame
from quoridor_net.moves import Orientation, Square, Step, Wall

#: Most moves of the server in each.
ROUNDS = 12

#: Walls left of, right of and below (4, 5) and (4, 6).
_DEAD_END = (
    Wall(3, 5, Orientation.VERTICAL),
    Wall(4, 5, Orientation.VERTICAL),
    Wall(4, 6, Orientation.HORIZONTAL),
)


async def shut_in(server: ServerUnderTest) -> str:
    """Play as player 1 of four: player 2 is ahead, for a while in a dead end with a single way out.

    A server that places walls where they cost others most shuts it in, unless it knows better, and has a
    reason to place all the walls that it has.
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
    await in_a_game(server, game_of_four)
    return f"{server.moves - before} moves"


async def across(server: ServerUnderTest) -> str:
    """Play as player 1 of four: player 2 is ahead, and what costs it most is a wall across another one."""

    async def game_of_four(game: ServerGame) -> None:
        await game.begin(1, 4)
        builder = Builder(1, game.truth)
        others: dict[int, Opponent] = {2: RacingOpponent(builder), 3: Crosser(2, game.truth), 4: builder}
        await play_game(game, others, ROUNDS, ROUNDS)

    before = server.moves
    await in_a_game(server, game_of_four)
    return f"{server.moves - before} moves"


async def round_a_pawn(server: ServerUnderTest) -> str:
    """Play as player 1 of four: player 2 waits in a dead end, where its pawn cannot be jumped.

    The walls beside that pawn come first, and the one behind it when the server stands before it.
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
    await in_a_game(server, game_of_four)
    return f"{server.moves - before} moves"
