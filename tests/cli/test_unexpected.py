"""Unexpected errors become one line that says what to do, and an exit status other than 0."""

from __future__ import annotations

import os
import sys
import threading
from importlib import import_module

import click
import pytest
import trio
from click.testing import CliRunner

from quoridor_net.cli import start as start_module
from quoridor_net.cli.command import MAX_LINE, PreparedCommand, command
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.unexpected import TRACEBACK
from quoridor_net.players.greeting import join_words
from server.athens.command import run_on_standard_streams


@pytest.fixture(autouse=True)
def for_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off the traceback that the other tests turn on."""
    monkeypatch.delenv(TRACEBACK, raising=False)


@pytest.mark.parametrize(("closes", "status"), [(False, ExitStatus.PIPE_CLOSED), (True, ExitStatus.DONE)])
def test_output_is_flushed_before_the_exit_status_is_known(
    closes: bool, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    @command()
    def tell() -> None:
        if closes:
            sys.stdout.close()
        else:
            print("the reader is gone")

    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        with pytest.raises(SystemExit) as ended:
            tell.main([])
    assert ended.value.code == status


@pytest.mark.parametrize(("more", "is_cut"), [(0, False), (1, True)])
def test_a_long_line_of_a_message_is_cut(more: int, is_cut: bool) -> None:
    @command()
    def fail() -> None:
        raise click.ClickException("x" * (MAX_LINE + more))

    done = CliRunner().invoke(fail)
    assert done.exit_code == 1
    assert ("x...x" in done.stderr) is is_cut


def make_failing(error: BaseException) -> click.Command:
    @command()
    def fail() -> None:
        raise error

    return fail


def wrap_in_groups(error: BaseException) -> BaseException:
    return BaseExceptionGroup("outer", [BaseExceptionGroup("inner", [error])])


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError("a bug"), "RuntimeError: a bug"),
        (ImportError("no such module"), "ImportError: no such module"),
        (KeyError(), "KeyError"),
        (ValueError("two\nlines, \x1b[31mred"), "ValueError: two\\nlines, \\x1b[31mred"),
        (ValueError("long" * 1000), "ValueError: longlong"),
        (
            ExceptionGroup("outer", [ExceptionGroup("inner", [ValueError("first"), KeyError()])]),
            "ValueError: first",
        ),
        (BaseExceptionGroup("both", [KeyboardInterrupt(), ValueError("a bug")]), "ValueError: a bug"),
    ],
)
def test_an_internal_error_is_one_line_with_advice(error: BaseException, words: str) -> None:
    done = CliRunner().invoke(make_failing(error))
    assert (done.exit_code, done.stdout) == (ExitStatus.ABORTED, "")
    assert done.stderr.startswith(f"Error: internal error: {words}")
    assert done.stderr.endswith(
        ". Please report it with the traceback, which QUORIDOR_TRACEBACK=1 in the environment shows.\n"
    )
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) < 400


def test_the_line_tells_where_in_this_project_it_happened() -> None:
    @command()
    def fail() -> None:
        join_words([])

    assert " (quoridor_net/players/greeting.py:" in CliRunner().invoke(fail).stderr


def test_the_traceback_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TRACEBACK, "1")
    done = CliRunner().invoke(make_failing(wrap_in_groups(ValueError("\x1b[31mred"))))
    first, *_, last = done.stderr.splitlines()
    assert done.exit_code == ExitStatus.ABORTED
    assert first == "  + Exception Group Traceback (most recent call last):"
    assert last.startswith("Error: internal error: ValueError")
    assert "\x1b" not in done.stderr


def test_an_error_in_a_task_is_reported_like_any_other() -> None:
    async def crash() -> None:
        raise ValueError("in a task")

    async def work() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(crash)
            await trio.sleep_forever()

    @command()
    def fail() -> None:
        trio.run(work)

    done = CliRunner().invoke(fail)
    assert done.exit_code == ExitStatus.ABORTED
    assert done.stderr.startswith("Error: internal error: ValueError: in a task")


def test_an_error_in_a_thread_is_reported_and_ends_nothing_else() -> None:
    def crash() -> None:
        raise ValueError("in a thread")

    @command()
    def go_on() -> None:
        thread = threading.Thread(target=crash)
        thread.start()
        thread.join()
        click.echo("done")

    before = threading.excepthook
    done = CliRunner().invoke(go_on)
    assert (done.exit_code, done.stdout) == (ExitStatus.DONE, "done\n")
    assert done.stderr.startswith("Error: internal error: ValueError: in a thread")
    assert threading.excepthook is before


@pytest.mark.parametrize(
    ("ending", "status", "words"),
    [
        (KeyboardInterrupt(), 1, "\nAborted!\n"),
        (SystemExit(3), 3, ""),
        (click.ClickException("it is full."), 1, "Error: it is full.\n"),
    ],
)
def test_commands_end_as_usual_when_a_nursery_wrapped_it(
    ending: BaseException, status: int, words: str
) -> None:
    alone, grouped = (CliRunner().invoke(make_failing(error)) for error in (ending, wrap_in_groups(ending)))
    assert (alone.exit_code, alone.stderr) == (status, words)
    assert (grouped.exit_code, grouped.stderr) == (status, words)


@pytest.mark.parametrize(
    "module",
    [
        "quoridor_net.cli.main",
        "server.command",
        "server.clobber.command",
        "client.command",
        "client.clobber.command",
    ],
)
def test_every_program_reports_errors_this_way(module: str) -> None:
    assert isinstance(import_module(module).main, PreparedCommand)


def test_a_module_that_cannot_be_imported_is_reported_this_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_module: str) -> None:
        raise AttributeError("a library changed")

    monkeypatch.setattr(start_module, "load", refuse)
    with pytest.raises(SystemExit) as ended:
        start_module.start("server.command")
    assert ended.value.code == ExitStatus.ABORTED
    assert capsys.readouterr().err.startswith("Error: internal error: AttributeError: a library changed")


def test_a_missing_library_is_named_with_a_way_to_install_it() -> None:
    with pytest.raises(SystemExit) as ended:
        start_module.start("no_such_library.main")
    assert str(ended.value.code).startswith(
        "Error: no_such_library is not installed for this Python. Run 'make demo' once, then "
    )


def test_a_session_on_standard_streams_reports_errors_this_way() -> None:
    class Broken:
        async def run(self, *_streams: object) -> None:
            raise ZeroDivisionError("oops")

    @command()
    def answer() -> None:
        run_on_standard_streams(Broken)  # type: ignore[arg-type]

    done = CliRunner().invoke(answer)
    assert done.exit_code == ExitStatus.ABORTED
    assert done.stderr.startswith("Error: internal error: ZeroDivisionError: oops")
