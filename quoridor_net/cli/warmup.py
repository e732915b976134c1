"""``quoridor warmup``: compiles the engine ahead of time."""

from __future__ import annotations

import click

from quoridor_net.cli.command import command


@command()
def warmup() -> None:
    """Compile the engine ahead of time.

    This takes about 15 seconds the first time, and about a second after that. Without it, the first game
    begins while the engine compiles.
    """
    # Imported here because loading the engine would delay the help.
    from quoridor_net.engine import warm_up

    warm_up(click.echo)
    click.echo("The engine is compiled.")
