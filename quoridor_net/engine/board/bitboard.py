"""Bitboards: sets of squares or of wall anchors as one 128-bit number.

Square and anchor (c, r) are bit ``r * size + c``. numba has no integers of more than 64 bits, so kernels get
a type of their own, with ``&``, ``|``, ``^``, ``~``, ``<<``, ``>>`` and a truth value. LLVM keeps it in two
registers. In records a bitboard is two 64-bit words, the low one first.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeAlias, cast

from llvmlite import ir
from numba.core import types
from numba.core.extending import intrinsic, lower_builtin, register_model
from numba.core.typing import templates
from numba.core.typing.templates import AbstractTemplate
from numba.extending import models

from quoridor_net.jit.arrays import Words

#: Kernels see the type below; for a type checker it is an integer.
Bitboard: TypeAlias = int

# numba has no types for these.
_infer_global: Any = templates.infer_global
_signature: Any = templates.signature
_lower_builtin: Any = lower_builtin

_WIDE = ir.IntType(128)
_LONG = ir.IntType(64)
_TRUE = ir.Constant(ir.IntType(1), 1)


class _BitboardType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Bitboard")


BITBOARD = _BitboardType()


@register_model(_BitboardType)
class _BitboardModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _WIDE)  # type: ignore[no-untyped-call]


def _define(operation: Any, result: Any, second: Any, emit: Callable[..., Any]) -> None:
    """Define ``operation`` for kernels on a bitboard and, unless ``second`` is None, on a second type."""
    arguments = (BITBOARD,) if second is None else (BITBOARD, second)

    class Template(AbstractTemplate):
        def generic(self, given: Any, _named: Any) -> Any:
            if len(given) != len(arguments) or given[0] != BITBOARD:
                return None
            if second is BITBOARD and given[1] != BITBOARD:
                return None
            if second is types.int64 and not isinstance(given[1], types.Integer):
                return None
            return _signature(result, *arguments)

    _infer_global(operation)(Template)

    def lower(_context: Any, builder: Any, _kind: Any, values: Any) -> Any:
        return emit(builder, *values)

    _lower_builtin(operation, *arguments)(lower)


def _places(builder: Any, number: Any) -> Any:
    """Return ``number`` as a shift count, limited so that LLVM knows that it is small."""
    return builder.zext(builder.and_(number, ir.Constant(_LONG, 63)), _WIDE)


def _is_any(builder: Any, board: Any) -> Any:
    return builder.icmp_unsigned("!=", board, ir.Constant(_WIDE, 0))


for _operations, _emit in (
    ((operator.and_, operator.iand), lambda builder, one, two: builder.and_(one, two)),
    ((operator.or_, operator.ior), lambda builder, one, two: builder.or_(one, two)),
    ((operator.xor, operator.ixor), lambda builder, one, two: builder.xor(one, two)),
):
    for _operation in _operations:
        _define(_operation, BITBOARD, BITBOARD, _emit)
for _operations, _emit in (
    ((operator.lshift, operator.ilshift), lambda builder, one, two: builder.shl(one, _places(builder, two))),
    ((operator.rshift, operator.irshift), lambda builder, one, two: builder.lshr(one, _places(builder, two))),
):
    for _operation in _operations:
        _define(_operation, BITBOARD, types.int64, _emit)
_define(operator.invert, BITBOARD, None, lambda builder, board: builder.not_(board))
_define(bool, types.boolean, None, _is_any)


def _empty(_typing: Any) -> Any:
    return BITBOARD(), lambda _context, _builder, _signature, _values: ir.Constant(_WIDE, 0)


def _square(_typing: Any, _number: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        places = builder.and_(values[0], ir.Constant(_LONG, 127))
        return builder.shl(ir.Constant(_WIDE, 1), builder.zext(places, _WIDE))

    return BITBOARD(types.int64), generate


def _holds(_typing: Any, _board: Any, _number: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        places = builder.and_(values[1], ir.Constant(_LONG, 127))
        moved = builder.lshr(values[0], builder.zext(places, _WIDE))
        return builder.trunc(moved, ir.IntType(1))

    return types.boolean(BITBOARD, types.int64), generate


def _count(_typing: Any, _board: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.trunc(builder.ctpop(values[0]), _LONG)

    return types.int64(BITBOARD), generate


def _lowest(_typing: Any, _board: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.trunc(builder.cttz(values[0], _TRUE), _LONG)

    return types.int64(BITBOARD), generate


def _without_lowest(_typing: Any, _board: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.and_(values[0], builder.sub(values[0], ir.Constant(_WIDE, 1)))

    return BITBOARD(BITBOARD), generate


def _low_word(_typing: Any, _board: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.trunc(values[0], _LONG)

    return types.uint64(BITBOARD), generate


def _high_word(_typing: Any, _board: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.trunc(builder.lshr(values[0], ir.Constant(_WIDE, 64)), _LONG)

    return types.uint64(BITBOARD), generate


def _pointer(context: Any, builder: Any, kind: Any, words: Any) -> Any:
    data = context.make_array(kind)(context, builder, value=words).data
    return builder.bitcast(data, _WIDE.as_pointer())


def _load(_typing: Any, _words: Any) -> Any:
    def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
        board = builder.load(_pointer(context, builder, signed.args[0], values[0]))
        board.align = 8
        return board

    return BITBOARD(_words), generate


def _store(_typing: Any, _words: Any, _board: Any) -> Any:
    def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
        stored = builder.store(values[1], _pointer(context, builder, signed.args[0], values[0]))
        stored.align = 8
        return context.get_dummy_value()

    return types.void(_words, BITBOARD), generate


#: ``empty()`` returns the empty set.
empty = cast("Callable[[], Bitboard]", intrinsic(_empty))
#: ``square(number)`` returns the set of one square.
square = cast("Callable[[int], Bitboard]", intrinsic(_square))
#: ``holds(board, number)`` returns whether the square is in the set.
holds = cast("Callable[[Bitboard, int], bool]", intrinsic(_holds))
#: ``count(board)`` returns the number of squares.
count = cast("Callable[[Bitboard], int]", intrinsic(_count))
#: ``lowest(board)`` returns the lowest square number in a non-empty set.
lowest = cast("Callable[[Bitboard], int]", intrinsic(_lowest))
#: ``without_lowest(board)`` returns the set without that square.
without_lowest = cast("Callable[[Bitboard], Bitboard]", intrinsic(_without_lowest))
#: ``load(words)`` reads the set from two words of a record.
load = cast("Callable[[Words], Bitboard]", intrinsic(_load))
#: ``store(words, board)`` writes the set to them.
store = cast("Callable[[Words, Bitboard], None]", intrinsic(_store))
#: ``low_word(board)`` and ``high_word(board)`` return the halves as unsigned numbers.
low_word = cast("Callable[[Bitboard], int]", intrinsic(_low_word))
high_word = cast("Callable[[Bitboard], int]", intrinsic(_high_word))
