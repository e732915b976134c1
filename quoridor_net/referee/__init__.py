"""The referee: games between two engine programs under enforced limits, with verdicts and statistics."""

from quoridor_net.referee.games import GameRecord, Side
from quoridor_net.referee.referee import Referee
from quoridor_net.referee.score import Score
from quoridor_net.referee.settings import RefereeSettings

__all__ = ["GameRecord", "Referee", "RefereeSettings", "Score", "Side"]
