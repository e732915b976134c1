"""Some tournaments over loopback TCP, because kernels reset, coalesce and buffer as memory does not."""

from __future__ import annotations

import socket
import struct
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.abc import Stream

from client.clobber.session import ClobberOutcome
from quoridor_net.clobber import ClobberPosition
from quoridor_net.rules import Termination
from quoridor_net.testing import clobber_clients as clients
from quoridor_net.testing.clobber_clients import misbehaves
from quoridor_net.tournament import standings
from server.clobber.tournament import Terms
from tests.support.clobber_tournament import play_tournament, tcp_pair
from tests.support.honest_client import HonestClient


async def resets(stream: Stream, position: ClobberPosition) -> None:
    """Reset the connection."""
    assert isinstance(stream, trio.SocketStream)
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await clients.hangs_up(stream, position)


FAULTS: dict[str, tuple[Callable[[Stream, ClobberPosition], Awaitable[None]], Termination]] = {
    "garbage": (clients.says(b"\x00\xff garbage\n"), Termination.UNPARSABLE_MOVE),
    "two lines at once": (clients.moves_twice, Termination.OUT_OF_TURN),
    "endless line": (clients.floods, Termination.FLOODING),
    "half a line, then close": (clients.hangs_up_in_a_line, Termination.DISCONNECTED),
    "reset": (resets, Termination.DISCONNECTED),
    "silence": (clients.says_nothing, Termination.TOO_SLOW),
}


@pytest.mark.end_to_end
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_costs_only_its_author(fault: str) -> None:
    act, termination = FAULTS[fault]
    honest = [HonestClient(f"c{number}", number) for number in range(2)]
    played = await play_tournament(
        [misbehaves("bad", act, 1), *honest],
        games=1,
        # Only the silent client causes such long waits.
        terms=Terms(4, 4, 0.3 if termination is Termination.TOO_SLOW else 20.0),
        # In real time, an honest client may learn of a fault while it thinks; it sends no move then.
        late_time=0.1,
        connect=tcp_pair,
    )
    rows = {row.name: row for row in standings(played.state.entrants, played.state.results())}
    assert termination in {verdict.termination for verdict in played.state.decided.values()}
    assert rows["bad"].forfeited == 2
    for number, client in enumerate(honest):
        assert rows[f"c{number}"].forfeited == 0
        assert client.session is not None
        assert client.session.tally[ClobberOutcome.LOST] == rows[f"c{number}"].lost


async def sends_a_long_line_and_listens(stream: Stream, _position: ClobberPosition) -> None:
    await stream.send_all(b"x" * 3000 + b"\n")
    async for _ in clients.lines_of(stream):
        pass


async def says_no_more_and_listens(stream: Stream, _position: ClobberPosition) -> None:
    assert isinstance(stream, trio.SocketStream)
    await stream.send_eof()
    async for _ in clients.lines_of(stream):
        pass


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("act", "termination"),
    [
        (sends_a_long_line_and_listens, Termination.FLOODING),
        (says_no_more_and_listens, Termination.DISCONNECTED),
    ],
)
async def test_a_client_that_still_listens_gets_the_verdict(
    act: Callable[[Stream, ClobberPosition], Awaitable[None]], termination: Termination
) -> None:
    played = await play_tournament(
        [misbehaves("bad", act), HonestClient("good", 1)],
        games=1,
        terms=Terms(4, 4, 20.0),
        connect=tcp_pair,
    )
    assert played.state.decided[1].termination is termination
    assert bytes(played.wires[0]) == b"4 4 1\nerror\n"


@pytest.mark.end_to_end
async def test_whole_games_and_both_sides_agree() -> None:
    honest = [HonestClient(f"c{number}", number) for number in range(4)]
    played = await play_tournament(honest, games=4, terms=Terms(6, 6, 20.0), connect=tcp_pair)
    rows = {row.name: row for row in standings(played.state.entrants, played.state.results())}
    assert {verdict.termination for verdict in played.state.decided.values()} == {Termination.NO_MOVES}
    for number, client in enumerate(honest):
        row = rows[f"c{number}"]
        assert client.session is not None
        assert client.session.tally == {ClobberOutcome.WON: row.won, ClobberOutcome.LOST: row.lost}
