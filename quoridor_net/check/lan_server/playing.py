"""Runs a game with the server, from the connection to the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import evolve

from quoridor_net.check.checklist import FaultError, UnavailableError
from quoridor_net.check.lan_server.opponents import Opponent
from quoridor_net.check.lan_server.server import RULES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import Framing, ServerGame, whole


async def run_game(
    server: ServerUnderTest,
    play: Callable[[ServerGame], Awaitable[None]],
    framing: Framing = whole,
    patience: float | None = None,
) -> None:
    """Play a game on a new connection, or on the one that is still open from the greeting."""
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
    """Greet the server on a later connection, where one that plays a single game no longer answers."""
    try:
        await game.greet()
    except FaultError as error:
        is_gone = error.finding.code in {"LAN-101", "LAN-102"}
        if not is_gone or not server.moves or game.is_framed:
            raise
        server.report.add(evolve(error.finding, rule=RULES["LAN-171"]))
        raise UnavailableError("the server plays only one game; restart it for these checks") from None


async def play_game(game: ServerGame, opponents: dict[int, Opponent], usual: int, least: int) -> None:
    """Play until a player reaches its goal or the server has made enough moves, then end the game.

    Args:
        game: a game that has begun.
        opponents: the other players, by number.
        usual: maximum number of moves of the server.
        least: the same for a slow server.
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
            await game.eliminate(other)
    await game.end(position.winner or player)
