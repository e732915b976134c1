"""Tournaments of any game: schedule, runner, verdicts, standings, and the journal that survives a crash.

Nothing here knows which game is played: an application brings a callable that plays one pairing.
"""

from quoridor_net.tournament.events import (
    Began,
    Closed,
    Event,
    Finished,
    Listener,
    Opened,
    Played,
    Resumed,
    Setting,
)
from quoridor_net.tournament.journal import Journal, JournalError, read_journal
from quoridor_net.tournament.ledger import Ledger, LedgerError
from quoridor_net.tournament.names import tell_apart
from quoridor_net.tournament.runner import play_schedule
from quoridor_net.tournament.schedule import Pairing, round_robin
from quoridor_net.tournament.standings import Crosstable, Standing, crosstable, standings
from quoridor_net.tournament.verdict import Verdict

__all__ = [
    "Began",
    "Closed",
    "Crosstable",
    "Event",
    "Finished",
    "Journal",
    "JournalError",
    "Ledger",
    "LedgerError",
    "Listener",
    "Opened",
    "Pairing",
    "Played",
    "Resumed",
    "Setting",
    "Standing",
    "Verdict",
    "crosstable",
    "play_schedule",
    "read_journal",
    "round_robin",
    "standings",
    "tell_apart",
]
