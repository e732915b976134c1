"""``quoridor check``: show which rules of its document a program breaks."""

from __future__ import annotations

from quoridor_net.cli.lazy_group import Lazy, lazy_group

COMMANDS = {
    "client": Lazy("quoridor_net.cli.check.client:client", "Check a display client of the 2016 protocol."),
    "clobber": Lazy("quoridor_net.cli.check.clobber:clobber", "Check a client of the Clobber protocol."),
    "qtp": Lazy("quoridor_net.cli.check.qtp:qtp", "Check an engine of the Athens protocol."),
    "replay": Lazy("quoridor_net.cli.check.replay:replay", "Check replay files."),
    "server": Lazy("quoridor_net.cli.check.server:server", "Check a move server of the 2016 protocol."),
}


@lazy_group(COMMANDS)
def check() -> None:
    """Show which rules of its document a program breaks.

    Every finding has a code, the sentence of the document, the lines sent and received, and a fix. Exit
    status 0: no finding of severity must. 1: at least one. 3: the program could not be reached or started.
    """
