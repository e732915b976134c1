"""``quoridor warmup``: compile the engine ahead of time."""

from __future__ import annotations

import click

from quoridor_net.cli.command import command


@command()
def warmup() -> None:
    """Compile the engine, so that the first server or program that uses it need not.

    It takes about 15 seconds once, and about a second when it was done before.
    """
    # Imported here, so that asking for help does not wait for it.
    from quoridor_net.engine import warm_up

    warm_up(click.echo)
    click.echo("The engine is compiled.")
