"""The engine front end: players of this project, and LAN move servers, as Athens engines."""

from quoridor_net.frontend.session import MoveSource, Session
from quoridor_net.frontend.thinker import Thinker

__all__ = ["MoveSource", "Session", "Thinker"]
