"""The decorators of the engine's kernels, and the deadline check of all its searches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from quoridor_net.jit.cache import KernelCache
from quoridor_net.jit.clock import is_past_deadline

if TYPE_CHECKING:
    from quoridor_net.engine.board.state import SearchState

#: Kernels create no arrays, and their callers keep theirs alive. Reference counts would only cost time, more
#: than a tenth of a search.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
CACHE = KernelCache(Path(__file__).parent, **OPTIONS)

kernel = CACHE.kernel
#: The decorator of functions that call themselves. They must not pass constants to themselves, and no other
#: kernel may call them.
recursive = CACHE.typed


@kernel
def is_late(state: SearchState) -> bool:
    """Return whether it is time to stop."""
    return is_past_deadline(state.clock, 0)
