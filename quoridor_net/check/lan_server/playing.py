"""A game with the server that is checked, from the connection to its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import evolve

from quoridor_net.check.checklist import FaultError, UnavailableError
from quoridor_net.check.lan_server.opponents import Opponent
from quoridor_net.check.lan_server.server import RULES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import Framing, ServerGame, whole


async def in_a_game(
    server: ServerUnderTest,
    play: Callable[[ServerGame], Awaitable[None]],
    framing: Framing = whole,
    patience: float | None = None,
) -> None:
    """Greet on a new connection, or take that of the greeting, and do ``play``."""
    dialogue, server.opened = server.opened, None
    is_greeted = dialogue is not None
    dialogue = dialogue or await server.dial()
    game = ServerGame(server, dialogue, framing, patience)
    try:
        if not is_greeted:
            await _greet_again(server, game)
        await play(game)
    finally:
        await dialogue.close()


async def _greet_again(server: ServerUnderTest, game: ServerGame) -> None:
    """Greet on a connection that is not the first: a server that plays one game only does not answer."""
    try:
        await game.greet()
    except FaultError as error:
        is_gone = error.finding.code in {"LAN-101", "LAN-102"}
        if not is_gone or not server.moves or game.is_framed:
            raise
        server.report.add(evolve(error.finding, rule=RULES["LAN-171"]))
        raise UnavailableError("the server plays one game only; start it again for these checks") from None


async def play_game(game: ServerGame, opponents: dict[int, Opponent], usual: int, least: int) -> None:
    """Play until somebody has reached its goal, or for some moves of the server; then end the game.

    Args:
        game: has begun.
        opponents: move for the other players.
        usual: most moves of the server.
        least: the same for one that is slow.
    """
    position, player, made = game.position, game.player, 0
    while not position.is_over and made < game.server.rounds(usual, least):
        turn = position.turn
        assert turn is not None
        if turn == player:
            await game.ask()
            made += 1
        else:
            await game.report(turn, opponents[turn](position))
    for other in position.alive:
        if position.is_over:
            break
        if other != player:
            await game.put_out(other)
    await game.end(position.winner or player)
