"""Tournaments of any game: schedule, runner, standings, ratings, and the journal that survives a crash.

Nothing here knows which game is played: an application brings a callable that plays one pairing.

What single games do without is loaded on first use, so that the commands for them start quickly.
"""

from typing import TYPE_CHECKING

from quoridor_net.lazy import load_on_first_use
from quoridor_net.tournament.errors import StateError
from quoridor_net.tournament.schedule import Pairing, unique_names
from quoridor_net.tournament.standings import (
    ROUND_ROBIN_TIE_BREAKS,
    SWISS_TIE_BREAKS,
    Crosstable,
    EloDifference,
    GameResult,
    SeatScore,
    Standing,
    TieBreak,
    crosstable,
    points_of,
    seat_scores,
    standings,
)

if TYPE_CHECKING:
    from quoridor_net.tournament.events import (
        EntrantAway,
        EntrantBack,
        EntrantJoined,
        EntrantRenewed,
        EntrantReturned,
        EntrantWithdrawn,
        Event,
        GameEvent,
        Listener,
        RoundPaired,
        Setting,
        SettingChanged,
        TournamentEnded,
        TournamentResumed,
        TournamentStarted,
        TournamentStopping,
    )
    from quoridor_net.tournament.journal import Journal, JournalError, read_journal
    from quoridor_net.tournament.ratings import Rating, Ratings, Score, rate
    from quoridor_net.tournament.runner import Award, Play, Tournament
    from quoridor_net.tournament.sprt import Decision, EloModel, Pentanomial, Sprt, Verdict
    from quoridor_net.tournament.state import TournamentState

__all__ = [
    "ROUND_ROBIN_TIE_BREAKS",
    "SWISS_TIE_BREAKS",
    "Award",
    "Crosstable",
    "Decision",
    "EloDifference",
    "EloModel",
    "EntrantAway",
    "EntrantBack",
    "EntrantJoined",
    "EntrantRenewed",
    "EntrantReturned",
    "EntrantWithdrawn",
    "Event",
    "GameEvent",
    "GameResult",
    "Journal",
    "JournalError",
    "Listener",
    "Pairing",
    "Pentanomial",
    "Play",
    "Rating",
    "Ratings",
    "RoundPaired",
    "Score",
    "SeatScore",
    "Setting",
    "SettingChanged",
    "Sprt",
    "Standing",
    "StateError",
    "TieBreak",
    "Tournament",
    "TournamentEnded",
    "TournamentResumed",
    "TournamentStarted",
    "TournamentState",
    "TournamentStopping",
    "Verdict",
    "crosstable",
    "points_of",
    "rate",
    "read_journal",
    "seat_scores",
    "standings",
    "unique_names",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_first_use(
        __name__,
        {
            "events": (
                *("EntrantAway", "EntrantBack", "EntrantJoined", "EntrantRenewed", "EntrantReturned"),
                *("EntrantWithdrawn", "Event", "GameEvent", "Listener", "RoundPaired", "Setting"),
                *("SettingChanged", "TournamentEnded", "TournamentResumed", "TournamentStarted"),
                "TournamentStopping",
            ),
            "journal": ("Journal", "JournalError", "read_journal"),
            "ratings": ("Rating", "Ratings", "Score", "rate"),
            "runner": ("Award", "Play", "Tournament"),
            "sprt": ("Decision", "EloModel", "Pentanomial", "Sprt", "Verdict"),
            "state": ("TournamentState",),
        },
    )
