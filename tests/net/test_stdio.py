"""Standard input and output as streams, for each kind of descriptor."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import assert_checkpoints

from quoridor_net.net.stdio import BlockingOutput, FileInput, PolledInput, ThreadInput, open_input
from tests.support.patience import PATIENCE


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    for descriptor in (read, write):
        os.close(descriptor)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows always reads in a thread")
async def test_pipes_are_polled_and_files_read_at_once(tmp_path: Path, pipe: tuple[int, int]) -> None:
    read, write = pipe
    os.write(write, b"one")
    polled = open_input(read)
    assert isinstance(polled, PolledInput)
    assert await polled.receive_some() == b"one"
    with trio.CancelScope() as scope:
        scope.cancel()
        await polled.receive_some()
    assert scope.cancelled_caught
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    with path.open("rb") as file:
        stream = open_input(file.fileno())
        assert isinstance(stream, FileInput)
        assert [await stream.receive_some(2) for _ in range(3)] == [b"ab", b"c", b""]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows always reads in a thread")
async def test_a_closed_descriptor_is_at_its_end() -> None:
    read, write = os.pipe()
    os.close(read)
    os.close(write)
    assert await open_input(read).receive_some() == b""
    with pytest.raises(trio.BrokenResourceError, match="cannot write the output"):
        await BlockingOutput(write).send_all(b"x")


async def test_a_cancelled_read_in_a_thread_keeps_its_data(pipe: tuple[int, int]) -> None:
    read, write = pipe
    stream = ThreadInput(read)
    with trio.CancelScope() as scope:
        scope.cancel()
        await stream.receive_some()
    assert scope.cancelled_caught
    with trio.fail_after(PATIENCE):
        os.write(write, b"first")
        assert await stream.receive_some() == b"first"
        os.write(write, b"second")
        assert await stream.receive_some() == b"second"


async def test_descriptors_stay_open(pipe: tuple[int, int]) -> None:
    read, write = pipe
    for stream in (open_input(read), BlockingOutput(write)):
        with assert_checkpoints():
            await stream.aclose()
    os.write(write, b"12345")
    assert os.read(read, 100) == b"12345"


async def test_all_data_is_written(pipe: tuple[int, int]) -> None:
    read, write = pipe
    await BlockingOutput(write).send_all(b"12345")
    assert os.read(read, 100) == b"12345"


async def test_data_that_the_system_takes_in_pieces_is_written_whole(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, write = pipe
    write_all = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write_all(descriptor, data[:2]))
    await BlockingOutput(write).send_all(b"12345")
    assert os.read(read, 100) == b"12345"
