"""Standard output and standard error, whatever a program was started with."""

from __future__ import annotations

import errno
import io
import os
import select
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from quoridor_net import output
from quoridor_net.output import (
    BACKLOG,
    Output,
    background_output,
    catch_up,
    discard_unwritten,
    is_behind,
    prepare_streams,
)
from tests.support.patience import PATIENCE


class LateReader(threading.Thread):
    """Reads all of a pipe once it is started."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self.text = ""

    def run(self) -> None:
        with os.fdopen(self._descriptor, encoding="ascii") as pipe:
            self.text = pipe.read()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_every_character_can_be_printed(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding))
    prepare_streams()
    print("\uff14 \U0001f600 \udcff", flush=True)
    shown = "\uff14 \U0001f600" if encoding == "utf-8" else "\\uff14 \\U0001f600"
    assert written.getvalue().decode(encoding) == f"{shown} \\udcff\n"


def test_a_program_without_streams_can_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    prepare_streams()
    with sys.stdout, sys.stderr:
        print("nobody reads this")
        print("nor this", file=sys.stderr)


def test_streams_without_an_encoding_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(sys, "stdout", file)
    prepare_streams()
    print("\uff14")
    assert file.getvalue() == "\uff14\n"


def test_a_stalled_reader_does_not_delay_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    line = f"{'é' * 1000}\n"
    taken = b""
    with os.fdopen(writing, "w", encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdout", file)
        with background_output():
            assert not is_behind(sys.stdout)
            for _ in range(2 * BACKLOG // len(line)):
                sys.stdout.write(line)
            assert is_behind(sys.stdout)
            assert (sys.stdout.encoding, sys.stdout.fileno()) == ("utf-8", file.fileno())
            # Now somebody reads, and the end of the context waits for that.
            os.set_blocking(reading, False)
            while is_behind(sys.stdout):
                # The last line may have been read before it counts as written.
                with suppress(BlockingIOError):
                    taken += os.read(reading, 1 << 16)
            os.set_blocking(reading, True)
            print("the end", flush=True)
        assert sys.stdout is file
    taken += os.read(reading, 1 << 16)
    os.close(reading)
    *lines, last = taken.decode().splitlines(keepends=True)
    # The excess was dropped, in whole lines.
    assert set(lines) == {line}
    assert BACKLOG // 2 < len(taken) <= BACKLOG + (1 << 17)
    assert last == "the end\n"


def test_a_mebibyte_is_kept_for_a_stalled_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    half = "a" * (1 << 19)
    reader = LateReader(reading)
    with os.fdopen(writing, "w", encoding="ascii") as file:
        monkeypatch.setattr(sys, "stdout", file)
        with background_output():
            assert not sys.stdout.isatty()
            for text in (half, half, "b"):
                sys.stdout.write(text)
            reader.start()
    reader.join()
    assert reader.text == half + half


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_terminal_is_known_as_one_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    person, program = os.openpty()
    with os.fdopen(program, "w", encoding="ascii") as file:
        monkeypatch.setattr(sys, "stdout", file)
        with background_output():
            assert sys.stdout.isatty()
            assert sys.stdout.buffer.write(b"abc") == 3
        assert os.read(person, 10) == b"abc"
    os.close(person)


def test_without_room_for_a_thread_text_is_written_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Regression: the program waited forever at its end for output that no thread could write."""

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    path = tmp_path / "a"
    with path.open("w", encoding="ascii") as file:
        monkeypatch.setattr(sys, "stdout", file)
        monkeypatch.setattr(threading.Thread, "start", refuse)
        with background_output():
            print("one")
            print("two")
    assert path.read_text("ascii") == "one\ntwo\n"


def test_a_stream_is_given_up_without_a_free_descriptor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real, path = os.open, tmp_path / "a"
    refused = 0

    def open_later(*words: Any) -> int:
        nonlocal refused
        try:
            os.fstat(descriptor)
        except OSError:
            return real(*words)
        # Only the descriptor of the stream can be freed.
        refused += 1
        raise OSError(errno.EMFILE, "Too many open files")

    with path.open("w", encoding="ascii") as file:
        descriptor = file.fileno()
        monkeypatch.setattr(os, "open", open_later)
        discard_unwritten(file)
        file.write("nobody reads this")
    assert refused == 1
    assert path.read_text("ascii") == ""


@pytest.mark.parametrize("has_threads", [True, False])
def test_a_failed_background_write_is_reported_once(
    has_threads: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    if not has_threads:
        monkeypatch.setattr(threading.Thread, "start", refuse)
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    descriptor = os.open(tmp_path / "a", os.O_CREAT | os.O_RDONLY)
    with os.fdopen(descriptor, encoding="ascii") as file:
        monkeypatch.setattr(sys, "stdout", file)
        with background_output():
            for _ in range(100):
                print("nobody sees this", flush=True)
    assert errors.getvalue() == (
        "Error: cannot write the output: Bad file descriptor. The game continues without it.\n"
    )


class _Failing(io.StringIO):
    """A file that cannot be written, and counts the attempts."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error
        self.attempts = 0

    def write(self, text: str, /) -> int:
        self.attempts += 1
        raise self.error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "no space left on device"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), ""),
    ],
)
def test_an_error_ends_the_output_and_is_reported_once(
    error: OSError, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _Failing(error)
    output = Output(file)
    output.write_line("one")
    output.write_line("two")
    assert file.attempts == 1
    reported = capsys.readouterr().err
    assert said in reported.lower()
    assert reported.count("\n") == bool(said)


def test_an_error_of_standard_error_is_not_reported_there(monkeypatch: pytest.MonkeyPatch) -> None:
    file = _Failing(OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setattr(sys, "stderr", file)
    Output(file).write_line("one")
    assert file.attempts == 1


def test_discarding_leaves_no_descriptor_open(tmp_path: Path) -> None:
    with (tmp_path / "full").open("w", encoding="utf-8") as file:
        file.write("never written")
        free = os.dup(file.fileno())
        os.close(free)
        discard_unwritten(file)
        again = os.dup(file.fileno())
        os.close(again)
    assert again == free
    assert (tmp_path / "full").read_bytes() == b""


def test_a_line_is_written_at_once_and_a_closed_pipe_is_not_mentioned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="ascii") as file:
        monkeypatch.setattr(sys, "stdout", file)
        with background_output():
            # One write, without a flush.
            sys.stdout.write("one")
            assert select.select([reading], [], [], PATIENCE)[0]
            assert os.read(reading, 9) == b"one"
            os.close(reading)
            print("nobody reads this")
    assert errors.getvalue() == ""


def test_standard_error_does_not_report_its_own_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    descriptor = os.open(tmp_path / "a", os.O_CREAT | os.O_RDONLY)
    with os.fdopen(descriptor, encoding="ascii") as file:
        monkeypatch.setattr(sys, "stderr", file)
        with background_output():
            print("nobody sees this", file=sys.stderr)
    assert (tmp_path / "a").read_bytes() == b""


def test_every_line_is_flushed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("w", encoding="ascii") as file:
        Output(file).write_line("caf\u00e9")
        assert path.read_text("ascii") == "caf\\xe9\n"


def test_a_stream_catches_up_if_its_reader_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    text = "a" * (BACKLOG // 2)
    reader = LateReader(reading)
    with os.fdopen(writing, "w", encoding="ascii") as file:
        monkeypatch.setattr(sys, "stdout", file)
        with background_output():
            sys.stdout.write(text)
            monkeypatch.setattr(output, "CATCH_UP_TIME", 0.001)
            catch_up(sys.stdout)
            assert is_behind(sys.stdout)
            monkeypatch.setattr(output, "CATCH_UP_TIME", PATIENCE)
            reader.start()
            catch_up(sys.stdout)
            assert not is_behind(sys.stdout)
    reader.join()
    assert reader.text == text
