"""Further games with a server that made an illegal move, to find out what it misreads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from attrs import evolve

from quoridor_net.check.checklist import FaultError, UnavailableError
from quoridor_net.check.lan_server.illegal import best_of, find_ties
from quoridor_net.check.lan_server.server import RULES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import ServerGame
from quoridor_net.check.lan_server.views import code_of

#: Maximum number of further games.
GAMES = 4

#: Approximate number of answers that each of them needs.
ANSWERS = 6

Play = Callable[[ServerGame], Awaitable[None]]
#: Plays one game on a new connection.
RunGame = Callable[[ServerUnderTest, Play], Awaitable[None]]


async def diagnose(
    server: ServerUnderTest,
    error: FaultError,
    run_game: RunGame,
    play: Callable[[ServerGame, Mapping[str, int], int], Awaitable[None]],
) -> FaultError:
    """Play further games, and return ``error`` with the code that explains the server's moves best.

    Args:
        server: the server to check.
        error: the fault in the first game.
        run_game: runs a game on a new connection.
        play: plays it so as to distinguish misreadings; receives their scores so far and the number of the
            game.
    """
    found, steps = error.explanations, error.steps
    if {code_of(key) for key in found} >= {"LAN-112", "LAN-132"}:
        found = await _seat_or_rows(server, run_game)
    for number in range(GAMES):
        # The only explanation of a step through a wall may fit by chance, so try it once more.
        is_hasty = number == 0 and error.base == "LAN-140" and bool(found)
        if not (is_hasty or find_ties(found)) or not server.pace.allows(ANSWERS):
            break

        async def again(game: ServerGame, found: Mapping[str, int] = found, number: int = number) -> None:
            await play(game, found, number)

        try:
            await run_game(server, again)
        except FaultError as other:
            both = {key: fits + found[key] for key, fits in other.explanations.items() if key in found}
            if other.explanations and not both:
                # No misreading explains both games.
                return FaultError(evolve(error.finding, rule=RULES[error.base], detail=""))
            steps += other.steps if both else 0
            found = both or found
        except UnavailableError:
            if error.base == "LAN-140" and find_ties(found):
                # Several explanations are equally likely, so mention them without choosing one.
                tied = [best_of(found), *find_ties(found)]
                detail = server.phrase_doubt(dict.fromkeys(tied, max(found.values())), steps, "It may be")
                return FaultError(evolve(error.finding, rule=RULES[error.base], detail=detail))
            break
        else:
            # A game without a fault neither supports nor refutes a misreading.
            continue
    if not found:
        return error
    code = best_of(found)
    doubt = server.phrase_doubt(dict.fromkeys(find_ties(found), max(found.values())), steps)
    return FaultError(evolve(error.finding, rule=RULES[code], detail=doubt), found)


async def _seat_or_rows(server: ServerUnderTest, run_game: RunGame) -> dict[str, int]:
    """Distinguish a server that counts rows from the bottom from one that mistakes its player number.

    Player 3 walks along the middle row, which has the same number from both ends.
    """

    async def play(game: ServerGame) -> None:
        await game.begin(3, 4)
        for player in (1, 4, 2):
            await game.report(player, game.position.legal_walls[0])
        await game.ask()

    try:
        await run_game(server, play)
    except FaultError:
        return {"LAN-112": 1}
    except UnavailableError:
        return {"LAN-112": 0, "LAN-132": 0}
    return {"LAN-132": 1}
