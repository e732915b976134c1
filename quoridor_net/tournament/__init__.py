"""Tournaments of any game: schedule, runner, standings, ratings, and the journal that survives a crash.

Nothing here knows which game is played: an application brings a callable that plays one pairing.
"""

from quoridor_net.tournament.events import (
    Event,
    GameEvent,
    Listener,
    Setting,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
)
from quoridor_net.tournament.journal import Journal, JournalError, read_journal
from quoridor_net.tournament.ratings import EloDifference, Score
from quoridor_net.tournament.runner import play_tournament
from quoridor_net.tournament.schedule import Pairing, round_robin, unique_names
from quoridor_net.tournament.standings import (
    Crosstable,
    GameResult,
    Standing,
    crosstable,
    points_of,
    standings,
)
from quoridor_net.tournament.state import StateError, TournamentState

__all__ = [
    "Crosstable",
    "EloDifference",
    "Event",
    "GameEvent",
    "GameResult",
    "Journal",
    "JournalError",
    "Listener",
    "Pairing",
    "Score",
    "Setting",
    "Standing",
    "StateError",
    "TournamentEnded",
    "TournamentResumed",
    "TournamentStarted",
    "TournamentState",
    "crosstable",
    "play_tournament",
    "points_of",
    "read_journal",
    "round_robin",
    "standings",
    "unique_names",
]
