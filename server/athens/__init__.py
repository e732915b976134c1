"""The engine front end: this project's players and LAN move servers as Athens engines."""

from .session import ControllerSession
from .thinker import Thinker

__all__ = ["ControllerSession", "Thinker"]
