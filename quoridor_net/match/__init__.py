"""One game between players: the loop, its verdicts and its events."""

from quoridor_net.match.events import (
    Event,
    GameEnded,
    GameStarted,
    Listener,
    MoveMade,
    MoveRequested,
    PlayerOut,
    TurnPassed,
)
from quoridor_net.match.match import MatchSettings, play_match
from quoridor_net.outcome import Result

__all__ = [
    "Event",
    "GameEnded",
    "GameStarted",
    "Listener",
    "MatchSettings",
    "MoveMade",
    "MoveRequested",
    "PlayerOut",
    "Result",
    "TurnPassed",
    "play_match",
]
