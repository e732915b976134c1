"""The checker: shows authors which sentence of a document their server, client or engine breaks.

Each kind of program's checks are loaded on first use, so that the commands start quickly.
"""

from typing import TYPE_CHECKING

from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report, Rule, Severity, WireLine
from quoridor_net.lazy import load_on_first_use

if TYPE_CHECKING:
    from quoridor_net.check.athens.run import check_engine
    from quoridor_net.check.lan_client.run import check_client
    from quoridor_net.check.lan_server.run import check_launched_server, check_server
    from quoridor_net.check.olympiad.run import check_clobber
    from quoridor_net.check.replay import check_replay

__all__ = [
    "CheckOutcome",
    "CheckVerdict",
    "Finding",
    "Report",
    "Rule",
    "Severity",
    "WireLine",
    "check_client",
    "check_clobber",
    "check_engine",
    "check_launched_server",
    "check_replay",
    "check_server",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_first_use(
        __name__,
        {
            "athens.run": ("check_engine",),
            "lan_client.run": ("check_client",),
            "lan_server.run": ("check_launched_server", "check_server"),
            "olympiad.run": ("check_clobber",),
            "replay": ("check_replay",),
        },
    )
