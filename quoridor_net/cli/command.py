"""The base class of all commands: ``-h`` for help, and error messages that any terminal can show."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.leaving import leave
from quoridor_net.cli.unexpected import report, report_threads
from quoridor_net.output import discard_unwritten, prepare_streams
from quoridor_net.text import visible

#: Maximum length of a line of an error message, in characters.
MAX_LINE = 600

# Ctrl-C, a closed pipe, and the exceptions with which commands end.
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
    """A command that reports any unexpected error in one line.

    It escapes characters that the output cannot encode, and control characters in quoted arguments.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program; see :meth:`click.Command.main`."""
        prepare_streams()
        try:
            with report_threads():
                try:
                    return super().main(*args, **kwargs)
                finally:
                    # Flush now, while the exit status can still report a closed pipe.
                    if not sys.stdout.closed:
                        with _exit_on_closed_pipe():
                            sys.stdout.flush()
        except (Exception, BaseExceptionGroup) as error:
            leave(report(error))

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the arguments; see :meth:`click.Command.make_context`."""
        with _exit_on_closed_pipe(), _make_errors_printable(), self._explain_missing_dashes(list(args)):
            return super().make_context(info_name, args, parent, **extra)

    @contextmanager
    def _explain_missing_dashes(self, args: Sequence[str]) -> Iterator[None]:
        """Add to an error about an option that it may belong to a program whose command is an argument."""
        try:
            yield
        except click.UsageError as error:
            metavars = " ".join(
                param.metavar or "" for param in self.params if isinstance(param, click.Argument)
            )
            is_option = isinstance(error, click.NoSuchOption | click.BadOptionUsage) or isinstance(
                getattr(error, "param", None), click.Option
            )
            words = [arg for arg in args if not arg.startswith("-")]
            # An address alone is not a command.
            is_command = "COMMAND" in metavars and len(words) > ("HOST:PORT" in metavars)
            if is_command and is_option and "--" not in args:
                what = "If that is an option of your program"
                vars(error)["message"] = f"{error.message.rstrip('.')}. {what}, put -- before its command."
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run with the arguments in ``ctx``; see :meth:`click.Command.invoke`."""
        with _exit_on_closed_pipe(), _make_errors_printable(), _unwrap_exits():
            return super().invoke(ctx)


def _abbreviate(line: str) -> str:
    """Return a line of a message that fits a terminal: click quotes arguments of any length."""
    line = visible(line)
    half = MAX_LINE // 2
    return line if len(line) <= MAX_LINE else f"{line[:half]}...{line[-half:]}"


@contextmanager
def _make_errors_printable() -> Iterator[None]:
    try:
        yield
    except click.ClickException as error:
        # The attribute is declared final, but every kind of error takes its text from it.
        vars(error)["message"] = "\n".join(map(_abbreviate, error.message.split("\n")))
        raise


@contextmanager
def _unwrap_exits() -> Iterator[None]:
    """Unwrap an orderly exit from the groups of nurseries, because click does not look into them."""
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
def _exit_on_closed_pipe() -> Iterator[None]:
    """Exit as after SIGPIPE when the reader is gone; click would report an error."""
    try:
        yield
    except BrokenPipeError:
        discard_unwritten(sys.stdout)
        sys.exit(ExitStatus.PIPE_CLOSED)


def command(epilog: str | None = None) -> Callable[[Callable[..., None]], click.Command]:
    """Return a decorator that turns a function into a command; the docstring becomes the help."""
    return click.command(cls=PreparedCommand, context_settings=SETTINGS, epilog=epilog)
