"""Where moves come from: people, engines, programs and move servers, behind one interface."""

from quoridor_net.outcome import ForfeitError
from quoridor_net.players.base import Eliminated, Moved, News, Over, Player, Seating

__all__ = ["Eliminated", "ForfeitError", "Moved", "News", "Over", "Player", "Seating"]
