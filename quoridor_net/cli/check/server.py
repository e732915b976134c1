"""``quoridor check server``: check a move server of the 2016 protocol."""

from __future__ import annotations

from functools import partial

import click

from quoridor_net.check.lan_server.run import check_server
from quoridor_net.check.lan_server.server import GAP, Patience
from quoridor_net.check.repeat import write_server_script
from quoridor_net.cli import options
from quoridor_net.cli.check.reporting import MOVE_TIME, Reporting, reports, run
from quoridor_net.cli.command import command
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.players.greeting import connect

#: Time to keep retrying a server that has just ended a game, in seconds.
CONNECT_TIME = 1.0


@command()
@options.server_argument("address", metavar="HOST:PORT")
@click.option(
    "--move-time",
    type=options.SECONDS,
    default=MOVE_TIME,
    show_default=True,
    help="Time limit for the server's name and for each move, in seconds.",
)
@options.gap(GAP)
@reports("lan_server")
def server(address: Endpoint, move_time: float, gap: float, reporting: Reporting) -> None:
    """Check the move server at HOST:PORT.

    In games of two and four, the checker is the client and all other players. It opens one connection at a
    time.
    """
    reporting.begin(f"Checking the move server at {address} against the document of 2016:")
    check = partial(
        check_server,
        partial(connect, address, CONNECT_TIME),
        f"move server {address}",
        Patience(move_time, gap),
        reporting.progress,
        reporting.only,
        reporting.transcript,
    )
    run(check, reporting, lambda finding: write_server_script(finding, str(address), move_time))
