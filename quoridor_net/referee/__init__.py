"""The referee: games between two engine programs under enforced limits, with verdicts and statistics."""

from quoridor_net.referee.games import GameRecord, Side
from quoridor_net.referee.referee import Referee, RefereeSettings
from quoridor_net.referee.score import Score

__all__ = ["GameRecord", "Referee", "RefereeSettings", "Score", "Side"]
