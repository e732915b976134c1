"""The checker: shows authors which sentence of a document their server, client or engine breaks."""

from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report, Rule, Severity, WireLine
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
