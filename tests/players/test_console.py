"""The console: lines from pipes, files and terminals, prompts that vanish, one prompt at a time."""

from __future__ import annotations

import io
import os
import pty
import select
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import trio
import trio.testing

from quoridor_net.notation.diagram import ASCII, Look, Span
from quoridor_net.players.console import Console, EndOfInput, standard_input
from quoridor_net.players.typed_bytes import FileBytes, PolledBytes, ThreadBytes, open_typed_bytes


class Pipe:
    """A pipe that a script types into, and a console that reads it."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        self.output = io.StringIO()
        self.console = Console(self.reader, self.output)

    def type(self, data: bytes) -> None:
        os.write(self.writer, data)

    def end(self) -> None:
        os.close(self.writer)
        self.writer = -1

    def close(self) -> None:
        for descriptor in (self.reader, self.writer):
            if descriptor >= 0:
                os.close(descriptor)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    with closing(Pipe()) as pipe:
        yield pipe


class Terminal:
    """A pseudo-terminal with a console on one side and a person on the other."""

    def __init__(self) -> None:
        self.person, self.program = pty.openpty()
        self.output = os.fdopen(os.dup(self.program), "w", encoding="utf-8")
        self.console = Console(self.program, self.output)

    def type(self, data: bytes) -> None:
        os.write(self.person, data)

    def see(self, ending: str) -> str:
        """Return what appears on the screen until it ends with ``ending``; an echo takes a moment."""
        shown = ""
        while not shown.endswith(ending):
            assert select.select([self.person], [], [], 60)[0], f"only {shown!r} appeared"
            shown += os.read(self.person, 1024).decode()
        return shown

    def close(self) -> None:
        self.output.close()
        os.close(self.program)
        os.close(self.person)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with closing(Terminal()) as terminal:
        yield terminal


async def test_a_script_types_everything_at_once_and_each_prompt_takes_a_line(pipe: Pipe) -> None:
    pipe.type(b"e8\r\n\nh (3, 4)\nlast")
    pipe.end()
    assert [await pipe.console.ask("> ") for _ in range(4)] == ["e8", "", "h (3, 4)", "last"]
    for _ in range(2):
        with pytest.raises(EndOfInput):
            await pipe.console.ask("> ")
    # What a script types is repeated, so that the output reads like a session.
    assert pipe.output.getvalue() == "> e8\n> \n> h (3, 4)\n> last\n> \n> \n"


async def test_lines_may_come_in_pieces(pipe: Pipe, autojump_clock: trio.testing.MockClock) -> None:
    answers: list[str] = []

    async def ask() -> None:
        answers.append(await pipe.console.ask("> "))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        for piece in (b"h (", b"3,", b" 4)\n"):
            await trio.sleep(1)
            assert not answers
            pipe.type(piece)
    assert answers == ["h (3, 4)"]


async def test_a_prompt_that_is_cancelled_ends_its_line(
    pipe: Pipe, autojump_clock: trio.testing.MockClock
) -> None:
    with trio.move_on_after(5) as scope:
        await pipe.console.ask("> ")
    assert scope.cancelled_caught
    assert pipe.output.getvalue() == "> \n"
    # The script's next line answers the next prompt.
    pipe.type(b"e8\n")
    assert await pipe.console.ask("> ") == "e8"


async def test_text_goes_above_the_prompt(pipe: Pipe, autojump_clock: trio.testing.MockClock) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pipe.console.ask, "> ")
        await trio.testing.wait_all_tasks_blocked()
        pipe.console.write("news")
        pipe.type(b"e8\n")
    assert pipe.output.getvalue() == "> \nnews\n> e8\n"


async def test_a_line_without_end_is_cut_and_does_no_harm(pipe: Pipe) -> None:
    pipe.type(b"x" * 3000)
    assert set(await pipe.console.ask("> ")) == {"x"}
    pipe.type(b"\ne8\n")
    assert [await pipe.console.ask("> ") for _ in range(2)] == ["", "e8"]


async def test_bytes_that_are_no_text(pipe: Pipe) -> None:
    pipe.type(b"\xff\xfe\n")
    assert await pipe.console.ask("> ") == "��"


@pytest.mark.parametrize("text", ["", "e8\n4 1"])
async def test_files_are_read_directly(text: str, tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(text, encoding="ascii")
    with path.open("rb") as file:
        console = Console(file.fileno(), io.StringIO())
        assert [await console.ask("> ") for _ in text.splitlines()] == text.splitlines()
        with pytest.raises(EndOfInput):
            await console.ask("> ")


async def test_the_null_device_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    # A program that is started without standard input must not read what got its descriptor.
    monkeypatch.setattr("sys.stdin", None)
    descriptor = standard_input()
    assert descriptor != 0
    with os.fdopen(descriptor), pytest.raises(EndOfInput):
        await Console(descriptor, io.StringIO()).ask("> ")


async def test_a_closed_descriptor_has_ended() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.close(writer)
    with pytest.raises(EndOfInput):
        await Console(reader, io.StringIO()).ask("> ")


def test_the_way_of_reading_follows_what_is_read(pipe: Pipe, terminal: Terminal, tmp_path: Path) -> None:
    assert isinstance(open_typed_bytes(pipe.reader), PolledBytes)
    assert isinstance(open_typed_bytes(terminal.program), PolledBytes)
    with (tmp_path / "script").open("wb") as file:
        assert isinstance(open_typed_bytes(file.fileno()), FileBytes)


async def test_a_thread_reads_for_whoever_waits_when_something_comes(pipe: Pipe) -> None:
    source = ThreadBytes(pipe.reader)
    with trio.CancelScope() as scope:
        scope.cancel()
        await source.read()
    # The thread of the cancelled read is still there: what it gets is not lost.
    pipe.type(b"e8\n")
    assert await source.read() == b"e8\n"
    pipe.end()
    assert await source.read() == b""


def test_a_thread_may_outlive_the_program_that_waited(pipe: Pipe) -> None:
    async def give_up() -> None:
        with trio.CancelScope() as scope:
            scope.cancel()
            await ThreadBytes(pipe.reader).read()

    before = set(threading.enumerate())
    trio.run(give_up)
    pipe.end()
    # Its descriptor may belong to another test soon, so the thread has to be gone by then.
    for thread in set(threading.enumerate()) - before:
        thread.join()


def test_output_without_a_terminal(pipe: Pipe) -> None:
    assert not pipe.console.is_terminal
    assert pipe.console.width == 80
    pipe.console.show([(Span("a ", Look.WALL), Span("b"))], "below")
    assert pipe.output.getvalue() == "a b\nbelow\n"


def test_characters_fit_the_encoding_of_the_output() -> None:
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert Console(0, output).glyphs is ASCII


async def test_a_terminal_shows_what_is_typed_once(terminal: Terminal) -> None:
    # When the terminal echoes what was typed is its own business; only how often is ours.
    terminal.type(b"e8\n")
    assert await terminal.console.ask("> ") == "e8"
    terminal.console.write("done")
    shown = terminal.see("done\r\n")
    assert (shown.count("e8"), shown.count("> ")) == (1, 1)


async def test_end_of_input_in_a_terminal_is_only_for_this_prompt(terminal: Terminal) -> None:
    terminal.type(b"\x04")
    with pytest.raises(EndOfInput):
        await terminal.console.ask("> ")
    terminal.type(b"e8\n")
    assert await terminal.console.ask("> ") == "e8"


async def test_a_cancelled_prompt_vanishes_with_what_was_typed(
    terminal: Terminal, autojump_clock: trio.testing.MockClock
) -> None:
    with trio.move_on_after(5):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(terminal.console.ask, "> ")
            await trio.testing.wait_all_tasks_blocked()
            terminal.type(b"e")
            terminal.see("> e")
    blank = " " * (terminal.console.width - 1)
    assert terminal.see(f"{blank}\r") == f"\r{blank}\r"
    # "e" was meant for the prompt that vanished: it does not become a part of the next answer.
    terminal.type(b"3h\n")
    assert await terminal.console.ask("> ") == "3h"


async def test_text_above_the_prompt_of_a_terminal(
    terminal: Terminal, autojump_clock: trio.testing.MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(terminal.console.ask, "> ")
        await trio.testing.wait_all_tasks_blocked()
        terminal.console.write("news")
        blank = " " * (terminal.console.width - 1)
        assert terminal.see("news\r\n> ") == f"> \r{blank}\rnews\r\n> "
        terminal.type(b"e8\n")


def test_drawings_are_coloured_on_a_terminal(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal.console.show([(Span("wall", Look.WALL),)])
    assert "\x1b[1;" in terminal.see("wall\x1b[0m\r\n")


def test_drawings_have_no_colour_where_none_is_wanted(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal.console.show([(Span("wall", Look.GAP),)])
    assert terminal.see("\n") == "wall\r\n"


def test_games_are_numbered(pipe: Pipe) -> None:
    assert [pipe.console.number_game(), pipe.console.number_game()] == [1, 2]
