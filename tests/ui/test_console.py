"""The console: lines from pipes, files and terminals, and prompts that vanish."""

from __future__ import annotations

import io
import math
import os
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
import trio
import trio.testing

from quoridor_net.net.stdio import FileInput, PolledInput, ThreadInput, open_input
from quoridor_net.rules.diagram import ASCII, Look, Span
from quoridor_net.ui.console import Console, EndOfInputError, standard_input
from quoridor_net.ui.line_editor import LONGEST, LineEditor
from tests.support.terminal import Terminal


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


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setenv("COLUMNS", "80")
    with closing(Terminal()) as terminal:
        yield terminal


async def test_a_script_types_everything_at_once_and_each_prompt_takes_a_line(pipe: Pipe) -> None:
    pipe.type(b"e8\r\n\nh (3, 4)\nlast")
    pipe.end()
    assert [await pipe.console.ask("> ") for _ in range(4)] == ["e8", "", "h (3, 4)", "last"]
    for _ in range(2):
        with pytest.raises(EndOfInputError):
            await pipe.console.ask("> ")
    # The output repeats the lines of a script, so that it reads like a session.
    assert pipe.output.getvalue() == "> e8\n> \n> h (3, 4)\n> last\n> \n> \n"


async def test_lines_may_arrive_in_pieces(pipe: Pipe, autojump_clock: trio.testing.MockClock) -> None:
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


async def test_a_cancelled_prompt_ends_its_line(pipe: Pipe, autojump_clock: trio.testing.MockClock) -> None:
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


async def test_output_appears_at_once(pipe: Pipe, autojump_clock: trio.testing.MockClock) -> None:
    seen = io.BytesIO()
    console = Console(pipe.reader, io.TextIOWrapper(seen, encoding="utf-8", newline="\n"))
    console.write("news")
    assert seen.getvalue() == b"news\n"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(console.ask, "> ")
        await trio.testing.wait_all_tasks_blocked()
        assert seen.getvalue() == b"news\n> "
        nursery.cancel_scope.cancel()
    assert seen.getvalue() == b"news\n> \n"


async def test_an_endless_line_is_cut(pipe: Pipe) -> None:
    pipe.type(b"x" * 3000)
    assert set(await pipe.console.ask("> ")) == {"x"}
    pipe.type(b"\ne8\n")
    assert [await pipe.console.ask("> ") for _ in range(2)] == ["", "e8"]


async def test_invalid_utf8_is_replaced(pipe: Pipe) -> None:
    pipe.type(b"\xff\xfe\n")
    assert await pipe.console.ask("> ") == "��"


@pytest.mark.parametrize("text", ["", "e8\n4 1"])
async def test_files_are_read_directly(text: str, tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(text, encoding="ascii")
    with path.open("rb") as file:
        console = Console(file.fileno(), io.StringIO())
        assert [await console.ask("> ") for _ in text.splitlines()] == text.splitlines()
        with pytest.raises(EndOfInputError):
            await console.ask("> ")


async def test_the_null_device_is_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without standard input, descriptor 0 may belong to something else and must not be read.
    monkeypatch.setattr("sys.stdin", None)
    descriptor = standard_input()
    assert descriptor != 0
    with os.fdopen(descriptor), pytest.raises(EndOfInputError):
        await Console(descriptor, io.StringIO()).ask("> ")


async def test_a_closed_descriptor_is_at_its_end() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.close(writer)
    with pytest.raises(EndOfInputError):
        await Console(reader, io.StringIO()).ask("> ")


def test_the_way_of_reading_depends_on_the_kind_of_input(
    pipe: Pipe, terminal: Terminal, tmp_path: Path
) -> None:
    assert isinstance(open_input(pipe.reader), PolledInput)
    assert isinstance(open_input(terminal.program), PolledInput)
    with (tmp_path / "script").open("wb") as file:
        assert isinstance(open_input(file.fileno()), FileInput)


async def test_a_reading_thread_serves_the_task_that_waits_when_input_arrives(pipe: Pipe) -> None:
    source = ThreadInput(pipe.reader)
    with trio.CancelScope() as scope:
        scope.cancel()
        await source.receive_some()
    # The thread of the cancelled read still runs, and its input is not lost.
    pipe.type(b"e8\n")
    assert await source.receive_some() == b"e8\n"
    pipe.end()
    assert await source.receive_some() == b""


def test_a_reading_thread_may_outlive_the_event_loop(pipe: Pipe) -> None:
    async def give_up() -> None:
        with trio.CancelScope() as scope:
            scope.cancel()
            await ThreadInput(pipe.reader).receive_some()

    before = set(threading.enumerate())
    trio.run(give_up)
    pipe.end()
    # Wait for the thread to end, because another test may reuse its descriptor.
    for thread in set(threading.enumerate()) - before:
        thread.join()


def test_output_without_a_terminal_is_plain(pipe: Pipe) -> None:
    assert not pipe.console.is_terminal
    assert pipe.console.size == (80, math.inf)
    pipe.console.show([(Span("a ", Look.WALL), Span("b"))], "below")
    assert pipe.output.getvalue() == "a b\nbelow\n"


def test_characters_fit_the_encoding_of_the_output() -> None:
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert Console(0, output).glyphs is ASCII


@asynccontextmanager
async def ask_in_background(
    terminal: Terminal, prompt: str = "> "
) -> AsyncIterator[tuple[list[str], trio.Nursery]]:
    """Ask in the background; yield the answers so far and the nursery. Wait for the answer at the end."""
    answers: list[str] = []

    async def ask() -> None:
        answers.append(await terminal.console.ask(prompt))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await terminal.see(prompt.rstrip())
        yield answers, nursery


async def test_a_terminal_shows_input_once(terminal: Terminal) -> None:
    async with ask_in_background(terminal) as (answers, _):
        terminal.type(b"e8")
        await terminal.see("> e8")
        terminal.type(b"\n")
    assert answers == ["e8"]
    terminal.console.write("done")
    await terminal.see("> e8", "done", "")


async def test_input_typed_ahead_is_shown_with_the_prompt_and_used(terminal: Terminal) -> None:
    terminal.type(b"e8\n4 1\n")
    assert [await terminal.console.ask("> ") for _ in range(2)] == ["e8", "4 1"]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (b"e8\x1b[Dh", "eh8"),
        (b"8\x1b[D\x1b[D\x1b[De\x1b[C\x1b[C\x1b[C\x1b[Ch", "e8h"),
        (b"3h\x1b[He", "e3h"),
        (b"3h\x1b[1~e\x1b[4~!", "e3h!"),
        (b"3h\x01e\x05!", "e3h!"),
        (b"e33h\x02\x02\x1b[3~", "e3h"),
        (b"e38\x7fh", "e3h"),
        (b"\x7f\x7fe3h", "e3h"),
        (b"nonsense\x15e3h", "e3h"),
        (b"e3h all of this\x17\x17\x17", "e3h "),
        (b"e3hall\x02\x02\x02\x0b", "e3h"),
        (b"\x1b[5~\x1b[15~\x1bOPe3h\x1b[1;5Q\x00\x07", "e3h"),
        (b"ee\x01\x043h\x05", "3he"),
        ("\u00e9\u2713\x7f3h".encode(), "\u00e93h"),
    ],
)
@pytest.mark.parametrize("at_once", [True, False])
async def test_a_line_can_be_edited(terminal: Terminal, keys: bytes, line: str, at_once: bool) -> None:
    async with ask_in_background(terminal) as (answers, _):
        for piece in [keys] if at_once else [bytes([byte]) for byte in keys]:
            terminal.type(piece)
            await trio.testing.wait_all_tasks_blocked()
        await terminal.see(f"> {line}".rstrip())
        terminal.type(b"\r")
    assert answers == [line]


def test_a_line_of_a_terminal_has_a_limit() -> None:
    editor = LineEditor()
    editor.receive(b"x" * (LONGEST + 1) + b"\n")
    assert editor.next_line() == "x" * LONGEST


async def test_earlier_lines_can_be_recalled(terminal: Terminal) -> None:
    async def ask(keys: bytes) -> str:
        async with ask_in_background(terminal) as (answers, _):
            terminal.type(keys + b"\n")
        return answers[0]

    up, down = b"\x1b[A", b"\x1b[B"
    for line in ("e2", "", "e3", "e3"):
        assert await ask(line.encode()) == line
    assert await ask(up + b"h") == "e3h"
    assert await ask(up + up + up) == "e2"
    assert await ask(up * 9 + down + b"v") == "e3v"
    assert await ask(b"d4" + up + down + down + b"h") == "d4h"


async def test_a_long_line_scrolls_in_its_row(terminal: Terminal) -> None:
    async with ask_in_background(terminal) as (answers, _):
        terminal.type(b"x" * 100 + b"yz")
        await terminal.see("> " + "x" * 75 + "yz")
        terminal.type(b"\x01a\n")
    assert answers == ["a" + "x" * 100 + "yz"]


async def test_end_of_input_in_a_terminal_is_only_for_this_prompt(terminal: Terminal) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        async with ask_in_background(terminal):
            terminal.type(b"\x04")
    assert caught.group_contains(EndOfInputError)
    async with ask_in_background(terminal) as (answers, _):
        terminal.type(b"e8\n")
    assert answers == ["e8"]


async def test_a_cancelled_prompt_vanishes_with_its_input(terminal: Terminal) -> None:
    async with ask_in_background(terminal) as (_, nursery):
        terminal.type(b"e")
        await terminal.see("> e")
        nursery.cancel_scope.cancel()
    await terminal.see("")
    # "e" was meant for the cancelled prompt, and does not become part of the next answer.
    async with ask_in_background(terminal) as (answers, _):
        # Nor does its cursor stay: Ctrl-B goes to the start of the line.
        terminal.type(b"h\x023\n")
    assert answers == ["3h"]


async def test_text_goes_above_the_prompt_of_a_terminal(terminal: Terminal) -> None:
    async with ask_in_background(terminal) as (answers, _):
        terminal.type(b"e8\x02")
        await terminal.see("> e8")
        terminal.console.write("news")
        # The input and the cursor are kept.
        await terminal.see("news", "> e8")
        terminal.type(b"1\n")
    assert answers == ["e18"]


async def test_texts_wrap_at_words_on_a_terminal(terminal: Terminal) -> None:
    terminal.console.write("  " + "word " * 20)
    await terminal.see("  " + " ".join(["word"] * 15), "  " + " ".join(["word"] * 5), "")


async def test_the_mode_of_a_terminal_is_restored(terminal: Terminal) -> None:
    before = terminal.mode
    async with ask_in_background(terminal):
        assert terminal.mode != before
        terminal.type(b"e8\n")
    assert terminal.mode == before
    async with ask_in_background(terminal) as (_, nursery):
        nursery.cancel_scope.cancel()
    assert terminal.mode == before
    with pytest.raises(ExceptionGroup):
        async with ask_in_background(terminal):
            raise ZeroDivisionError
    assert terminal.mode == before


async def test_the_mode_of_a_terminal_is_restored_while_the_program_is_stopped(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, stopped = terminal.mode, []
    # Record the stop signal instead of stopping the test.
    monkeypatch.setattr(os, "kill", lambda *arguments: stopped.append((*arguments, terminal.mode)))
    async with ask_in_background(terminal) as (answers, _):
        editing = terminal.mode
        terminal.type(b"e8")
        await terminal.see("> e8")
        signal.raise_signal(signal.SIGTSTP)
        assert stopped == [(os.getpid(), signal.SIGTSTP, before)]
        assert signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
        terminal.output.write("\nfg\n")
        signal.raise_signal(signal.SIGCONT)
        assert terminal.mode == editing
        await terminal.see("fg", "> e8")
        terminal.type(b"\n")
    assert answers == ["e8"]
    assert terminal.mode == before
    assert signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGCONT) is signal.SIG_DFL


def test_drawings_are_coloured_on_a_terminal(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal.console.show([(Span("wall", Look.WALL),)])
    assert "\x1b[1;" in terminal.wait_for_output("wall\x1b[0m\r\n")


def test_drawings_have_no_colour_with_no_color(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal.console.show([(Span("wall", Look.GAP),)])
    assert terminal.wait_for_output("\n") == "wall\r\n"


def test_games_are_numbered(pipe: Pipe) -> None:
    assert [pipe.console.number_game(), pipe.console.number_game()] == [1, 2]
