"""The verdict on a lost connection names its likely cause: silence, a thinking opponent, GAME or GOTE."""

from __future__ import annotations

import pytest
import trio
from trio.abc import Stream
from trio.testing import MockClock

from quoridor_net.match import MatchSettings, PlayerOut
from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.protocols.lan import Atari, Game, Gote, Myoushu
from quoridor_net.rules import Move, Position
from quoridor_net.testing import Linked
from quoridor_net.testing import move_servers as scripts
from quoridor_net.testing.move_servers import Peer, Script
from tests.support.linked_game import play_linked, simple_server

SETTINGS = MatchSettings(move_time=100)


class Ponderer(SimplePlayer):
    """Thinks for a minute."""

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.sleep(60)
        return await super().choose(position, clock)


def leaves_after(seconds: float) -> Script:
    """Return a script that leaves so long after GAME."""

    async def script(stream: Stream) -> None:
        await Peer(stream).until(Game)
        await trio.sleep(seconds)
        await stream.aclose()

    return script


def leaves_at(*kinds: type) -> Script:
    """Return a script that leaves when messages of these kinds came, in that order."""

    async def script(stream: Stream) -> None:
        peer = Peer(stream)
        for kind in kinds:
            await peer.until(kind)
        await stream.aclose()

    return script


def out_of(played: Linked, player: int) -> PlayerOut[Position]:
    return next(event for event in played.events if isinstance(event, PlayerOut) and event.player == player)


async def test_a_server_that_leaves_early_is_reported_with_its_waiting_time(
    autojump_clock: MockClock,
) -> None:
    peers = {1: simple_server(make_player=Ponderer), 2: leaves_after(30)}
    out = out_of(await play_linked(peers, settings=SETTINGS), 2)
    assert (
        out.fault.sentence == "closed the connection 30 s after its last message, while player 1 was thinking"
    )
    assert out.fault.hint == ""


async def test_a_server_that_crashes_after_a_gote_is_out(autojump_clock: MockClock) -> None:
    # In order of play: 4 leaves when it is asked, 2 moves, and 3 crashes when it is asked.
    async def crashes(stream: Stream) -> None:
        peer = Peer(stream)
        for kind in (Gote, Atari, Myoushu):
            await peer.until(kind)
        await stream.aclose()

    peers = {4: scripts.answers_and_closes(b""), 3: crashes}
    played = await play_linked(peers, players=4, settings=SETTINGS)
    assert out_of(played, 3).fault.sentence == "closed the connection 2 messages after GOTE 4"
    assert out_of(played, 3).fault.hint == ""


async def test_a_disconnection_after_a_move_is_not_attributed_to_game(autojump_clock: MockClock) -> None:
    async def script(stream: Stream) -> None:
        peer = Peer(stream)
        await peer.until(Myoushu)
        await peer.say(b"TESUJI (4, 1)\n")
        assert await stream.receive_some(100) == b"ATARI 1 (4, 1)\n"
        await stream.aclose()

    out = out_of(await play_linked({1: script}, settings=SETTINGS), 1)
    assert out.fault.sentence.startswith("closed the connection")
    assert "GAME" not in out.fault.sentence
    assert out.fault.hint == ""


@pytest.mark.parametrize(
    ("kinds", "distance"),
    [((Game,), "right after GAME"), ((Myoushu,), "1 message after GAME")],
)
async def test_usual_causes_are_named_when_a_server_leaves_at_game(
    kinds: tuple[type, ...], distance: str, autojump_clock: MockClock
) -> None:
    played = await play_linked({1: leaves_at(*kinds)}, settings=SETTINGS)
    out = out_of(played, 1)
    # Whether MYOUSHU is on its way already when a server leaves at GAME is for the network to say.
    assert out.fault.sentence in {
        f"closed the connection {distance}",
        "closed the connection 1 message after GAME",
    }
    assert out.fault.hint == (
        "Usual causes: names without exactly three characters before a colon, as in xyz:name"
        " (here: evil:twin), or a second line that came too soon (try a larger --gap)."
    )


async def test_four_players_are_a_usual_cause_too(autojump_clock: MockClock) -> None:
    out = out_of(await play_linked({1: leaves_at(Game)}, players=4, settings=SETTINGS), 1)
    assert ", a program for two players only, or a second line" in out.fault.hint


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
async def test_a_line_is_quoted_without_its_end(end: bytes, autojump_clock: MockClock) -> None:
    played = await play_linked({1: scripts.answers(b"TESUJI e4" + end)}, settings=SETTINGS)
    assert out_of(played, 1).fault.line == "TESUJI e4"
