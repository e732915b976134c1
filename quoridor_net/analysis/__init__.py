"""Recorded games analysed by the engine: scores, best lines, winning chances, mistakes."""

from quoridor_net.analysis.chances import chance_of
from quoridor_net.analysis.game_analysis import BestLine, PlyAnalysis, analyse_game
from quoridor_net.analysis.marks import Mark, accuracy_of, mark_of

__all__ = ["BestLine", "Mark", "PlyAnalysis", "accuracy_of", "analyse_game", "chance_of", "mark_of"]
