"""The engine front end: players of this project, and LAN move servers, as Athens engines."""

from .session import Session
from .thinker import Thinker

__all__ = ["Session", "Thinker"]
