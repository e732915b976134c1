"""Checks of the moves that an engine makes itself."""

from __future__ import annotations

from attrs import evolve

from quoridor_net.check.athens.engine import RULES, EngineUnderTest
from quoridor_net.check.athens.scripts import Row
from quoridor_net.check.athens.sessions import begin, follow
from quoridor_net.check.checklist import FaultError
from quoridor_net.notation.athens import COLOUR_OF_PLAYER, parse_move
from quoridor_net.protocols.athens import AthensGame
from quoridor_net.rules import Illegality, IllegalMoveError
from quoridor_net.text import UnparsableError, count_things

#: Number of moves of the engine in a game against itself.
GENERATED = 12
#: The same for a slow engine.
FEW = 4


async def _generate(engine: EngineUnderTest, game: AthensGame, player: int) -> None:
    """Ask for a move and make it in ``game``.

    Raises:
        FaultError: the answer is not a legal move.
    """
    response = await engine.ask(f"genmove {COLOUR_OF_PLAYER[player]}", "genmove")
    if not response.is_success:
        raise engine.make_fault("QTP-164", "= and a move", response.data)
    try:
        move = parse_move(response.text)
    except UnparsableError:
        raise engine.make_fault(
            "QTP-161", "= and a move, as in = E8 or = E3 horizontal", response.data
        ) from None
    try:
        game.play(player, move)
    except IllegalMoveError as error:
        # An engine that prints its moves without making them repeats them.
        is_again = error.reason.kind is Illegality.SAME_SQUARE or move in game.position.walls
        code = "QTP-163" if is_again else "QTP-162"
        raise engine.make_fault(code, f"a legal move: {error}", response.data) from None


async def play_itself(engine: EngineUnderTest) -> str:
    """Let the engine play against itself, and follow its game."""
    await begin(engine)
    game = AthensGame()
    players = _order(engine)
    for played in range(GENERATED):
        if game.position.is_over or (played >= FEW and not engine.pace.allows(GENERATED)):
            return count_things(played, "move")
        await _generate(engine, game, players[played % 2])
    return f"{GENERATED} moves"


async def undo_own_moves(engine: EngineUnderTest) -> str:
    """Take back moves that the engine has made itself."""
    await begin(engine)
    game = AthensGame()
    for player in _order(engine):
        await _generate(engine, game, player)
    await follow(
        engine,
        [Row("undo 2", True, None, "QTP-171"), Row("undo", False, "cannot undo", "QTP-173")],
    )
    return ""


async def play_second_game(engine: EngineUnderTest) -> str:
    """Start a second game in the same process."""
    first, second = _order(engine)
    await begin(engine)
    game = AthensGame()
    for player in (first, second, first):
        await _generate(engine, game, player)
    try:
        await begin(engine)
        await _generate(engine, AthensGame(), first)
    except FaultError as error:
        raise FaultError(evolve(error.finding, rule=RULES["QTP-213"])) from None
    return ""


def _order(engine: EngineUnderTest) -> tuple[int, int]:
    """Return the players in the order of play; player 1 is black."""
    return (2, 1) if engine.is_mirrored else (1, 2)
