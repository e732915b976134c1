"""The Quoridor engine: a search for two and four players, and the kernel in numba it runs on.

Importing this package is cheap: numba is imported when a :class:`Searcher` is made, or by :func:`warm_up`,
which compiles everything beforehand.
"""

from quoridor_net.engine.compilation import warm_up
from quoridor_net.engine.engine import Engine
from quoridor_net.engine.limits import Analysis, Choice, Limits
from quoridor_net.engine.searcher import Searcher
from quoridor_net.engine.stream import AnalysisStream

__all__ = ["Analysis", "AnalysisStream", "Choice", "Engine", "Limits", "Searcher", "warm_up"]
