"""The engine front end: players of this project, and LAN move servers, as Athens engines."""

from server.athens.session import MoveSource, Session
from server.athens.thinker import Thinker

__all__ = ["MoveSource", "Session", "Thinker"]
