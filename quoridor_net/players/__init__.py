"""Where moves come from: people, engines, programs and move servers, behind one interface."""

from quoridor_net.players.base import (
    Eliminated,
    Moved,
    News,
    Over,
    Player,
    PlayerFault,
    Seating,
)

__all__ = ["Eliminated", "Moved", "News", "Over", "Player", "PlayerFault", "Seating"]
