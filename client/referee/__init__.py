"""The referee: games between two engine programs under enforced limits, with verdicts and statistics."""

from client.referee.games import GameRecord, Side
from client.referee.referee import Referee
from client.referee.score import Score
from client.referee.settings import RefereeSettings

__all__ = ["GameRecord", "Referee", "RefereeSettings", "Score", "Side"]
