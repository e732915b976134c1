"""The Quoridor engine: a search for two and four players, and the kernel in numba it runs on.

:class:`Engine` is the way in. Importing this package is cheap: the first search imports numba, or
:func:`warm_up` does, which compiles everything beforehand.
"""

from quoridor_net.engine.compilation import warm_up
from quoridor_net.engine.engine import Engine
from quoridor_net.engine.limits import Analysis, Choice, Limits
from quoridor_net.engine.stream import AnalysisStream

__all__ = ["Analysis", "AnalysisStream", "Choice", "Engine", "Limits", "warm_up"]
