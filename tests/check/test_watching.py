"""Waiting until a program has been rebuilt or restarted."""

from __future__ import annotations

from pathlib import Path

import trio
import trio.testing
from trio.abc import Stream
from trio.testing import MockClock

from quoridor_net.check.watching import POLL, FileWatch, ServerWatch


async def test_changed_file_ends_the_wait_when_it_is_complete(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    program = tmp_path / "server"
    program.write_text("old")
    watch = FileWatch([str(program), "5858"])

    async def build() -> None:
        await trio.sleep(10 * POLL)
        program.unlink()
        await trio.sleep(5 * POLL)
        for part in ("new", " program", " of three parts"):
            with program.open("a") as file:
                file.write(part)
            await trio.sleep(0.9 * POLL)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(build)
        await watch.wait_changed()
        assert program.read_text() == "new program of three parts"
        nursery.cancel_scope.cancel()


async def test_change_during_the_check_is_not_missed(tmp_path: Path, autojump_clock: MockClock) -> None:
    program = tmp_path / "classes" / "Server.class"
    program.parent.mkdir()
    program.write_text("old")
    watch = FileWatch(["java", "-cp", str(program.parent), "Server"])
    watch.mark()
    program.write_text("newer")
    await watch.wait_changed()
    assert trio.current_time() < 3 * POLL


class Port:
    """A port that accepts connections, or refuses them."""

    def __init__(self) -> None:
        self.is_open = True
        self.server_ends: list[trio.testing.MemoryReceiveStream | Stream] = []

    async def connect(self) -> Stream:
        await trio.lowlevel.checkpoint()
        if not self.is_open:
            raise ConnectionRefusedError
        ours, theirs = trio.testing.memory_stream_pair()
        self.server_ends.append(theirs)
        return ours

    async def close_all(self) -> None:
        for stream in self.server_ends:
            await stream.aclose()


async def test_restarted_server_gets_the_connection_that_found_it(autojump_clock: MockClock) -> None:
    port = Port()
    watch = ServerWatch(port.connect, port.connect)

    async def restart() -> None:
        await trio.sleep(10)
        port.is_open = False
        await port.close_all()
        await trio.sleep(10)
        port.is_open = True

    async with trio.open_nursery() as nursery:
        nursery.start_soon(restart)
        await watch.wait_changed()
    assert 20 <= trio.current_time() < 21
    made = len(port.server_ends)
    await watch.connect()
    assert len(port.server_ends) == made
    await watch.connect()
    assert len(port.server_ends) == made + 1


async def test_server_that_closes_idle_connections_is_not_taken_for_a_new_one(
    autojump_clock: MockClock,
) -> None:
    port = Port()
    watch = ServerWatch(port.connect, port.connect)

    async def hang_up() -> None:
        for _ in range(5):
            await trio.sleep(5)
            await port.close_all()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hang_up)
        with trio.move_on_after(40) as scope:
            await watch.wait_changed()
        assert scope.cancelled_caught
