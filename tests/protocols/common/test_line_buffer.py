"""Lines out of a stream of bytes, however it was chunked, and never more memory than one line needs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.protocols.common.line_buffer import LineBuffer, LineTooLongError

LINES = st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\n", b" ")), max_size=12)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({place % (len(data) + 1) for place in places} | {len(data)})
    starts = [0, *ends[:-1]]
    return [data[start:end] for start, end in zip(starts, ends, strict=True)]


@given(LINES, st.binary(max_size=10), st.lists(st.integers(0, 10_000)))
def test_chunks_do_not_matter(lines: list[bytes], rest: bytes, places: list[int]) -> None:
    rest = rest.replace(b"\n", b"")
    data = b"".join(line + b"\n" for line in lines) + rest
    buffer = LineBuffer()
    seen = []
    for chunk in cut(data, places):
        buffer.receive(chunk)
        while (line := buffer.next_line()) is not None:
            seen.append(line)
    assert seen == [line.removesuffix(b"\r") for line in lines]
    assert buffer.unfinished == rest
    assert buffer.next_line() is None


def test_lines_are_found_one_byte_at_a_time() -> None:
    buffer = LineBuffer()
    seen = []
    for number in b"HELLO\r\n\nGAME 1 a b\nrest":
        buffer.receive(bytes([number]))
        line = buffer.next_line()
        if line is not None:
            seen.append(line)
    assert seen == [b"HELLO", b"", b"GAME 1 a b"]
    assert buffer.unfinished == b"rest"


def test_many_lines_at_once_are_split() -> None:
    buffer = LineBuffer()
    buffer.receive(b"x\n" * 100_000)
    count = 0
    while buffer.next_line() is not None:
        count += 1
    assert count == 100_000


@pytest.mark.parametrize("end", [b"", b"\n", b"\nnext\n"])
def test_a_line_over_the_limit_is_rejected_and_skipped(end: bytes) -> None:
    buffer = LineBuffer(max_line=5)
    buffer.receive(b"123456" + end)
    with pytest.raises(LineTooLongError, match="a line of more than 5 bytes") as caught:
        buffer.next_line()
    assert caught.value.start == b"12345"
    assert buffer.unfinished == b""
    buffer.receive(b"abc\n")
    assert buffer.next_line() == b"abc"


@given(st.integers(1, 20), st.integers(0, 40), st.lists(st.integers(0, 10_000)))
def test_the_limit_is_exact_in_any_chunks(limit: int, length: int, places: list[int]) -> None:
    buffer = LineBuffer(max_line=limit)
    seen: list[bytes] = []
    too_long = False
    for chunk in cut(b"x" * length + b"\n", places):
        buffer.receive(chunk)
        try:
            line = buffer.next_line()
        except LineTooLongError:
            too_long = True
            break
        if line is not None:
            seen.append(line)
    assert too_long == (length > limit)
    assert seen == ([] if too_long else [b"x" * length])


def test_lines_before_a_long_one_are_kept() -> None:
    buffer = LineBuffer(max_line=5)
    buffer.receive(b"12345\n123456789")
    assert buffer.next_line() == b"12345"
    with pytest.raises(LineTooLongError):
        buffer.next_line()
