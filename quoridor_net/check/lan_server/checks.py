"""What is tried with a move server, in order: the first fault first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from attrs import evolve

from quoridor_net.check.checklist import Check, FaultError
from quoridor_net.check.dialogue import Dialogue
from quoridor_net.check.findings import Finding, Severity
from quoridor_net.check.lan_server.diagnosis import diagnose
from quoridor_net.check.lan_server.opponents import Builder, Meeter, Planned, aside, is_in_the_way
from quoridor_net.check.lan_server.playing import in_a_game, play_game
from quoridor_net.check.lan_server.server import RULES, SHORT_GAP, USUAL_MOVES, ServerUnderTest
from quoridor_net.check.lan_server.server_game import NAMES, Framing, ServerGame, whole
from quoridor_net.check.lan_server.temptations import across, round_a_pawn, shut_in
from quoridor_net.moves import Orientation, Square, Step, Wall
from quoridor_net.text import visible

#: Most moves of the server in a game of two, and in a game of four; of a slow one, too.
ROUNDS = {2: (12, 8), 4: (7, 4)}

#: Misreadings of walls.
WALLS = tuple(f"LAN-14{kind}" for kind in range(1, 10))
#: Those of a first move.
SEATS = ("LAN-112", "LAN-131", "LAN-132", "LAN-133", "LAN-153", "LAN-154")
PAWNS = ("LAN-151", "LAN-152")
#: How many steps in a game of four show where a player goes.
_ENOUGH_STEPS = 4
#: Ways not to play at all.
_NO_MOVE = ("LAN-113", "LAN-121", "LAN-122")

#: Least seconds for an answer to what is sent in an unusual way.
_FRAMING_TIME = 1.0


async def greeting(server: ServerUnderTest) -> str:
    """Exchange HELLO and IAM; the connection is kept for the first game."""
    dialogue = await server.dial()
    try:
        await ServerGame(server, dialogue).greet()
    except FaultError:
        await dialogue.close()
        raise
    server.opened = dialogue
    return f"it is called {visible(server.name)}"


async def walls(server: ServerUnderTest) -> str:
    """Play as player 1: the other one places walls, at first where only a misreading makes them hinder."""

    async def play(game: ServerGame) -> None:
        await game.begin(1, suspects=(*SEATS, *WALLS))
        await play_game(game, {2: Builder(1, game.truth, game.views, 3)}, *ROUNDS[2])

    async def again(game: ServerGame, found: Mapping[str, int], number: int) -> None:
        await game.begin(1, suspects=found)
        builder = Builder(1, game.truth, game.views, ROUNDS[2][0], found, harmless=False, waits=number)
        await play_game(game, {2: builder}, *ROUNDS[2])

    before = server.moves
    try:
        await in_a_game(server, play)
    except FaultError as error:
        raise await diagnose(server, error, in_a_game, again) from None
    return f"{server.moves - before} moves"


async def bottom(server: ServerUnderTest) -> str:
    """Play as player 2 among walls."""

    async def play(game: ServerGame) -> None:
        await game.begin(2, suspects=(*SEATS, *WALLS))
        await play_game(game, {1: Builder(2, game.truth, game.views, 2)}, ROUNDS[2][0], 5)

    before = server.moves
    await in_a_game(server, play)
    return f"{server.moves - before} moves"


async def jumps(server: ServerUnderTest) -> str:
    """Be where the server's pawn goes, or only where it goes if it misreads pawns."""
    await in_a_game(server, _stands_still)
    meetings = [(1, False), (1, True), (2, False), (2, True)]
    if server.pace.is_too_slow(USUAL_MOVES):
        meetings = [(1, True)]
    else:
        await in_a_game(server, _passes_by)
    for seat, builds in meetings:

        async def play(game: ServerGame, seat: int = seat, builds: bool = builds) -> None:
            await game.begin(seat)
            await play_game(game, {3 - seat: Meeter(seat, builds=builds)}, 9, 6)

        await in_a_game(server, play)
    seen = [kind for kind in ("straight jumps", "sideways jumps") if kind in server.seen]
    return f"seen: {' and '.join(seen)}" if seen else "the server avoided every jump"


async def _stands_still(game: ServerGame) -> None:
    """Let the pawn stand that the server walks up to: who reads no moves of pawns knows it, too."""
    await game.begin(1)
    await play_game(game, {2: Planned()}, 10, 6)


async def _passes_by(game: ServerGame) -> None:
    """Pass the server's pawn on its left.

    Who reads the row first sees a pawn at (4, 3) when its own is at (4, 4), and who reads no moves of pawns
    sees one at (4, 0) at the end.
    """
    await game.begin(2, suspects=PAWNS)
    await play_game(game, {1: Planned([Step(Square(3, row)) for row in range(5)])}, 10, 6)


def four(seat: int) -> Callable[[ServerUnderTest], Awaitable[str]]:
    """Return the check of a game of four in which the server is player ``seat``."""
    facing = {1: 2, 2: 1, 3: 4, 4: 3}[seat]
    # Who knew itself as 2 knows its number, but need not know where 3 and 4 are.
    seats = ("LAN-112", "LAN-115") if seat < 3 else ("LAN-115",)

    async def check(server: ServerUnderTest) -> str:
        async def play(game: ServerGame) -> None:
            await game.begin(seat, 4, suspects=(*seats, *PAWNS, "LAN-153", "LAN-161", "LAN-162"))
            await _with_four(game, facing, builds=seat in {2, 4})

        before, steps, glad_steps = server.moves, server.steps, server.glad_steps
        try:
            await in_a_game(server, play)
        except FaultError as error:
            # A server that waits for one opponent may well have moved once.
            if server.moves > before + 1 or error.finding.code not in _NO_MOVE:
                raise
            # In games of two it was there.
            raise FaultError(evolve(error.finding, rule=RULES["LAN-114"])) from None
        made, glad = server.steps - steps, server.glad_steps - glad_steps
        if made >= _ENOUGH_STEPS and glad * 4 < made:
            expected = f"more than {glad} of {made} steps of player {seat} along a shortest path"
            server.report.add(Finding(RULES["LAN-192"], expected))
        return f"{server.moves - before} moves"

    return check


async def _with_four(game: ServerGame, facing: int, *, builds: bool) -> None:
    """Put the player on the other side out when its pawn, or a wall of its own, is in the way."""
    position, seat = game.position, game.player
    meet, is_set, is_out, made = Meeter(seat), False, False, 0
    while not position.is_over and made < game.server.rounds(*ROUNDS[4]):
        turn = position.turn
        assert turn is not None
        if turn == seat:
            if not is_out and (is_set or is_in_the_way(position, facing, seat)):
                is_out = True
                await game.put_out(facing)
            await game.ask()
            made += 1
        elif turn != facing:
            await game.report(turn, aside(position))
        elif builds and made > 1:
            is_set = True
            await game.report(turn, Builder(seat, game.truth)(position))
        else:
            await game.report(turn, meet(position))
    for other in position.alive:
        if other != seat and not position.is_over:
            await game.put_out(other)
    await game.end(position.winner or seat)


async def again(server: ServerUnderTest) -> str:
    """Begin the first game once more, and put the server out of it: then it has nothing more to say."""

    async def play(game: ServerGame) -> None:
        try:
            await game.begin(1)
            await game.ask()
        except FaultError as error:
            # The same lines were answered well in the first game.
            raise FaultError(evolve(error.finding, rule=RULES["LAN-174"])) from None
        await game.turn_out()

    await in_a_game(server, play)
    return ""


async def _usual(game: ServerGame, names: tuple[str, ...] = NAMES) -> None:
    """Play the beginning of a game as player 2, with a wall in the way."""
    await game.begin(2, names=names)
    await game.report(1, Wall(4, 7, Orientation.HORIZONTAL))
    await game.ask()
    # The server may have placed a wall there.
    await game.report(1, Planned([Step(Square(3, 0))])(game.position))
    await game.ask()
    await game.put_out(1)
    await game.end(2)


async def _joined(game: ServerGame) -> None:
    """Report walls in the way together with the request: a server that misses them walks into them."""
    await game.begin(1)
    await game.ask()
    for _ in range(2):
        await game.report_and_ask(2, Builder(1, game.truth)(game.position))
    await game.put_out(2)
    await game.end(1)


def framed(
    code: str, framing: Framing = whole, play: Callable[[ServerGame], Awaitable[None]] = _usual
) -> Callable[[ServerUnderTest], Awaitable[str]]:
    """Return a check that sends the beginning of a game in an unusual way.

    Args:
        code: what it is when the server does not understand.
        framing: how messages are put on the wire.
        play: plays it.
    """

    async def check(server: ServerUnderTest) -> str:
        # A server that does not understand is silent: waiting as long as for a move would help nobody.
        patience = min(server.settings.move_time, max(_FRAMING_TIME, 4 * server.slowest))
        try:
            await in_a_game(server, play, framing, patience)
        except FaultError as error:
            found = error.finding
            if found.severity is not Severity.MUST:
                raise
            raise FaultError(evolve(found, rule=RULES[code], drawing=(), detail="")) from None
        if play is _joined:
            server.gap = min(server.gap, SHORT_GAP)
        return ""

    return check


async def leaves(server: ServerUnderTest) -> str:
    """Go away in the middle of a game, and come back."""

    async def play(game: ServerGame) -> None:
        await game.begin(1)
        await game.ask()

    await in_a_game(server, play)
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


def _cr_lf(data: bytes) -> tuple[bytes, ...]:
    return (data.replace(b"\n", b"\r\n"),)


def _blanks(data: bytes) -> tuple[bytes, ...]:
    return (data.replace(b"\n", b" \n"),)


#: Without a sound game of two the other games mean nothing.
_GAMES = ("greeting", "walls", "again", "bottom")
_FOURS = ("four-1", "four-2", "four-3", "four-4")

CHECKS: tuple[Check[ServerUnderTest], ...] = (
    Check("greeting", "HELLO and IAM", greeting, codes=("LAN-10", "LAN-110", "LAN-125")),
    Check(
        "walls",
        "a game of two as player 1, among walls",
        walls,
        ("greeting",),
        ("LAN-11", "LAN-12", "LAN-13", "LAN-14", "LAN-15", "LAN-16", "LAN-173", "LAN-19"),
        8,
    ),
    Check(
        "again",
        "the next game, and being put out of it",
        again,
        ("greeting", "walls"),
        ("LAN-168", "LAN-171", "LAN-174"),
        1,
    ),
    # Early, as it says how long the others have to take.
    Check("joined", "two lines in one packet", framed("LAN-182", play=_joined), _GAMES[:3], ("LAN-182",), 3),
    Check(
        "bottom",
        "a game of two as player 2",
        bottom,
        _GAMES[:3],
        ("LAN-112", "LAN-135", "LAN-14", "LAN-15", "LAN-19"),
        5,
    ),
    Check("jumps", "pawns that meet", jumps, _GAMES, ("LAN-135", "LAN-139", "LAN-15"), 12),
    *(
        Check(
            f"four-{seat}",
            f"a game of four as player {seat}",
            four(seat),
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
                ("a game of four in which walls pay", shut_in, ("LAN-135", "LAN-155", "LAN-163"), 12),
                (
                    "a game of four in which it would pay to cross walls",
                    across,
                    ("LAN-135", "LAN-159"),
                    12,
                ),
                ("a game of four with a pawn in a dead end", round_a_pawn, ("LAN-157",), 6),
            ),
            1,
        )
    ),
    Check("split", "one line in two packets", framed("LAN-181", _split), _GAMES, ("LAN-181",), 2),
    Check("cr-lf", "lines that end with CR LF", framed("LAN-183", _cr_lf), _GAMES, ("LAN-183",), 2),
    Check("blanks", "a blank at the end of lines", framed("LAN-184", _blanks), _GAMES, ("LAN-184",), 2),
    Check(
        "names",
        "other names, the same twice",
        framed("LAN-185", play=partial(_usual, names=("bob", "bob"))),
        _GAMES,
        ("LAN-185",),
        2,
    ),
    Check("leaves", "a client that goes away in the middle", leaves, _GAMES, ("LAN-171", "LAN-172"), 1),
)
