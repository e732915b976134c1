"""What all commands of this project share: help by ``-h``, and errors that can be shown anywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.shortage import shortage
from quoridor_net.output import Output, discard_unwritten, prepare_streams
from quoridor_net.text import visible

#: Most characters of a line of an error message.
MAX_LINE = 600

SETTINGS = {"help_option_names": ["-h", "--help"]}


class PreparedCommand(click.Command):
    """A command that never fails for a character, and says in one line what the machine is short of.

    Its streams take all characters, and its error messages, which quote what was typed, steer no terminal.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program; see :meth:`click.Command.main`."""
        prepare_streams()
        try:
            try:
                return super().main(*args, **kwargs)
            finally:
                # The rest of the output is written now, while the status can still say that nobody read it.
                if not sys.stdout.closed:
                    with _closed_pipe():
                        sys.stdout.flush()
        except Exception as error:
            told = shortage(error)
            if told is None:
                raise
            sentence, status = told
            Output(sys.stderr).write_line(f"Error: {sentence}.")
            discard_unwritten(sys.stdout)
            sys.exit(status)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the arguments; see :meth:`click.Command.make_context`."""
        with _closed_pipe(), _visible_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run with the arguments in ``ctx``; see :meth:`click.Command.invoke`."""
        with _closed_pipe(), _visible_errors():
            return super().invoke(ctx)


def _shown(line: str) -> str:
    """Return a line of a message as it can be shown: click repeats what was typed, however long it is."""
    line = visible(line)
    half = MAX_LINE // 2
    return line if len(line) <= MAX_LINE else f"{line[:half]}...{line[-half:]}"


@contextmanager
def _visible_errors() -> Iterator[None]:
    try:
        yield
    except click.ClickException as error:
        # Declared final, but there is no other place from which all kinds of errors take their words.
        vars(error)["message"] = "\n".join(map(_shown, error.message.split("\n")))
        raise


@contextmanager
def _closed_pipe() -> Iterator[None]:
    """End the program like others whose reader went away, which click takes for an error."""
    try:
        yield
    except BrokenPipeError:
        discard_unwritten(sys.stdout)
        sys.exit(ExitStatus.PIPE_CLOSED)


def command(epilog: str | None = None) -> Callable[[Callable[..., None]], click.Command]:
    """Make a decorator that turns a function into a command; its docstring is the help."""
    return click.command(cls=PreparedCommand, context_settings=SETTINGS, epilog=epilog)
