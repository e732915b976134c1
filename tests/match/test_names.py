"""Names in any script: passed on byte by byte, and shown so that they steer nothing."""

from __future__ import annotations

import datetime as dt
import io
import json

import pytest
import trio
from trio.abc import Stream

from quoridor_net.match import GameEnded, GameStarted
from quoridor_net.match.encoding import as_object
from quoridor_net.match.recording import ReplayListener
from quoridor_net.output import Output
from quoridor_net.protocols.lan import Game, Iam, Kikashi, MessageError, encode, parse_message
from quoridor_net.replay import RecordFormat, format_game, parse_game, parse_replay
from quoridor_net.testing.move_servers import Script, plays
from quoridor_net.text import MAX_NAME
from quoridor_net.ui.display import PlainDisplay
from tests.support.linked_game import play_linked
from tests.support.move_server import Served

ZOE = "zo\u00eb:\u65e5\u672c"
#: The same, spelt with a combining mark.
ZOE_IN_PARTS = "zoe\u0308:\u65e5\u672c"
HOSTILE = "abc:\u202egod\u2066\u200b"
EMOJI = "cat:\U0001f63a"


def record_names(names: list[bytes]) -> Script:
    """Return a sound server that notes what GAME told it, as bytes."""
    sound = plays(name=ZOE)

    async def script(stream: Stream) -> None:
        receive = stream.receive_some

        async def receive_some(max_bytes: int | None = None) -> bytes:
            data = bytes(await receive(max_bytes))
            names.extend(line for line in data.splitlines() if line.startswith(b"GAME "))
            return data

        stream.receive_some = receive_some  # type: ignore[method-assign]
        await sound(stream)

    return script


async def test_names_pass_through_game_byte_by_byte() -> None:
    lines: list[bytes] = []
    scripts = {
        1: record_names(lines),
        2: plays(name=ZOE_IN_PARTS),
        3: plays(name=HOSTILE),
        4: plays(name=EMOJI),
    }
    await play_linked(scripts, players=4)
    assert lines == [f"GAME 1 {ZOE} {ZOE_IN_PARTS} {HOSTILE} {EMOJI}".encode()]


def says(name: bytes) -> Script:
    """Return a sound server that gives its name in these bytes."""
    sound = plays(name="abc:d")

    async def script(stream: Stream) -> None:
        send = stream.send_all

        async def send_all(data: bytes | bytearray | memoryview) -> None:
            await send(bytes(data).replace(b"abc:d", name))

        stream.send_all = send_all  # type: ignore[method-assign]
        await sound(stream)

    return script


async def test_bytes_that_are_not_utf8_are_replaced() -> None:
    lines: list[bytes] = []
    await play_linked({1: record_names(lines), 2: says(b"zo\xeb:\xff\x1b[2J")})
    assert lines == [f"GAME 1 {ZOE} zo\ufffd:\ufffd?[2J".encode()]


async def test_every_display_escapes_control_characters_in_names() -> None:
    played = await play_linked({1: plays(name=ZOE_IN_PARTS), 2: plays(name=HOSTILE)})
    shown = (ZOE, "abc:\\u202egod\\u2066\\u200b")
    started, ended = played.events[0], played.events[-1]
    assert isinstance(started, GameStarted)
    assert isinstance(ended, GameEnded)
    assert started.names == ended.names == shown
    assert any(played.result.sentence.startswith(name) for name in shown)
    assert as_object(started)["names"] == list(shown)
    file, record = io.StringIO(), io.StringIO()
    display, recording = PlainDisplay(Output(file)), ReplayListener(record, "g", dt.date(2026, 11, 26))
    for event in played.events:
        display.listen(event)
        recording(event)
        json.dumps(as_object(event))
    assert file.getvalue().replace("\n", "").isprintable()
    assert ZOE in file.getvalue()
    assert parse_replay(record.getvalue()).names == shown


async def test_a_transcript_is_ascii_and_has_the_names() -> None:
    played = await play_linked({1: plays(name=ZOE), 2: plays(name=HOSTILE)})
    text = played.log.file.getvalue()
    assert text.isascii()
    replay = parse_game(text)
    assert replay.names == (ZOE, HOSTILE)
    again = format_game(replay, RecordFormat.LAN)
    assert again.isascii()
    assert parse_game(again).names == (ZOE, HOSTILE)


async def test_a_server_escapes_control_characters_in_reported_names() -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        client = served.client()
        await client.send(b"HELLO\n" + encode(Game(1, (ZOE, HOSTILE))) + encode(Kikashi(1)))
        assert await client.line() == "IAM qnt:test\n"
        assert await client.line() == ""
        nursery.cancel_scope.cancel()
    assert f"[1] game of 2: player 1 of {ZOE}, abc:\\u202egod\\u2066\\u200b" in served.reports


@pytest.mark.parametrize("name", [ZOE, ZOE_IN_PARTS, HOSTILE, EMOJI, "\u65e5" * (MAX_NAME // 3)])
def test_names_are_written_as_they_were_read(name: str) -> None:
    for message in (Iam(name), Game(2, (name, name)), Game(4, (name, "b", "c", name))):
        assert parse_message(encode(message).removesuffix(b"\n")) == message
    assert len(encode(Game(1, (name,) * 4))) <= 1024


@pytest.mark.parametrize("name", [b"x" * 201, "\u65e5".encode() * 67, b"\xff" * 67])
def test_a_name_is_limited_in_bytes(name: bytes) -> None:
    with pytest.raises(MessageError, match="a name has at most 200 bytes"):
        parse_message(b"IAM " + name)


def test_keywords_and_moves_stay_ascii() -> None:
    for line in ("\u0406AM a", "I\u0130AM a", "TESUJI (\uff14, 1)", "GAME \u0661 a b", "TESUJI\u00a0(4, 1)"):
        with pytest.raises(MessageError):
            parse_message(line.encode())
