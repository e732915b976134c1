"""The decorator of the kernels that play and read training games, which call kernels of the engine."""

from __future__ import annotations

from pathlib import Path

from quoridor_net.engine import jit
from quoridor_net.jit.cache import KernelCache

CACHE = KernelCache(Path(__file__).parent, Path(jit.__file__).parent, **jit.OPTIONS)

kernel = CACHE.kernel
