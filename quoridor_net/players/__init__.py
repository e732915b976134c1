"""Where moves come from: engines, programs and move servers, behind one interface."""

from quoridor_net.outcome import ForfeitError
from quoridor_net.players.base import Clock, Player, Seating, TakeBackError

__all__ = ["Clock", "ForfeitError", "Player", "Seating", "TakeBackError"]
