"""The engine's kernels: their decorators, their clock, and the bit operations that numba lacks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from quoridor_net.engine.jit import CLOCK, TELLS_TIME, KernelCache, read_clock
from quoridor_net.engine.layout import DEADLINE, NOW

_TRUE = ir.Constant(ir.IntType(1), 1)

#: Kernels make no arrays: whoever calls them keeps theirs alive, so that counting references would only cost
#: time, more than a tenth of a search.
CACHE = KernelCache(Path(__file__).parent, error_model="numpy", _nrt=False)

kernel = CACHE.kernel
#: For functions that call themselves. They must not pass themselves constants, and no other kernel may call
#: them.
recursive = CACHE.typed

if TELLS_TIME:

    @kernel
    def is_late(memory: Any) -> int:
        """Return 1 if it is time to stop, else 0."""
        if memory[DEADLINE] == 0:
            return 0
        read_clock(CLOCK, memory[NOW:].ctypes)
        return 1 if memory[NOW] * 1_000_000_000 + memory[NOW + 1] >= memory[DEADLINE] else 0

else:

    @kernel
    def is_late(memory: Any) -> int:
        """Return 0, as the kernel cannot know; no deadline is negative."""
        return 1 if memory[DEADLINE] < 0 else 0


def _population(_typing: Any, _value: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _trailing(_typing: Any, _value: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _TRUE)

    return types.int64(types.int64), generate


#: Number of bits set in a word.
population: Callable[[int], int] = cast("Callable[[int], int]", intrinsic(_population))
#: Number of the lowest bit set in a word that is not zero.
trailing: Callable[[int], int] = cast("Callable[[int], int]", intrinsic(_trailing))
