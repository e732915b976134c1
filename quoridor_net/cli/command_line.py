"""What all programs of this project share at the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from quoridor_net.output import prepare_streams
from quoridor_net.text import visible


class PreparedCommand(click.Command):
    """A command that never fails for a character.

    Its streams take all characters, and its error messages, which quote what was typed, steer no terminal.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program; see :meth:`click.Command.main`."""
        prepare_streams()
        return super().main(*args, **kwargs)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the arguments; see :meth:`click.Command.make_context`."""
        with _visible_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run with the arguments in ``ctx``; see :meth:`click.Command.invoke`."""
        with _visible_errors():
            return super().invoke(ctx)


@contextmanager
def _visible_errors() -> Iterator[None]:
    try:
        yield
    except click.ClickException as error:
        # Declared final, but there is no other place from which all kinds of errors take their words.
        vars(error)["message"] = "\n".join(map(visible, error.message.split("\n")))
        raise
