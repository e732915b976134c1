"""One game between players: the loop, its verdicts and its events."""

from quoridor_net.events import (
    Event,
    GameEnded,
    GameStarted,
    Listener,
    MatchEvent,
    MatchListener,
    MoveMade,
    MoveRequested,
    MovesTakenBack,
    PlayerOut,
    TurnPassed,
)
from quoridor_net.match.match_game import MatchSettings
from quoridor_net.match.recording import ReplayListener
from quoridor_net.match.runner import play_match
from quoridor_net.outcome import Result

__all__ = [
    "Event",
    "GameEnded",
    "GameStarted",
    "Listener",
    "MatchEvent",
    "MatchListener",
    "MatchSettings",
    "MoveMade",
    "MoveRequested",
    "MovesTakenBack",
    "PlayerOut",
    "ReplayListener",
    "Result",
    "TurnPassed",
    "play_match",
]
