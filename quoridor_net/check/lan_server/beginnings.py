"""The beginnings of games that show whether a server understands messages in unusual forms."""

from __future__ import annotations

from quoridor_net.check.lan_server.opponents import Builder, Planned
from quoridor_net.check.lan_server.server_game import NAMES, ServerGame
from quoridor_net.moves import Orientation, Square, Step, Wall

#: A line that belongs to no protocol.
UNKNOWN = b"XYZZY 1 (4, 4)\n"


async def play_opening(game: ServerGame, names: tuple[str, ...] = NAMES) -> None:
    """Play the beginning of a game with the server as player 2 and a wall in its way."""
    await game.begin(2, names=names)
    await game.report(1, Wall(4, 7, Orientation.HORIZONTAL))
    await game.ask()
    # The step may have become illegal, because the server may have placed a wall there.
    await game.report(1, Planned([Step(Square(3, 0))])(game.position))
    await game.ask()
    await game.eliminate(1)
    await game.end(2)


async def play_joined(game: ServerGame) -> None:
    """Send reports of walls in the same packet as the request: a server that misses them walks into them."""
    await game.begin(1)
    await game.ask()
    for _ in range(2):
        await game.report_and_ask(2, Builder(1, game.truth)(game.position))
    await game.eliminate(2)
    await game.end(1)


async def play_one_by_one(game: ServerGame) -> None:
    """Play like :func:`play_joined`, but with one line in each packet."""
    await game.begin(1)
    await game.ask()
    for _ in range(2):
        await game.report(2, Builder(1, game.truth)(game.position))
        await game.ask()
    await game.eliminate(2)
    await game.end(1)


async def play_with_unknown_line(game: ServerGame) -> None:
    """Send an unknown line before the server is asked."""
    await game.begin(2)
    await game.report(1, Wall(4, 7, Orientation.HORIZONTAL))
    await game.say_unknown(UNKNOWN)
    await game.ask()
    await game.eliminate(1)
    await game.end(2)
