"""Where moves of Clobber come from: people, engines, and clients of the 2006 protocol."""

from quoridor_net.players.clobber.base import ClobberPlayer, Moved, Over, PlayerEvent

__all__ = ["ClobberPlayer", "Moved", "Over", "PlayerEvent"]
