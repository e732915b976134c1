"""The messages of the 2006 protocol: written exactly, read liberally."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.clobber import ClobberSquare, Move
from quoridor_net.protocols.common.errors import MessageError
from quoridor_net.protocols.olympiad.messages import (
    End,
    Error,
    Message,
    Play,
    Played,
    Settings,
    encode,
    parse_message,
)

squares = st.builds(ClobberSquare, st.integers(0, 25), st.integers(0, 25))
sizes = st.integers(1, 26)
messages = st.one_of(
    st.builds(Play, st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=200)),
    st.builds(Settings, sizes, sizes, st.booleans()),
    st.builds(Played, st.builds(Move, squares, squares)),
    st.just(Error()),
    st.just(End()),
)
blanks = st.text(" \t", min_size=1, max_size=3)

A1B1 = Move(ClobberSquare(0, 0), ClobberSquare(1, 0))


@pytest.mark.parametrize(
    ("message", "data"),
    [
        # Step 1: "it has the form 'play clobber playername'".
        (Play("marcy"), b"play clobber marcy\n"),
        # Step 2: "'m n b' where m and n are board dimensions (both 10 for this tournament) and b is
        # either 1 or 0 depending on whether the player is the beginner (i.e. black) or not (i.e. white)".
        (Settings(10, 10, begins=True), b"10 10 1\n"),
        (Settings(13, 2, begins=False), b"13 2 0\n"),
        # Step 3: "if he/she wants to make the move a1-b1, he/she should send over the string "a 1 b 1\n"".
        (Played(A1B1), b"a 1 b 1\n"),
        (Played(Move(ClobberSquare(9, 9), ClobberSquare(9, 8))), b"j 10 j 9\n"),
        # Step 4.
        (Error(), b"error\n"),
        (End(), b"end\n"),
    ],
)
def test_messages_are_written_exactly(message: Message, data: bytes) -> None:
    assert encode(message) == data
    assert parse_message(data[:-1]) == message


@given(messages)
def test_every_message_reads_back(message: Message) -> None:
    line = encode(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert parse_message(line[:-1]) == message


@given(messages, blanks, blanks, st.sampled_from(["", "\r"]))
def test_messages_are_read_despite_case_and_spacing(
    message: Message, before: str, between: str, end: str
) -> None:
    written = str(message)
    if not isinstance(message, Play):
        written = written.upper()
    line = before + between.join(written.split()) + " " + end
    assert parse_message(line.encode()) == message


def test_numbers_may_have_leading_zeros_but_not_any_size() -> None:
    assert parse_message(b"0010 " + b"0" * 900 + b"2 1") == Settings(10, 2, begins=True)
    with pytest.raises(MessageError, match="1 to 26 columns and rows"):
        parse_message(b"9" * 5000 + b" 2 1")


def test_the_case_of_a_name_is_kept() -> None:
    assert parse_message(b"PLAY Clobber MarcY\r") == Play("MarcY")


def test_a_name_cannot_steer_a_terminal() -> None:
    assert parse_message(b"play clobber \x1b[2Jx\xff") == Play("?[2Jx\ufffd")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b"play clobber", "expected: play clobber NAME"),
        (b"play clobber two words", "expected: play clobber NAME"),
        (b"play quoridor bob", "the game must be clobber, not quoridor"),
        (b"play clobber " + b"x" * 201, "at most 200 bytes"),
        (b"0 10 1", "1 to 26 columns and rows"),
        (b"27 10 1", "1 to 26 columns and rows"),
        (b"99999999999999999999 10 1", "1 to 26 columns and rows"),
        (b"10 10 2", "1 .you begin. or 0 .your opponent begins."),
        (b"", "expected a move"),
        (b"10 10", "expected a move"),
        (b"a 1 b", "expected a move"),
        (b"a 1 b 1 c", "expected a move"),
        (b"end of game", "expected a move"),
        ("a ١ b ١".encode(), "expected a move"),
        (b"\x00\xff\xfe", "expected a move"),
    ],
)
def test_unparsable_lines_are_rejected(line: bytes, wrong: str) -> None:
    with pytest.raises(MessageError, match=wrong):
        parse_message(line)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_as_a_message_or_rejected(line: bytes) -> None:
    try:
        message = parse_message(line)
    except MessageError:
        return
    assert parse_message(encode(message)[:-1]) == message
