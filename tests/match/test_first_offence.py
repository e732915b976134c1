"""Lines are judged in the order of their arrival: whatever follows an offence hides nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import trio
import trio.testing
from trio.abc import Stream
from trio.testing import MockClock

from quoridor_net.clobber import ClobberPosition
from quoridor_net.match import MatchSettings, MoveMade, PlayerOut, play_match
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player
from quoridor_net.players.olympiad import OlympiadPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.protocols.lan import Myoushu
from quoridor_net.rules import Move, Square, Step
from quoridor_net.rules import Position as QuoridorPosition
from quoridor_net.testing.move_servers import Peer, Script
from tests.support.linked_game import play_linked

SETTINGS = MatchSettings(move_time=5, ply_limit=8)

#: Bytes after the judged line, and the fault that they are by themselves; None closes the connection.
BEHIND: dict[str, tuple[bytes | None, Termination]] = {
    "a close": (None, Termination.DISCONNECTED),
    "half a line": (b"TESUJI (4,", Termination.DISCONNECTED),
    "a second line": (b"KIKASHI 1\n", Termination.OUT_OF_TURN),
    "an endless line": (b"x" * 1100, Termination.FLOODING),
    "blank lines": (b"\n" * 101, Termination.FLOODING),
}

Split = Callable[[bytes], Sequence[bytes]]

SPLITS: dict[str, Split] = {
    "in one piece": lambda data: [data],
    "line by line": lambda data: data.splitlines(keepends=True),
    "byte by byte": lambda data: [bytes([byte]) for byte in data],
}


async def send(stream: Stream, pieces: Sequence[bytes], *, closes: bool) -> None:
    """Send the pieces and close, or read on until the other side closes."""
    for piece in pieces:
        await stream.send_all(piece)
    if closes:
        await stream.aclose()
    else:
        while await stream.receive_some(4096):
            pass


def server(first: bytes, behind: bytes | None, split: Split) -> Script:
    """Return the script of a move server that answers its first request with ``first``, then ``behind``."""
    pieces = split(first + (behind or b""))

    async def script(stream: Stream) -> None:
        await Peer(stream).until(Myoushu)
        await send(stream, pieces, closes=behind in {None, b"TESUJI (4,"})

    return script


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    ("first", "verdict"),
    [
        (b"TESUJI (8, 8)\n", Termination.ILLEGAL_MOVE),
        (b"TESUJI e4\n", Termination.UNPARSABLE_MOVE),
        (b"KIKASHI 1\n", Termination.OUT_OF_TURN),
    ],
)
async def test_later_bytes_do_not_hide_an_offence(
    first: bytes, verdict: Termination, players: int, split: str, behind: str, autojump_clock: MockClock
) -> None:
    script = server(first, BEHIND[behind][0], SPLITS[split])
    # The first and the last to move.
    for culprit in (1, {2: 2, 4: 3}[players]):
        played = await play_linked({culprit: script}, players, SETTINGS)
        outs = [event for event in played.events if isinstance(event, PlayerOut)]
        assert [(out.player, out.fault.termination) for out in outs] == [(culprit, verdict)]
        assert outs[0].fault.line == first.decode().strip()


async def test_an_illegal_move_is_judged_first_wherever_its_bytes_are_cut(autojump_clock: MockClock) -> None:
    data = b"TESUJI (8, 8)\nTESUJI (4, 1)\n"
    for cut in range(1, len(data)):
        script = server(data, b"", lambda data, cut=cut: [data[:cut], data[cut:]])  # type: ignore[misc]
        played = await play_linked({1: script}, settings=SETTINGS)
        assert played.result.termination is Termination.ILLEGAL_MOVE, cut


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("players", [2, 4])
async def test_bytes_behind_a_legal_move_are_judged_after_the_move(
    players: int, split: str, behind: str, autojump_clock: MockClock
) -> None:
    more, verdict = BEHIND[behind]
    played = await play_linked({1: server(b"TESUJI (4, 1)\n", more, SPLITS[split])}, players, SETTINGS)
    made = next(event for event in played.events if isinstance(event, MoveMade))
    assert (made.player, str(made.move)) == (1, "(4, 1)")
    out = next(event for event in played.events if isinstance(event, PlayerOut))
    assert (out.player, out.fault.termination) == (1, verdict)
    sent = played.log.sent(2)
    assert sent.index("ATARI 1 (4, 1)\n") < sent.index("GOTE 1\n")
    if more is not None and split == "in one piece" and verdict is not Termination.DISCONNECTED:
        # It was there when the move was, so nobody else is asked before it is judged.
        assert out.ply == 1


class Careless(Player[QuoridorPosition, Move]):
    """Answers with an illegal move and fails in the same moment, as a program does that ends at once."""

    name = "careless"

    def __init__(self) -> None:
        self._answered = trio.Event()

    async def choose(self, position: QuoridorPosition, clock: Clock) -> Move:
        await trio.lowlevel.checkpoint()
        self._answered.set()
        return Step(Square(8, 8))

    async def watch(self) -> ForfeitError:
        await self._answered.wait()
        return ForfeitError(Termination.ENGINE_CRASH, Translatable("ended with exit status 1"))


async def test_a_crash_right_after_an_illegal_move_does_not_hide_it() -> None:
    # In which order the tasks of one moment run is a matter of chance.
    for _ in range(20):
        result = await play_match([Careless(), SimplePlayer(1)])
        assert (result.winner, result.termination) == (2, Termination.ILLEGAL_MOVE)


CLOBBER_BEHIND: dict[str, bytes | None] = {
    "a close": None,
    "a second line": b"a 1 b 1\n",
    "an endless line": b"x" * 1100,
    "blank lines": b"\n" * 101,
}


async def play_clobber(first: bytes, behind: bytes | None, split: Split, *, culprit: int) -> Result:
    """Play a game of Clobber on a board of one move between a sound client and one that sends that."""
    ends = [trio.testing.memory_stream_pair() for _ in range(2)]
    players = [OlympiadPlayer(ours, number, move_time=5) for number, (ours, _) in enumerate(ends, 1)]

    async def play(number: int) -> None:
        stream = ends[number - 1][1]
        await stream.send_all(b"play clobber %d\n" % number)
        asked = b"0\n" if number == 2 else b"1\n"
        received = b""
        while not received.endswith(asked) and b" b " not in received:
            received += await stream.receive_some(4096)
        if number == 2:
            while b" b " not in received:
                received += await stream.receive_some(4096)
        if number == culprit:
            await send(stream, split(first + (behind or b"")), closes=behind is None)
        else:
            await send(stream, [b"a 1 b 1\n"] if number == 1 else [], closes=False)

    async with trio.open_nursery() as nursery:
        for number, player in enumerate(players, 1):
            nursery.start_soon(play, number)
            await player.greet()
            nursery.start_soon(player.listen)
        settings = MatchSettings(ClobberPosition.start(4, 2), 5, ends_at_fault=True)
        result = await play_match(players, settings)
        nursery.cancel_scope.cancel()
    return result


@pytest.mark.parametrize("behind", CLOBBER_BEHIND)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("culprit", [1, 2])
@pytest.mark.parametrize(
    ("first", "verdict"),
    [(b"a 1 a 1\n", Termination.ILLEGAL_MOVE), (b"a 1 b\n", Termination.UNPARSABLE_MOVE)],
)
async def test_later_bytes_do_not_hide_an_offence_at_clobber(
    first: bytes, verdict: Termination, culprit: int, split: str, behind: str, autojump_clock: MockClock
) -> None:
    result = await play_clobber(first, CLOBBER_BEHIND[behind], SPLITS[split], culprit=culprit)
    assert (result.winner, result.termination) == (3 - culprit, verdict)
    assert result.line == first.decode().strip()
