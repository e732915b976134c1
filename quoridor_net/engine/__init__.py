"""The Quoridor engine: a search for two and four players, and the kernel in numba it runs on.

Importing this package is cheap: numba is imported when a :class:`~quoridor_net.engine.search.Searcher` is made
or by :func:`warm_up`, which compiles everything beforehand.
"""

from quoridor_net.engine.limits import Analysis, Choice, Limits
from quoridor_net.engine.search import Searcher

__all__ = ["Analysis", "Choice", "Limits", "Searcher"]
