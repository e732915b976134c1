"""``quoridor clobber``: the tournament server and the client of the 2006 Clobber protocol."""

from __future__ import annotations

from quoridor_net.cli.lazy_group import Lazy, lazy_group

COMMANDS = {
    "play": Lazy("client/clobber.command:main", "Play in a Clobber tournament."),
    "serve": Lazy("server/clobber.command:main", "Run a Clobber tournament."),
}


@lazy_group(COMMANDS)
def clobber() -> None:
    """Play Clobber over the protocol of the 2006 Computer Olympiad."""
