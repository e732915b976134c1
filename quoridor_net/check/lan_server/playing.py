"""Runs a game with the server, from the connection to the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence

from attrs import evolve

from quoridor_net.check.checklist import FaultError, UnavailableError
from quoridor_net.check.lan_server.opponents import Meeter, Opponent, waste_move
from quoridor_net.check.lan_server.server import HANGS, ONE_GAME, RULES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import Framing, ServerGame, WalkedStep, whole

#: Numbers of steps that raise the suspicion that a server walks to another goal line, and that prove it.
FEW_STEPS, ENOUGH_STEPS = 2, 30

#: Maximum number of moves in a game that shows where a server walks, even if it places its walls first, and
#: maximum number of such games.
WALK, MOST_WALKS = 16, 8


async def run_game(
    server: ServerUnderTest,
    play: Callable[[ServerGame], Awaitable[None]],
    framing: Framing = whole,
    patience: float | None = None,
    *,
    is_judged: bool = True,
) -> None:
    """Play a game on a new connection, or on the one that is still open from the greeting.

    Args:
        server: the server to check.
        play: plays the game.
        framing: splits or changes the bytes of each message.
        patience: time limit for an answer, in seconds; by default, that of the settings.
        is_judged: whether to find out where the server walks if it does not walk to its goal.

    Raises:
        FaultError: the server broke a rule.
    """

    async def run() -> None:
        dialogue, server.opened = server.opened, None
        is_greeted = dialogue is not None
        dialogue = dialogue or await server.dial()
        game = ServerGame(server, dialogue, framing, patience)
        try:
            if not is_greeted:
                await greet(server, game)
            await play(game)
        finally:
            await dialogue.close()
        games.append(game)

    games: list[ServerGame] = []
    try:
        await server.visit(run)
    except FaultError as error:
        if not is_judged or error.finding.code != "LAN-135":
            raise
        raise await confirm_writing(server, error, play) from None
    server.sound_games += 1
    if is_judged:
        await judge_walk(server, games[-1])


async def confirm_writing(
    server: ServerUnderTest, error: FaultError, play: Callable[[ServerGame], Awaitable[None]]
) -> FaultError:
    """Play the game again to confirm that a server writes other walls than it means.

    A single illegal wall can look like that by chance. Return ``error``, with the code of the broken rule if
    the second game does not confirm it.
    """
    if not server.pace.allows(WALK):
        return error
    try:
        await run_game(server, play, is_judged=False)
    except FaultError as other:
        if other.finding.code == "LAN-135" and other.explanations.keys() & error.explanations.keys():
            return error
    except UnavailableError:
        return error
    finding = error.finding
    doubt = server.phrase_doubt({"LAN-135": max(error.explanations.values(), default=0)}, error.steps)
    alternatives = ("LAN-135", *finding.alternatives)
    return FaultError(evolve(finding, rule=RULES[error.base], detail=doubt, alternatives=alternatives))


async def judge_walk(server: ServerUnderTest, game: ServerGame) -> None:
    """Report a server that has walked to another goal line in ``game`` if it does so again.

    Raises:
        FaultError: it does.
    """
    walks = [game]
    while _walks_elsewhere(walks, FEW_STEPS):
        if len(walks) > 2 and _walks_elsewhere(walks, ENOUGH_STEPS):
            expected = f"steps of player {game.player} towards its own goal line"
            raise server.make_fault("LAN-193", expected, walks[-1].dialogue)
        if len(walks) > MOST_WALKS or not server.pace.allows(WALK):
            return

        async def again(other: ServerGame) -> None:
            walks.append(other)
            await watch_walk(other, game.player, game.position.players)

        await run_game(server, again, is_judged=False)


async def watch_walk(game: ServerGame, player: int, players: int) -> None:
    """Play a game without walls, which would turn the server aside."""
    await game.begin(player, players)
    await play_game(game, dict.fromkeys((1, 2, 3, 4), waste_move), WALK, WALK)


def _walks_elsewhere(games: Sequence[ServerGame], least: int) -> bool:
    """Return whether a server has made enough steps, almost all to one other goal line and few to its own."""
    for player in {1, 2, 3, 4} - {games[0].player}:
        walk = [step for game in games for step in _walk_to(game, player)]
        progress = sum(step.progress for step in walk)
        fitting = sum(player in step.headings for step in walk)
        if len(walk) >= least and progress * 4 < len(walk) and fitting * 20 >= len(walk) * 19:
            return True
    return False


def _walk_to(game: ServerGame, player: int) -> Iterator[WalkedStep]:
    """Yield the steps of the server until it reaches the goal line of ``player``."""
    for step in game.walk:
        yield step
        if step.reaches(player):
            # It may believe that it has won.
            return


async def greet(server: ServerUnderTest, game: ServerGame) -> None:
    """Greet the server, also on a later connection, where one that plays a single game no longer answers.

    Raises:
        FaultError: it does not greet as it should.
        UnavailableError: it has greeted before and does not on this connection; another would be no better.
    """
    try:
        await game.greet()
    except FaultError as error:
        is_silent = error.finding.code == "LAN-101"
        is_gone = is_silent or error.finding.code == "LAN-102"
        if not is_gone or not server.greeted or not server.is_later or game.is_framed:
            raise
        found = server.with_earlier_game(error.finding)
        again = FaultError(evolve(found, rule=RULES["LAN-195" if is_silent else "LAN-171"]))
        if server.launch is not None:
            raise again from None
        server.report.add(again.finding)
        raise UnavailableError(HANGS if is_silent else ONE_GAME) from None
    server.greeted += 1


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


def make_meeting(seat: int, *, builds: bool) -> Callable[[ServerGame], Awaitable[None]]:
    """Return a game with a pawn that gets in the way of the server.

    Args:
        seat: the server's player number.
        builds: whether to place a wall behind that pawn.
    """

    async def play(game: ServerGame) -> None:
        await game.begin(seat)
        await play_game(game, {3 - seat: Meeter(seat, builds=builds)}, 9, 6)

    return play
