"""The referee: games between two engine programs under enforced limits, with verdicts and statistics."""

from .games import GameRecord, Side
from .referee import Referee
from .settings import RefereeSettings

__all__ = ["GameRecord", "Referee", "RefereeSettings", "Side"]
