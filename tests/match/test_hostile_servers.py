"""A move server that misbehaves costs only itself (docs/decisions.md, Protocol, "Faults")."""

from __future__ import annotations

import io

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.match import MatchSettings, MoveMade, PlayerOut
from quoridor_net.output import Output
from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, Termination
from quoridor_net.testing import move_servers as scripts
from quoridor_net.testing.move_servers import Script
from quoridor_net.ui.display import PlainDisplay
from tests.support.linked_game import play_linked, simple_server

FAULTS: dict[str, tuple[Script, Termination]] = {
    "garbage": (scripts.answers(b"\x00\xff\x1b[2J garbage\n"), Termination.UNPARSABLE_MOVE),
    "no move": (scripts.answers(b"TESUJI e4\n"), Termination.UNPARSABLE_MOVE),
    "empty move": (scripts.answers(b"TESUJI\n"), Termination.UNPARSABLE_MOVE),
    "digits of another script": (
        scripts.answers("TESUJI (\uff14, \uff11)\n".encode()),
        Termination.UNPARSABLE_MOVE,
    ),
    "huge numbers": (scripts.answers(b"TESUJI (99999999999999999999, 1)\n"), Termination.UNPARSABLE_MOVE),
    "illegal step": (scripts.answers(b"TESUJI (4, 4)\n"), Termination.ILLEGAL_MOVE),
    "illegal wall": (scripts.answers(b"TESUJI [(8, 8), h]\n"), Termination.ILLEGAL_MOVE),
    "off the board": (scripts.answers(b"TESUJI (44, 44)\n"), Termination.ILLEGAL_MOVE),
    "wrong message": (scripts.answers(b"KIKASHI 1\n"), Termination.OUT_OF_TURN),
    "second name": (scripts.answers(b"IAM another\n"), Termination.OUT_OF_TURN),
    "unasked move": (scripts.chatters, Termination.OUT_OF_TURN),
    "endless line": (scripts.floods, Termination.FLOODING),
    "blank lines": (scripts.answers(b"\r\n" * 1000), Termination.FLOODING),
    "silence": (scripts.never_answers, Termination.TOO_SLOW),
    "half a line": (scripts.answers_and_closes(b"TESUJI (4,"), Termination.DISCONNECTED),
    "close": (scripts.answers_and_closes(b""), Termination.DISCONNECTED),
    "close at GAME": (scripts.vanishes_after_game, Termination.DISCONNECTED),
    "reset": (scripts.resets_when_asked, Termination.DISCONNECTED),
}
SETTINGS = MatchSettings(move_time=5)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("culprit", [1, 2])
async def test_with_two_players_the_other_wins_at_once(
    fault: str, culprit: int, autojump_clock: MockClock
) -> None:
    script, termination = FAULTS[fault]
    played = await play_linked({culprit: script}, settings=SETTINGS)
    assert (played.result.winner, played.result.termination) == (3 - culprit, termination)
    assert [event.player for event in played.events if isinstance(event, PlayerOut)] == [culprit]
    assert played.log.sent(3 - culprit)[-2:] == [f"GOTE {culprit}\n", f"KIKASHI {3 - culprit}\n"]
    assert played.log.sent(culprit)[-1] == f"GOTE {culprit}\n"


@pytest.mark.parametrize(
    ("fault", "culprit"),
    # The first to move, and one of the others.
    [(fault, culprit) for number, fault in enumerate(FAULTS) for culprit in (1, 2 + number % 3)],
)
async def test_with_four_players_the_others_play_on(
    fault: str, culprit: int, autojump_clock: MockClock
) -> None:
    script, termination = FAULTS[fault]
    played = await play_linked({culprit: script}, players=4, settings=SETTINGS)
    assert played.result.termination is Termination.GOAL
    outs = [event for event in played.events if isinstance(event, PlayerOut)]
    assert [(event.player, event.fault.termination) for event in outs] == [(culprit, termination)]
    for server in {1, 2, 3, 4} - {culprit}:
        assert f"GOTE {culprit}\n" in played.log.sent(server)
        assert played.log.sent(server)[-1] == f"KIKASHI {played.result.winner}\n"


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
async def test_offending_bytes_are_shown_printable_in_every_encoding(
    fault: str, encoding: str, autojump_clock: MockClock
) -> None:
    played = await play_linked({1: FAULTS[fault][0]}, settings=SETTINGS)
    written = io.BytesIO()
    display = PlainDisplay(Output(io.TextIOWrapper(written, encoding)))
    for event in played.events:
        display.listen(event)
    assert written.getvalue().isascii()
    assert written.getvalue().decode("ascii").replace("\n", "").isprintable()
    assert f"[{FAULTS[fault][1]}, ".encode() in written.getvalue()


async def test_the_last_of_four_wins(autojump_clock: MockClock) -> None:
    culprits = {
        1: scripts.answers(b"TESUJI (0, 0)\n"),
        4: scripts.never_answers,
        2: scripts.answers(b"?\n"),
    }
    played = await play_linked(culprits, players=4, settings=SETTINGS)
    assert (played.result.winner, played.result.termination) == (3, Termination.LAST_PLAYER)
    assert played.log.sent(3)[-4:] == ["GOTE 1\n", "GOTE 4\n", "GOTE 2\n", "KIKASHI 3\n"]
    # Player 3 was never asked, so it never had to move.
    assert "MYOUSHU\n" not in played.log.sent(3)


async def test_a_second_line_after_a_legal_move_counts_after_the_move(autojump_clock: MockClock) -> None:
    """The first line answers the request; only the second is out of turn, however they were chunked."""
    script = scripts.answers(b"TESUJI (4, 1)\nTESUJI (4, 2)\n")
    played = await play_linked({1: script}, players=4, settings=SETTINGS)
    first = next(event for event in played.events if isinstance(event, MoveMade))
    assert (first.player, str(first.move)) == (1, "(4, 1)")
    out = next(event for event in played.events if isinstance(event, PlayerOut))
    assert (out.player, out.fault.termination) == (1, Termination.OUT_OF_TURN)
    assert out.fault.line == "TESUJI (4, 2)"
    sent = played.log.sent(2)
    assert sent.index("ATARI 1 (4, 1)\n") + 1 == sent.index("GOTE 1\n")


async def test_the_offending_line_is_shown_without_control_characters(autojump_clock: MockClock) -> None:
    played = await play_linked({1: scripts.answers(b"\x1b[2JTESUJI\x07\n")}, settings=SETTINGS)
    out = next(event for event in played.events if isinstance(event, PlayerOut))
    assert out.fault.line == r"\x1b[2JTESUJI\x07"


class SlowPlayer(SimplePlayer):
    """Thinks for two seconds."""

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.sleep(2)
        return await super().choose(position, clock)


async def test_a_loss_is_announced_after_the_pending_answer(autojump_clock: MockClock) -> None:
    """Nothing follows MYOUSHU until TESUJI came (docs/decisions.md, Protocol)."""
    peers = {1: simple_server(make_player=SlowPlayer), 2: scripts.vanishes_after_a_second}
    played = await play_linked(peers, players=4, settings=SETTINGS)
    sent = played.log.sent(1)
    request = sent.index("MYOUSHU\n")
    assert sent[request + 1].startswith("ATARI 1 ")
    assert sent[request + 2] == "GOTE 2\n"


async def test_the_last_player_wins_even_while_it_thinks(autojump_clock: MockClock) -> None:
    """The last player left wins at once (docs/decisions.md, Protocol)."""
    peers = {1: simple_server(make_player=SlowPlayer), 2: scripts.vanishes_after_a_second}
    start = trio.current_time()
    played = await play_linked(peers, settings=SETTINGS)
    assert trio.current_time() - start < 2
    assert (played.result.winner, played.result.termination) == (1, Termination.DISCONNECTED)
    assert played.log.sent(1)[-3:] == ["MYOUSHU\n", "GOTE 2\n", "KIKASHI 1\n"]
