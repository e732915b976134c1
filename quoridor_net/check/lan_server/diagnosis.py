"""More games with a server that made an illegal move, to find out what it got wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from attrs import evolve

from quoridor_net.check.checklist import FaultError, UnavailableError
from quoridor_net.check.lan_server.illegal import as_likely, best_of
from quoridor_net.check.lan_server.server import RULES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import ServerGame
from quoridor_net.check.lan_server.views import code_of

#: Most games that are played to find out.
GAMES = 4

#: About how many answers each of them needs.
ANSWERS = 6

Play = Callable[[ServerGame], Awaitable[None]]
#: Plays one game on a new connection.
InAGame = Callable[[ServerUnderTest, Play], Awaitable[None]]


async def diagnose(
    server: ServerUnderTest,
    error: FaultError,
    in_a_game: InAGame,
    play: Callable[[ServerGame, Mapping[str, int], int], Awaitable[None]],
) -> FaultError:
    """Return ``error`` with the code that explains best what the server did in further games.

    Args:
        server: what is checked.
        error: what it did in the first game.
        in_a_game: plays a game on a new connection.
        play: plays it to tell misreadings apart; gets what is known of each, and the number of the game.
    """
    found = error.explanations
    if {code_of(key) for key in found} >= {"LAN-112", "LAN-132"}:
        found = await _seat_or_rows(server, in_a_game)
    for number in range(GAMES):
        # A single explanation of a step through a wall may fit by chance, once.
        is_hasty = number == 0 and error.base == "LAN-140" and bool(found)
        if not (is_hasty or as_likely(found)) or not server.pace.allows(ANSWERS):
            break

        async def again(game: ServerGame, found: Mapping[str, int] = found, number: int = number) -> None:
            await play(game, found, number)

        try:
            await in_a_game(server, again)
        except FaultError as other:
            both = {key: fits + found[key] for key, fits in other.explanations.items() if key in found}
            if other.explanations and not both:
                # What explains one game is refuted by the other.
                return FaultError(evolve(error.finding, rule=RULES[error.base], detail=""))
            found = both or found
        except UnavailableError:
            if error.base == "LAN-140" and as_likely(found):
                # To name one of several would be a guess.
                detail = server.doubt([best_of(found), *as_likely(found)], "It may be", 4)
                return FaultError(evolve(error.finding, rule=RULES[error.base], detail=detail))
            break
        else:
            # This time nothing was wrong, which tells nothing.
            continue
    if not found:
        return error
    code = best_of(found)
    doubt = server.doubt(as_likely(found))
    return FaultError(evolve(error.finding, rule=RULES[code], detail=doubt), found)


async def _seat_or_rows(server: ServerUnderTest, in_a_game: InAGame) -> dict[str, int]:
    """Tell a server that counts rows from the bottom from one that takes itself for another player.

    Player 3 goes along the middle row, which has the same number from both ends.
    """

    async def play(game: ServerGame) -> None:
        await game.begin(3, 4)
        for player in (1, 4, 2):
            await game.report(player, game.position.legal_walls[0])
        await game.ask()

    try:
        await in_a_game(server, play)
    except FaultError:
        return {"LAN-112": 1}
    except UnavailableError:
        return {"LAN-112": 0, "LAN-132": 0}
    return {"LAN-132": 1}
