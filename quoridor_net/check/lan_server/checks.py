"""The checks of a move server, in order: the most basic first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from attrs import evolve

from quoridor_net.check.checklist import Check, FaultError
from quoridor_net.check.dialogue import Dialogue
from quoridor_net.check.findings import Finding, Severity
from quoridor_net.check.lan_server.diagnosis import diagnose
from quoridor_net.check.lan_server.opponents import (
    Builder,
    Meeter,
    Planned,
    find_harmless_move,
    is_in_the_way,
)
from quoridor_net.check.lan_server.playing import play_game, run_game
from quoridor_net.check.lan_server.server import RULES, SHORT_GAP, USUAL_MOVES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import NAMES, Framing, ServerGame, whole
from quoridor_net.check.lan_server.temptations import tempt_to_cross, tempt_to_jump, tempt_to_shut_in
from quoridor_net.moves import Orientation, Square, Step, Wall
from quoridor_net.text import visible

#: Maximum number of moves of the server in games of two and of four, each also for a slow server.
ROUNDS = {2: (12, 8), 4: (7, 4)}

#: Codes of misread walls.
WALLS = tuple(f"LAN-14{kind}" for kind in range(1, 10))
#: Codes that the first move can reveal.
SEATS = ("LAN-112", "LAN-131", "LAN-132", "LAN-133", "LAN-153", "LAN-154")
PAWNS = ("LAN-151", "LAN-152")
#: Number of steps in a game of four that show which goal a player heads for.
_ENOUGH_STEPS = 4
#: Codes of servers that do not play at all.
_NO_MOVE = ("LAN-113", "LAN-121", "LAN-122")

#: Minimum time limit for answers to unusual packets, in seconds.
_FRAMING_TIME = 1.0


async def check_greeting(server: ServerUnderTest) -> str:
    """Exchange HELLO and IAM, and keep the connection for the first game."""
    dialogue = await server.dial()
    try:
        await ServerGame(server, dialogue).greet()
    except FaultError:
        await dialogue.close()
        raise
    server.opened = dialogue
    return f"its name is {visible(server.name)}"


async def check_walls(server: ServerUnderTest) -> str:
    """Make the server play as player 1 against walls.

    The first walls are in its way only if it misreads them.
    """

    async def play(game: ServerGame) -> None:
        await game.begin(1, suspects=(*SEATS, *WALLS))
        await play_game(game, {2: Builder(1, game.truth, game.views, 3)}, *ROUNDS[2])

    async def again(game: ServerGame, found: Mapping[str, int], number: int) -> None:
        await game.begin(1, suspects=found)
        builder = Builder(1, game.truth, game.views, ROUNDS[2][0], found, harmless=False, waits=number)
        await play_game(game, {2: builder}, *ROUNDS[2])

    before = server.moves
    try:
        await run_game(server, play)
    except FaultError as error:
        raise await diagnose(server, error, run_game, again) from None
    return f"{server.moves - before} moves"


async def check_second_player(server: ServerUnderTest) -> str:
    """Make the server play as player 2 against walls."""

    async def play(game: ServerGame) -> None:
        await game.begin(2, suspects=(*SEATS, *WALLS))
        await play_game(game, {1: Builder(2, game.truth, game.views, 2)}, ROUNDS[2][0], 5)

    before = server.moves
    await run_game(server, play)
    return f"{server.moves - before} moves"


async def check_jumps(server: ServerUnderTest) -> str:
    """Put a pawn in the server's way, or where only a server that misreads pawns would meet it."""
    await run_game(server, _stand_still)
    meetings = [(1, False), (1, True), (2, False), (2, True)]
    if server.pace.is_too_slow(USUAL_MOVES):
        meetings = [(1, True)]
    else:
        await run_game(server, _pass_by)
    for seat, builds in meetings:

        async def play(game: ServerGame, seat: int = seat, builds: bool = builds) -> None:
            await game.begin(seat)
            await play_game(game, {3 - seat: Meeter(seat, builds=builds)}, 9, 6)

        await run_game(server, play)
    seen = [kind for kind in ("straight jumps", "sideways jumps") if kind in server.seen]
    return f"seen: {' and '.join(seen)}" if seen else "the server avoided every jump"


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


def make_four_check(seat: int) -> Callable[[ServerUnderTest], Awaitable[str]]:
    """Return the check of a game of four in which the server is player ``seat``."""
    facing = {1: 2, 2: 1, 3: 4, 4: 3}[seat]
    # Games of two have shown that the server knows 1 and 2, but not that it knows where 3 and 4 start.
    seats = ("LAN-112", "LAN-115") if seat < 3 else ("LAN-115",)

    async def check(server: ServerUnderTest) -> str:
        async def play(game: ServerGame) -> None:
            await game.begin(seat, 4, suspects=(*seats, *PAWNS, "LAN-153", "LAN-161", "LAN-162"))
            await _play_four(game, facing, builds=seat in {2, 4})

        before, steps, shortest_steps = server.moves, server.steps, server.shortest_steps
        try:
            await run_game(server, play)
        except FaultError as error:
            # A server that waits for a single opponent may have moved once.
            if server.moves > before + 1 or error.finding.code not in _NO_MOVE:
                raise
            # It answered in games of two, so the cause is the number of players.
            raise FaultError(evolve(error.finding, rule=RULES["LAN-114"])) from None
        made, shortest = server.steps - steps, server.shortest_steps - shortest_steps
        if made >= _ENOUGH_STEPS and shortest * 4 < made:
            expected = f"more than {shortest} of {made} steps of player {seat} along a shortest path"
            server.report.add(Finding(RULES["LAN-192"], expected))
        return f"{server.moves - before} moves"

    return check


async def _play_four(game: ServerGame, facing: int, *, builds: bool) -> None:
    """Play a game of four, and eliminate the player opposite once its pawn or its wall is in the way."""
    position, seat = game.position, game.player
    meet, is_set, is_out, made = Meeter(seat), False, False, 0
    while not position.is_over and made < game.server.rounds(*ROUNDS[4]):
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


async def check_next_game(server: ServerUnderTest) -> str:
    """Start another game, and eliminate the server from it: then it must be silent."""

    async def play(game: ServerGame) -> None:
        try:
            await game.begin(1)
            await game.ask()
        except FaultError as error:
            # The server answered the same lines correctly in the first game.
            raise FaultError(evolve(error.finding, rule=RULES["LAN-174"])) from None
        await game.eliminate_server()

    await run_game(server, play)
    return ""


async def _play_opening(game: ServerGame, names: tuple[str, ...] = NAMES) -> None:
    """Play the beginning of a game with the server as player 2 and a wall in its way."""
    await game.begin(2, names=names)
    await game.report(1, Wall(4, 7, Orientation.HORIZONTAL))
    await game.ask()
    # The step may have become illegal, because the server may have placed a wall there.
    await game.report(1, Planned([Step(Square(3, 0))])(game.position))
    await game.ask()
    await game.eliminate(1)
    await game.end(2)


async def _play_joined(game: ServerGame) -> None:
    """Send reports of walls in the same packet as the request: a server that misses them walks into them."""
    await game.begin(1)
    await game.ask()
    for _ in range(2):
        await game.report_and_ask(2, Builder(1, game.truth)(game.position))
    await game.eliminate(2)
    await game.end(1)


def make_framing_check(
    code: str, framing: Framing = whole, play: Callable[[ServerGame], Awaitable[None]] = _play_opening
) -> Callable[[ServerUnderTest], Awaitable[str]]:
    """Return a check that sends the beginning of a game in unusual packets or with unusual line ends.

    Args:
        code: code of the finding if the server does not understand them.
        framing: splits or changes the bytes of a message.
        play: plays the beginning of the game.
    """

    async def check(server: ServerUnderTest) -> str:
        # A server that does not understand stays silent, so do not wait the whole time limit of a move.
        patience = min(server.settings.move_time, max(_FRAMING_TIME, 4 * server.slowest))
        try:
            await run_game(server, play, framing, patience)
        except FaultError as error:
            found = error.finding
            if found.severity is not Severity.MUST:
                raise
            raise FaultError(evolve(found, rule=RULES[code], drawing=(), detail="")) from None
        if play is _play_joined:
            server.gap = min(server.gap, SHORT_GAP)
        return ""

    return check


async def check_leaving(server: ServerUnderTest) -> str:
    """Disconnect in the middle of a game, and connect again."""

    async def play(game: ServerGame) -> None:
        await game.begin(1)
        await game.ask()

    await run_game(server, play)
    dialogue: Dialogue = await server.dial("LAN-172")
    try:
        await ServerGame(server, dialogue).greet()
    except FaultError as error:
        raise FaultError(evolve(error.finding, rule=RULES["LAN-172"])) from None
    finally:
        await dialogue.close()
    return ""


def _split(data: bytes) -> tuple[bytes, ...]:
    half = len(data) // 2
    return data[:half], data[half:]


def _add_cr(data: bytes) -> tuple[bytes, ...]:
    return (data.replace(b"\n", b"\r\n"),)


def _add_space(data: bytes) -> tuple[bytes, ...]:
    return (data.replace(b"\n", b" \n"),)


#: Checks of games of two, which the other games need.
_GAMES = ("greeting", "walls", "again", "bottom")
_FOURS = ("four-1", "four-2", "four-3", "four-4")

CHECKS: tuple[Check[ServerUnderTest], ...] = (
    Check("greeting", "HELLO and IAM", check_greeting, codes=("LAN-10", "LAN-110", "LAN-125")),
    Check(
        "walls",
        "a game of two as player 1, with walls in its way",
        check_walls,
        ("greeting",),
        ("LAN-11", "LAN-12", "LAN-13", "LAN-14", "LAN-15", "LAN-16", "LAN-173", "LAN-19"),
        8,
    ),
    Check(
        "again",
        "the next game, and elimination from it",
        check_next_game,
        ("greeting", "walls"),
        ("LAN-168", "LAN-171", "LAN-174"),
        1,
    ),
    # Runs early because it decides how fast the other checks can send.
    Check(
        "joined",
        "two lines in one packet",
        make_framing_check("LAN-182", play=_play_joined),
        _GAMES[:3],
        ("LAN-182",),
        3,
    ),
    Check(
        "bottom",
        "a game of two as player 2",
        check_second_player,
        _GAMES[:3],
        ("LAN-112", "LAN-135", "LAN-14", "LAN-15", "LAN-19"),
        5,
    ),
    Check("jumps", "pawns that meet", check_jumps, _GAMES, ("LAN-135", "LAN-139", "LAN-15"), 12),
    *(
        Check(
            f"four-{seat}",
            f"a game of four as player {seat}",
            make_four_check(seat),
            (*_GAMES, "jumps", *(f"four-{earlier}" for earlier in range(1, seat))),
            ("LAN-112", "LAN-114", "LAN-115", "LAN-135", "LAN-15", "LAN-16", "LAN-192"),
            4,
        )
        for seat in (1, 2, 3, 4)
    ),
    *(
        Check(f"temptation-{number}", title, tempt, (*_GAMES, "jumps", *_FOURS), codes, moves)
        for number, (title, tempt, codes, moves) in enumerate(
            (
                (
                    "a game of four in which walls pay",
                    tempt_to_shut_in,
                    ("LAN-135", "LAN-155", "LAN-163"),
                    12,
                ),
                (
                    "a game of four in which crossing walls would pay",
                    tempt_to_cross,
                    ("LAN-135", "LAN-159"),
                    12,
                ),
                ("a game of four with a pawn in a dead end", tempt_to_jump, ("LAN-157",), 6),
            ),
            1,
        )
    ),
    Check("split", "one line in two packets", make_framing_check("LAN-181", _split), _GAMES, ("LAN-181",), 2),
    Check(
        "cr-lf", "lines that end with CR LF", make_framing_check("LAN-183", _add_cr), _GAMES, ("LAN-183",), 2
    ),
    Check(
        "blanks",
        "lines that end with a space",
        make_framing_check("LAN-184", _add_space),
        _GAMES,
        ("LAN-184",),
        2,
    ),
    Check(
        "names",
        "two equal names of another form",
        make_framing_check("LAN-185", play=partial(_play_opening, names=("bob", "bob"))),
        _GAMES,
        ("LAN-185",),
        2,
    ),
    Check(
        "leaves",
        "a client that leaves in the middle of a game",
        check_leaving,
        _GAMES,
        ("LAN-171", "LAN-172"),
        1,
    ),
)
