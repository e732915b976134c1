"""What all commands of this project share: help by ``-h``, and errors that can be shown anywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.unexpected import report, reporting_threads
from quoridor_net.output import discard_unwritten, prepare_streams
from quoridor_net.text import visible

#: Most characters of a line of an error message.
MAX_LINE = 600

# Ctrl-C, a closed pipe, and what commands raise to end themselves.
_EXITS = (
    KeyboardInterrupt,
    SystemExit,
    BrokenPipeError,
    click.ClickException,
    click.exceptions.Exit,
    click.Abort,
)

SETTINGS = {"help_option_names": ["-h", "--help"]}


class PreparedCommand(click.Command):
    """A command that never fails for a character, and reports any unexpected error in one line.

    Its streams take all characters, and its error messages, which quote what was typed, steer no terminal.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program; see :meth:`click.Command.main`."""
        prepare_streams()
        try:
            with reporting_threads():
                try:
                    return super().main(*args, **kwargs)
                finally:
                    # Write the rest of the output now, while the status can still say that nobody read it.
                    if not sys.stdout.closed:
                        with _closed_pipe():
                            sys.stdout.flush()
        except (Exception, BaseExceptionGroup) as error:
            leave(report(error))

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the arguments; see :meth:`click.Command.make_context`."""
        with _closed_pipe(), _visible_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run with the arguments in ``ctx``; see :meth:`click.Command.invoke`."""
        with _closed_pipe(), _visible_errors(), _ungrouped_exits():
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
def _ungrouped_exits() -> Iterator[None]:
    """Take what ends a program in order out of the groups of nurseries: click does not look into them."""
    try:
        yield
    except BaseExceptionGroup as group:
        exits, failures = group.split(_EXITS)
        if exits is None or failures is not None:
            raise
        ending: BaseException = exits
        while isinstance(ending, BaseExceptionGroup):
            ending = ending.exceptions[0]
        raise ending from None


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
