"""``quoridor check clobber``: check a client of the 2006 Clobber protocol."""

from __future__ import annotations

from functools import partial

from quoridor_net.check.launching import connecting
from quoridor_net.check.olympiad.run import check_clobber
from quoridor_net.check.repeat import listening_script
from quoridor_net.cli.check.programs import ANSWER_TIME, CLIENT_OF_ONE
from quoridor_net.cli.check.reporting import Reporting, reports, run
from quoridor_net.cli.command import command


@command()
@CLIENT_OF_ONE
@ANSWER_TIME
@reports("olympiad")
def clobber(words: tuple[str, ...], move_time: float, reporting: Reporting) -> None:
    """Check a Clobber client, which is started with COMMAND for every check.

    {address} in COMMAND becomes the HOST:PORT where the checker's server is, {host} and {port} its parts.
    Put -- before COMMAND: quoridor check clobber -- ./client {host} {port}
    """
    reporting.begin("The Clobber client, by the document of 2006:")
    check = partial(
        check_clobber,
        connecting(words, move_time, reporting.hear),
        f"Clobber client {words[0]}",
        move_time,
        reporting.progress,
        reporting.only,
        reporting.transcript,
    )
    run(check, reporting, lambda finding: listening_script(finding, list(words), move_time))
