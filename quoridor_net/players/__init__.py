"""Sources of moves behind one interface: engines, programs and move servers."""

from quoridor_net.outcome import ForfeitError
from quoridor_net.players.base import Clock, DrawAgreedError, Player, Seating, TakeBackError

__all__ = ["Clock", "DrawAgreedError", "ForfeitError", "Player", "Seating", "TakeBackError"]
