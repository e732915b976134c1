"""Clients that send anything at any time: the tournament still ends, and no other client pays for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
import trio.testing
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.abc import Stream

from quoridor_net.clobber import ClobberPosition
from quoridor_net.protocols.olympiad.messages import Played, Settings, encode, parse_message
from quoridor_net.rules import Termination
from quoridor_net.testing.clobber_clients import Script, lines_of
from quoridor_net.tournament import standings
from server.clobber.tournament import Terms
from tests.support.clobber_tournament import play_tournament
from tests.support.honest_client import HonestClient

#: Reaction of a chaotic client to a line: wait, then send; None stands for a legal move if there is one.
Reaction = tuple[float, bytes | None]

reactions = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.0, 0.0, 0.05, 1.0, 2.0, 2.5]),
        st.one_of(
            st.none(),
            st.none(),
            st.none(),
            st.sampled_from(
                [b"", b"a 1 a 2\n", b"a 1 b 1\nb 2 b 1\n", b"end\n", b"a 1", b"\n\n", b"x" * 3000]
            ),
            st.binary(max_size=10),
        ),
    ),
    max_size=30,
)


def chaotic(reactions: list[Reaction]) -> Script:
    """Return a client that reacts to each line in turn, and then only listens."""

    async def script(stream: Stream) -> None:
        await stream.send_all(b"play clobber chaos\n")
        position, left = ClobberPosition.start(3, 3), list(reactions)
        async for line in lines_of(stream):
            match parse_message(line):
                case Settings():
                    position = ClobberPosition.start(3, 3)
                case Played(move) if position.is_legal(move):
                    position.push(move)
            if not left:
                continue
            seconds, data = left.pop(0)
            await trio.sleep(seconds)
            moves = position.legal_moves
            if data is not None:
                await stream.send_all(data)
            elif moves:
                position.push(moves[0])
                await stream.send_all(encode(Played(moves[0])))

    return script


def run_in_virtual_time(main: Callable[[], object]) -> None:
    clock = trio.testing.MockClock(autojump_threshold=0)
    trio.run(main, clock=clock)  # type: ignore[arg-type]


@pytest.mark.parametrize("turn", range(2))
@settings(max_examples=40)
@given(data=st.data())
def test_a_chaotic_client_costs_only_itself(turn: int, data: st.DataObject) -> None:
    honest = [HonestClient(f"c{number}", turn * 10 + number) for number in range(2)]
    script = chaotic(data.draw(reactions))

    async def main() -> None:
        with trio.fail_after(300):
            played = await play_tournament([script, *honest], games=3, terms=Terms(3, 3, 2.0))
        state = played.state
        assert state.is_over
        assert state.pending == ()
        rows = {row.name: row for row in standings(state.entrants, state.results())}
        for number, client in enumerate(honest):
            row = rows[f"c{number}"]
            assert row.forfeited == 0
            assert client.session is not None
            # Games that never began because the other was gone are won without a message.
            told = {str(outcome): count for outcome, count in client.session.tally.items()}
            assert told.get("lost", 0) == row.lost
            assert told.get("won", 0) <= row.won
            assert "broken off" not in told
        for pairing, verdict in state.results():
            if 1 not in pairing.seats:
                assert verdict.termination is Termination.NO_MOVES
        # Whatever it did, it received only messages of the protocol.
        for line in bytes(played.wires[0]).splitlines():
            parse_message(line)

    run_in_virtual_time(main)
