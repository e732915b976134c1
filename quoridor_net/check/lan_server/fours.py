"""Games of four with the server in each seat."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import evolve

from quoridor_net.check.checklist import FaultError
from quoridor_net.check.findings import Finding
from quoridor_net.check.lan_server.beginnings import play_opening
from quoridor_net.check.lan_server.opponents import Builder, Meeter, find_harmless_move, is_in_the_way
from quoridor_net.check.lan_server.playing import WALK, make_meeting, run_game, watch_walk
from quoridor_net.check.lan_server.server import RULES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import ServerGame
from quoridor_net.check.lan_server.views import ZEROED
from quoridor_net.text import count_things

#: Maximum number of moves of the server, also for a slow server.
ROUNDS = (7, 4)

#: Codes of the misreadings of pawns.
PAWNS = ("LAN-151", "LAN-152")

#: Number of steps in a game of four that show which goal a player heads for.
_ENOUGH_STEPS = 4

#: Codes of servers that do not play at all.
_NO_MOVE = ("LAN-113", "LAN-121", "LAN-122")


async def run_game_of_four(server: ServerUnderTest, play: Callable[[ServerGame], Awaitable[None]]) -> None:
    """Play a game of four on a new connection.

    Raises:
        FaultError: the server broke a rule, or plays games of two only.
    """
    before = server.moves
    try:
        await run_game(server, play)
    except FaultError as error:
        if (error.finding.code, error.base) == ("LAN-114", "LAN-157"):
            # If it jumps where it cannot in a game of two as well, the cause is not the number of players.
            await run_game(server, make_meeting(1, builds=True))
        # A server that waits for a single opponent may have moved once.
        if server.moves > before + 1 or error.finding.code not in _NO_MOVE:
            raise
        # If it plays a game of two, the cause is the number of players.
        await run_game(server, play_opening)
        raise FaultError(evolve(error.finding, rule=RULES["LAN-114"])) from None


def make_four_check(seat: int) -> Callable[[ServerUnderTest], Awaitable[str]]:
    """Return the check of a game of four in which the server is player ``seat``."""
    facing = {1: 2, 2: 1, 3: 4, 4: 3}[seat]
    # In the other seats, a server that plays in another seat has exchanged the sides. One that sets up two
    # pawns may find its own on (0, 0).
    seats = ("LAN-112", "LAN-114", "LAN-115") if seat < 3 else ("LAN-115", ZEROED)

    async def check(server: ServerUnderTest) -> str:
        async def play(game: ServerGame) -> None:
            await game.begin(seat, 4, suspects=(*seats, *PAWNS, "LAN-153", "LAN-161", "LAN-162"))
            await _play_four(game, facing, builds=seat in {2, 4})

        before, steps, shortest_steps = server.moves, server.steps, server.shortest_steps
        await run_game_of_four(server, play)
        made, shortest = server.steps - steps, server.shortest_steps - shortest_steps
        if made < _ENOUGH_STEPS and server.pace.allows(WALK):
            # It may be one that places its walls first.
            await run_game(server, lambda game: watch_walk(game, seat, 4))
        if made >= _ENOUGH_STEPS and shortest * 4 < made:
            expected = (
                f"more than {shortest} of {count_things(made, 'step')} of player {seat} along a shortest path"
            )
            server.report.add(Finding(RULES["LAN-192"], expected))
        return count_things(server.moves - before, "move")

    return check


async def _play_four(game: ServerGame, facing: int, *, builds: bool) -> None:
    """Play a game of four, and eliminate the player opposite once its pawn or its wall is in the way."""
    position, seat = game.position, game.player
    meet, is_set, is_out, made = Meeter(seat), False, False, 0
    while not position.is_over and made < game.server.rounds(*ROUNDS):
        turn = position.turn
        assert turn is not None
        if turn == seat:
            if not is_out and (is_set or is_in_the_way(position, facing, seat)):
                is_out = True
                await game.eliminate(facing)
            await game.ask()
            made += 1
        elif turn != facing:
            await game.report(turn, find_harmless_move(position))
        elif builds and made > 1:
            is_set = True
            await game.report(turn, Builder(seat, game.truth)(position))
        else:
            await game.report(turn, meet(position))
    for other in position.alive:
        if other != seat and not position.is_over:
            await game.eliminate(other)
    await game.end(position.winner or seat)
