"""Where moves come from: engines, programs and move servers, behind one interface."""

from quoridor_net.outcome import ForfeitError
from quoridor_net.players.base import (
    Clock,
    Eliminated,
    Moved,
    Over,
    Player,
    PlayerEvent,
    Seating,
    TakeBackError,
    TakenBack,
)

__all__ = [
    "Clock",
    "Eliminated",
    "ForfeitError",
    "Moved",
    "Over",
    "Player",
    "PlayerEvent",
    "Seating",
    "TakeBackError",
    "TakenBack",
]
