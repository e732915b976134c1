"""The engine front end: players of this project, and LAN move servers, as Athens engines."""

from .session import ControllerSession
from .thinker import Thinker

__all__ = ["ControllerSession", "Thinker"]
