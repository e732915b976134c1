"""The checker: shows authors which sentence of a document their server, client or engine breaks.

Each kind of program's checks are loaded on first use, so that the commands start quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Finding, Report, Rule, Severity, WireLine

if TYPE_CHECKING:
    from quoridor_net.check.athens.run import check_engine
    from quoridor_net.check.lan_client.run import check_client
    from quoridor_net.check.lan_server.run import check_launched_server, check_server
    from quoridor_net.check.olympiad.run import check_clobber
    from quoridor_net.check.replay import check_replay

#: The module that defines each check.
_HOMES = {
    "check_client": "lan_client.run",
    "check_clobber": "olympiad.run",
    "check_engine": "athens.run",
    "check_launched_server": "lan_server.run",
    "check_replay": "replay",
    "check_server": "lan_server.run",
}

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

# Hidden from type checkers, so that they report misspelled names.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return value
