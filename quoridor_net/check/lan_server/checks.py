"""The checks of a move server, in order: the most basic first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from attrs import evolve

from quoridor_net.check.checklist import Check, FaultError
from quoridor_net.check.dialogue import Dialogue
from quoridor_net.check.findings import Severity
from quoridor_net.check.lan_server.beginnings import (
    play_joined,
    play_one_by_one,
    play_opening,
    play_with_unknown_line,
)
from quoridor_net.check.lan_server.diagnosis import diagnose
from quoridor_net.check.lan_server.fours import PAWNS, make_four_check
from quoridor_net.check.lan_server.opponents import (
    Builder,
    Planned,
    find_harmless_move,
)
from quoridor_net.check.lan_server.playing import greet, make_meeting, play_game, run_game
from quoridor_net.check.lan_server.server import RULES, SHORT_GAP, ServerUnderTest
from quoridor_net.check.lan_server.server_game import Framing, ServerGame, whole
from quoridor_net.check.lan_server.temptations import (
    corner,
    exhaust,
    tempt_to_cross,
    tempt_to_jump,
    tempt_to_shut_in,
)
from quoridor_net.moves import Square, Step
from quoridor_net.text import count_things, visible

#: Maximum number of moves of the server in games of two, also for a slow server.
ROUNDS = (12, 8)

#: Codes of misread walls.
WALLS = tuple(f"LAN-14{kind}" for kind in range(1, 10))
#: Codes that the first move can reveal.
SEATS = ("LAN-112", "LAN-131", "LAN-132", "LAN-133", "LAN-153", "LAN-154")

#: Minimum time limit for answers to unusual packets, in seconds.
_FRAMING_TIME = 1.0

Play = Callable[[ServerGame], Awaitable[None]]


async def check_greeting(server: ServerUnderTest) -> str:
    """Exchange HELLO and IAM; keep the connection to a server that may play a single game, for that game."""

    async def run() -> None:
        dialogue = await server.dial()
        try:
            await greet(server, ServerGame(server, dialogue))
        except FaultError:
            await dialogue.close()
            raise
        if server.launch is None:
            server.opened = dialogue
        else:
            await dialogue.close()

    await server.visit(run)
    return f"its name is {visible(server.name)}"


async def check_walls(server: ServerUnderTest) -> str:
    """Make the server play as player 1 against walls.

    The first walls are in its way only if it misreads them.
    """

    async def play(game: ServerGame) -> None:
        await game.begin(1, suspects=(*SEATS, *WALLS))
        await play_game(game, {2: Builder(1, game.truth, game.views, 3)}, *ROUNDS)

    async def again(game: ServerGame, found: Mapping[str, int], number: int) -> None:
        await game.begin(1, suspects=found)
        builder = Builder(1, game.truth, game.views, ROUNDS[0], found, harmless=False, waits=number)
        await play_game(game, {2: builder}, *ROUNDS)

    before = server.moves
    try:
        await run_game(server, play)
    except FaultError as error:
        raise await diagnose(server, error, run_game, again) from None
    return count_things(server.moves - before, "move")


async def _play_second(game: ServerGame) -> None:
    """Make the server play as player 2 against walls."""
    await game.begin(2, suspects=(*SEATS, *WALLS))
    await play_game(game, {1: Builder(2, game.truth, game.views, 2)}, ROUNDS[0], 5)


def make_game_check(play: Play) -> Callable[[ServerUnderTest], Awaitable[str]]:
    """Return the check that plays one game."""

    async def check(server: ServerUnderTest) -> str:
        before = server.moves
        await run_game(server, play)
        return count_things(server.moves - before, "move")

    return check


async def _stand_still(game: ServerGame) -> None:
    """Leave the pawn where it starts, so that even a server that ignores moves of pawns meets it."""
    await game.begin(1)
    await play_game(game, {2: Planned()}, 10, 6)


async def _pass_by(game: ServerGame) -> None:
    """Pass the server's pawn on its left.

    A server that swaps row and column sees a pawn on (4, 3) when its own is on (4, 4). A server that ignores
    moves of pawns sees one on (4, 0) in the end.
    """
    await game.begin(2, suspects=PAWNS)
    await play_game(game, {1: Planned([Step(Square(3, row)) for row in range(5)])}, 10, 6)


async def check_next_game(server: ServerUnderTest) -> str:
    """Play the beginning of two games, and eliminate the server from the second: then it must be silent."""

    async def run() -> None:
        # A running server may have played a whole game already.
        is_next = server.launch is None and server.sound_games > 0
        for is_last in (False, True):
            try:
                game = await _begin_game(server)
            except FaultError as error:
                if not is_next or error.finding.code in {"LAN-171", "LAN-195"}:
                    raise
                # The server answered such lines correctly in an earlier game.
                found = server.with_earlier_game(error.finding)
                raise FaultError(evolve(found, rule=RULES["LAN-174"])) from None
            is_next = True
            if is_last:
                await game.eliminate_server()
            else:
                # A server that plays one game at a time waits for the end of this connection.
                await game.eliminate(2)
                await game.end(1)
                await game.dialogue.close()

    await server.visit(run)
    return ""


async def _begin_game(server: ServerUnderTest) -> ServerGame:
    """Play some moves on a new connection, or on the one that is still open from the greeting."""
    dialogue, server.opened = server.opened, None
    is_greeted = dialogue is not None
    dialogue = dialogue or await server.dial()
    game = ServerGame(server, dialogue)
    try:
        if not is_greeted:
            await greet(server, game)
        await game.begin(1)
        for _ in range(2):
            await game.ask()
            await game.report(2, find_harmless_move(game.position))
    except BaseException:
        await dialogue.hang_up()
        raise
    return game


def make_framing_check(
    code: str, framing: Framing = whole, play: Play = play_opening, usual: Play = play_opening
) -> Callable[[ServerUnderTest], Awaitable[str]]:
    """Return a check that plays the beginning of a game in an unusual form.

    Args:
        code: code of the finding if the server does not understand that form.
        framing: splits or changes the bytes of a message.
        play: plays the beginning of the game.
        usual: plays it in the usual form; a fault in it has nothing to do with the form.
    """

    async def check(server: ServerUnderTest) -> str:
        patience = server.settings.move_time
        if server.slowest:
            # A server that does not understand stays silent, so do not wait the whole time limit of a move.
            patience = min(patience, max(_FRAMING_TIME, 4 * server.slowest))
        try:
            await run_game(server, play, framing, patience)
        except FaultError as error:
            found = error.finding
            if found.severity is not Severity.MUST:
                raise
            await run_game(server, usual)
            raise FaultError(evolve(found, rule=RULES[code], drawing=(), detail="")) from None
        if play is play_joined:
            server.gap = min(server.gap, SHORT_GAP)
        return ""

    return check


async def check_leaving(server: ServerUnderTest) -> str:
    """Disconnect in the middle of a game, and connect again."""

    async def run() -> None:
        first = await _begin_game(server)
        await first.dialogue.close()
        dialogue: Dialogue = await server.dial("LAN-172")
        try:
            await ServerGame(server, dialogue).greet()
        except FaultError as error:
            raise FaultError(evolve(error.finding, rule=RULES["LAN-172"])) from None
        finally:
            await dialogue.close()

    await server.visit(run)
    return ""


def _split(data: bytes) -> tuple[bytes, ...]:
    half = len(data) // 2
    return data[:half], data[half:]


def _add_cr(data: bytes) -> tuple[bytes, ...]:
    return (data.replace(b"\n", b"\r\n"),)


def _add_space(data: bytes) -> tuple[bytes, ...]:
    return (data.replace(b"\n", b" \n"),)


_TWO = ("LAN-112", "LAN-135", "LAN-14", "LAN-15", "LAN-19")
_FOUR = ("LAN-112", "LAN-113", "LAN-114", "LAN-115", "LAN-135", "LAN-140", "LAN-15", "LAN-16", "LAN-19")
_MEETING = ("LAN-135", "LAN-139", "LAN-15", "LAN-193")

CHECKS: tuple[Check[ServerUnderTest], ...] = (
    Check(
        "greeting",
        "HELLO and IAM",
        check_greeting,
        ("LAN-10", "LAN-110", "LAN-125"),
        is_first=True,
    ),
    Check(
        "walls",
        "a game of two as player 1, with walls in its way",
        check_walls,
        ("LAN-11", "LAN-12", "LAN-13", "LAN-14", "LAN-15", "LAN-16", "LAN-173", "LAN-19"),
        8,
        is_first=True,
    ),
    Check(
        "again",
        "the next game, and elimination from it",
        check_next_game,
        ("LAN-168", "LAN-171", "LAN-174", "LAN-195"),
        4,
        is_first=True,
    ),
    # Runs early because it decides how fast the other checks can send.
    Check(
        "joined",
        "two lines in one packet",
        make_framing_check("LAN-182", play=play_joined, usual=play_one_by_one),
        ("LAN-182",),
        3,
    ),
    Check("bottom", "a game of two as player 2", make_game_check(_play_second), _TWO, 5),
    *(
        Check(f"four-{seat}", f"a game of four as player {seat}", make_four_check(seat), _FOUR, 4)
        for seat in (1, 2, 3, 4)
    ),
    Check("stands", "a pawn that stays in its way", make_game_check(_stand_still), _MEETING, 6),
    Check("passes", "a pawn that passes it on the left", make_game_check(_pass_by), _MEETING, 6),
    *(
        Check(
            f"meets-{seat}{'-wall' * builds}",
            f"as player {seat} a pawn in its way{', with a wall behind' * builds}",
            make_game_check(make_meeting(seat, builds=builds)),
            _MEETING,
            6,
        )
        for builds in (True, False)
        for seat in (1, 2)
    ),
    Check(
        "temptation-1",
        "a game of four in which walls pay",
        tempt_to_shut_in,
        ("LAN-114", "LAN-135", "LAN-155", "LAN-163"),
        12,
    ),
    Check(
        "temptation-2",
        "a game of four in which crossing walls would pay",
        tempt_to_cross,
        ("LAN-135", "LAN-159"),
        12,
    ),
    Check("temptation-3", "a game of four with a pawn in a dead end", tempt_to_jump, ("LAN-157",), 6),
    Check("exhaust", "a long game of four, in which walls may run out", exhaust, ("LAN-155",), 30),
    Check("corner", "a jump to the side as the only step", corner, ("LAN-157", "LAN-196"), 12),
    Check("split", "one line in two packets", make_framing_check("LAN-181", _split), ("LAN-181",), 2),
    Check("cr-lf", "lines that end with CR LF", make_framing_check("LAN-183", _add_cr), ("LAN-183",), 2),
    Check(
        "blanks", "lines that end with a space", make_framing_check("LAN-184", _add_space), ("LAN-184",), 2
    ),
    Check(
        "names",
        "two equal names of another form",
        make_framing_check("LAN-185", play=partial(play_opening, names=("bob", "bob"))),
        ("LAN-185",),
        2,
    ),
    Check(
        "unknown",
        "an unknown line",
        make_framing_check("LAN-194", play=play_with_unknown_line),
        ("LAN-194",),
        2,
    ),
    Check(
        "leaves",
        "a client that leaves in the middle of a game",
        check_leaving,
        ("LAN-171", "LAN-172"),
        3,
    ),
)
