"""What is tried with a move server, in order: the first fault first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import evolve

from quoridor_net.check.checklist import Check, FaultError
from quoridor_net.check.dialogue import Dialogue
from quoridor_net.check.findings import Severity
from quoridor_net.check.lan_server.game import NAMES, Framing, ServerGame, whole
from quoridor_net.check.lan_server.opponents import Builder, Evader, Meeter, Opponent, aside
from quoridor_net.check.lan_server.server import RULES, ServerUnderTest
from quoridor_net.moves import Orientation, Square, Step, Wall

#: Most moves of the server in a game of two, and in a game of four.
ROUNDS = {2: 12, 4: 7}

#: Misreadings of walls.
WALLS = ("LAN-141", "LAN-142", "LAN-143", "LAN-144", "LAN-145", "LAN-146", "LAN-147", "LAN-148")
#: Those of a first move.
SEATS = ("LAN-112", "LAN-131", "LAN-132", "LAN-133", "LAN-153")
PAWNS = ("LAN-151", "LAN-152")

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
    return f"it is called {server.name}"


async def _in_a_game(
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
            await game.greet()
        await play(game)
    finally:
        await dialogue.close()


async def _play(game: ServerGame, opponents: dict[int, Opponent], rounds: int) -> None:
    """Play until somebody has reached its goal, or for some moves of the server; then end the game."""
    position, player = game.position, game.player
    while not position.is_over and rounds:
        turn = position.turn
        assert turn is not None
        if turn == player:
            await game.ask()
            rounds -= 1
        else:
            await game.report(turn, opponents[turn](position))
    for other in position.alive:
        if position.is_over:
            break
        if other != player:
            await game.put_out(other)
    await game.end(position.winner or player)


async def walls(server: ServerUnderTest) -> str:
    """Play as player 1: the other one places walls, at first where only a misreading makes them hinder."""

    async def play(game: ServerGame) -> None:
        await game.begin(1, suspects=(*SEATS, *WALLS))
        builder = Builder(1, [game.truth, *game.views], 4)
        await _play(game, {2: builder}, ROUNDS[2])
        _note_progress(server, game)

    before = server.moves
    await _in_a_game(server, play)
    return f"{server.moves - before} moves"


async def bottom(server: ServerUnderTest) -> str:
    """Play as player 2: the other one steps aside, then places walls."""

    async def play(game: ServerGame) -> None:
        suspects = (*SEATS, *WALLS, *PAWNS, "LAN-174")
        await game.begin(2, suspects=suspects, stale=server.last_position)
        await _play(game, {1: Evader(Builder(2, [game.truth, *game.views], 2))}, ROUNDS[2])
        _note_progress(server, game)

    before = server.moves
    await _in_a_game(server, play)
    return f"{server.moves - before} moves"


async def jumps(server: ServerUnderTest) -> str:
    """Meet the server's pawn, once with a free square behind and once with a wall."""
    for waits, builds in ((True, False), (False, True)):

        async def play(game: ServerGame, waits: bool = waits, builds: bool = builds) -> None:
            await game.begin(1, suspects=(*PAWNS, "LAN-153"))
            await _play(game, {2: Meeter(1, waits=waits, builds=builds)}, 9)

        await _in_a_game(server, play)
    seen = [kind for kind in ("straight jumps", "sideways jumps") if kind in server.seen]
    return f"seen: {' and '.join(seen)}" if seen else "the server avoided every jump"


def four(seat: int) -> Callable[[ServerUnderTest], Awaitable[str]]:
    """Return the check of a game of four in which the server is player ``seat``."""
    facing = {1: 2, 2: 1, 3: 4, 4: 3}[seat]

    async def check(server: ServerUnderTest) -> str:
        async def play(game: ServerGame) -> None:
            await game.begin(seat, 4, suspects=("LAN-112", *PAWNS, "LAN-161", "LAN-162"))
            await _with_four(game, facing)

        before = server.moves
        await _in_a_game(server, play)
        return f"{server.moves - before} moves"

    return check


async def _with_four(game: ServerGame, facing: int) -> None:
    """Let the player on the other side place a wall, come near, and be put out when the pawns meet."""
    position, seat = game.position, game.player
    meet, is_out, rounds = Meeter(seat), False, ROUNDS[4]
    while not position.is_over and rounds:
        turn = position.turn
        assert turn is not None
        if not is_out and _meet(game, facing):
            is_out = True
            await game.put_out(facing)
        elif turn == seat:
            await game.ask()
            rounds -= 1
        elif turn != facing:
            await game.report(turn, aside(position))
        elif position.walls_left(facing) == 5:
            await game.report(turn, _wall_ahead(game))
        else:
            await game.report(turn, meet(position))
    for other in position.alive:
        if other != seat and not position.is_over:
            await game.put_out(other)
    await game.end(position.winner or seat)


def _meet(game: ServerGame, facing: int) -> bool:
    """Return whether the server is to move and its way leads over the pawn of ``facing``."""
    position = game.position
    way = position.shortest_path(game.player)
    return position.turn == game.player and way[1:2] == [position.pawn(facing)]


def _wall_ahead(game: ServerGame) -> Wall | Step:
    """Return the wall that lies across the middle of the board, one square beyond where the pawns meet."""
    where = {
        1: Wall(4, 6, Orientation.HORIZONTAL),
        2: Wall(4, 1, Orientation.HORIZONTAL),
        3: Wall(6, 4, Orientation.VERTICAL),
        4: Wall(1, 4, Orientation.VERTICAL),
    }[game.player]
    return where if where in game.position.legal_walls else aside(game.position)


async def put_out(server: ServerUnderTest) -> str:
    """Put the server out of a game: it gets nothing more and has nothing more to say."""

    async def play(game: ServerGame) -> None:
        await game.begin(1)
        await game.ask()
        await game.turn_out()

    await _in_a_game(server, play)
    return ""


def framed(
    code: str, framing: Framing, names: tuple[str, ...] = NAMES, *, joins: bool = False
) -> Callable[[ServerUnderTest], Awaitable[str]]:
    """Return a check that sends the beginning of a game in an unusual way.

    Args:
        code: what it is when the server does not understand.
        framing: how messages are put on the wire.
        names: the players in GAME.
        joins: whether a move and the request come in one packet.
    """

    async def play(game: ServerGame) -> None:
        await game.begin(2, names=names)
        # A wall in the way, so that a server that missed it walks into it.
        wall = Wall(4, 7, Orientation.HORIZONTAL)
        if joins:
            await game.report_and_ask(1, wall)
        else:
            await game.report(1, wall)
            await game.ask()
        await game.report(1, Step(Square(3, 0)))
        await game.ask()
        await game.put_out(1)
        await game.end(2)

    async def check(server: ServerUnderTest) -> str:
        # A server that does not understand is silent: waiting as long as for a move would help nobody.
        patience = min(server.settings.move_time, max(_FRAMING_TIME, 4 * server.slowest))
        try:
            await _in_a_game(server, play, framing, patience)
        except FaultError as error:
            found = error.finding
            if found.severity is not Severity.MUST:
                raise
            raise FaultError(evolve(found, rule=RULES[code], drawing=(), detail="")) from None
        return ""

    return check


async def leaves(server: ServerUnderTest) -> str:
    """Go away in the middle of a game, and come back."""

    async def play(game: ServerGame) -> None:
        await game.begin(1)
        await game.ask()

    await _in_a_game(server, play)
    dialogue: Dialogue = await server.dial("LAN-172")
    try:
        await ServerGame(server, dialogue).greet()
    except FaultError as error:
        raise FaultError(evolve(error.finding, rule=RULES["LAN-172"])) from None
    finally:
        await dialogue.close()
    return ""


def _note_progress(server: ServerUnderTest, game: ServerGame) -> None:
    """Report a server that hardly ever took a step that brings it nearer to its goal."""
    history = game.position.history
    steps = sum(isinstance(ply.move, Step) and ply.player == game.player for ply in history)
    if steps >= ROUNDS[2] // 2 and game.truth.fits * 3 < steps:
        expected = f"more than {game.truth.fits} of {steps} steps along a shortest path"
        server.remark("LAN-192", expected, game.dialogue)


def _split(data: bytes) -> tuple[bytes, ...]:
    half = len(data) // 2
    return data[:half], data[half:]


def _cr_lf(data: bytes) -> tuple[bytes, ...]:
    return (data.replace(b"\n", b"\r\n"),)


def _blanks(data: bytes) -> tuple[bytes, ...]:
    return (data.replace(b"\n", b" \n"),)


_FIRST = ("greeting", "walls")

CHECKS: tuple[Check[ServerUnderTest], ...] = (
    Check("greeting", "HELLO and IAM", greeting, codes=("LAN-10", "LAN-110", "LAN-125")),
    Check(
        "walls",
        "a game of two as player 1, among walls",
        walls,
        ("greeting",),
        ("LAN-11", "LAN-12", "LAN-13", "LAN-14", "LAN-15", "LAN-16", "LAN-173", "LAN-19"),
    ),
    Check(
        "bottom",
        "the next game, as player 2",
        bottom,
        _FIRST,
        ("LAN-112", "LAN-14", "LAN-15", "LAN-17", "LAN-19"),
    ),
    Check("jumps", "pawns that meet", jumps, (*_FIRST, "bottom"), ("LAN-15", "LAN-139")),
    *(
        Check(
            f"four-{seat}",
            f"a game of four as player {seat}",
            four(seat),
            (*_FIRST, "bottom", "jumps", *(f"four-{earlier}" for earlier in range(1, seat))),
            ("LAN-112", "LAN-15", "LAN-16"),
        )
        for seat in (1, 2, 3, 4)
    ),
    Check("put-out", "being put out of a game", put_out, _FIRST, ("LAN-168",)),
    Check("split", "one line in two packets", framed("LAN-181", _split), _FIRST, ("LAN-181",)),
    Check("joined", "two lines in one packet", framed("LAN-182", whole, joins=True), _FIRST, ("LAN-182",)),
    Check("cr-lf", "lines that end with CR LF", framed("LAN-183", _cr_lf), _FIRST, ("LAN-183",)),
    Check("blanks", "a blank at the end of lines", framed("LAN-184", _blanks), _FIRST, ("LAN-184",)),
    Check(
        "names",
        "other names, the same twice",
        framed("LAN-185", whole, ("bob", "bob")),
        _FIRST,
        ("LAN-185",),
    ),
    Check("leaves", "a client that goes away in the middle", leaves, _FIRST, ("LAN-171", "LAN-172")),
)  # fmt: skip
