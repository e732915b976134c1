"""Operations on columns of ``UNITS`` numbers that numba would not turn into vector instructions by itself.

A column is given by the place where it begins. Sums stay at the largest number of 16 bits rather than begin
anew below zero; none comes near it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from quoridor_net.engine.network import ONE, UNITS
from quoridor_net.engine.words import Numbers

_SHORT = ir.IntType(16)
_LONG = ir.IntType(32)
_COLUMN = ir.VectorType(_SHORT, UNITS)
_HALF = ir.VectorType(_LONG, UNITS // 2)
_BYTES = 2


def _pointer(context: Any, builder: Any, signature: Any, array: Any, place: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, value=array).data
    return builder.bitcast(builder.gep(data, [place]), _COLUMN.as_pointer())


def _load(context: Any, builder: Any, signature: Any, array: Any, place: Any) -> Any:
    column = builder.load(_pointer(context, builder, signature, array, place))
    column.align = _BYTES
    return column


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kinds = [argument.type for argument in arguments]
    function = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
        builder.module, ir.FunctionType(result, kinds), name
    )
    return builder.call(function, arguments)


def _sum(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array, first, *rest = arguments
    total = _load(context, builder, signature, array, first)
    for place in rest:
        column = _load(context, builder, signature, array, place)
        total = _call(builder, f"llvm.sadd.sat.v{UNITS}i16", _COLUMN, total, column)
    return total


def _store(context: Any, builder: Any, signature: Any, arguments: Any, column: Any) -> Any:
    stored = builder.store(column, _pointer(context, builder, signature, arguments[0], arguments[1]))
    stored.align = _BYTES
    return context.get_dummy_value()


def _generate_add(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    total = _sum(context, builder, signature, (arguments[0], *arguments[2:]))
    return _store(context, builder, signature, arguments, total)


def _generate_activate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    total = _sum(context, builder, signature, (arguments[0], *arguments[2:]))
    for bound, sign in ((0, "<"), (ONE, ">")):
        limit = ir.Constant(_COLUMN, [ir.Constant(_SHORT, bound)] * UNITS)
        total = builder.select(builder.icmp_signed(sign, total, limit), limit, total)
    return _store(context, builder, signature, arguments, total)


def _generate_weigh(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    active = _load(context, builder, signature, arguments[0], arguments[1])
    weights = _sum(context, builder, signature, (arguments[0], *arguments[2:]))
    # Products of neighbours are added first: processors have one instruction for that.
    products = []
    for first in (0, 1):
        places = ir.Constant(_HALF, [ir.Constant(_LONG, place) for place in range(first, UNITS, 2)])
        halves = [
            builder.sext(builder.shuffle_vector(column, ir.Constant(_COLUMN, ir.Undefined), places), _HALF)
            for column in (active, weights)
        ]
        products.append(builder.mul(*halves))
    total = _call(builder, f"llvm.vector.reduce.add.v{UNITS // 2}i32", _LONG, builder.add(*products))
    return builder.sext(total, ir.IntType(64))


def _add(_typing: Any, numbers: Any, to: Any, one: Any, two: Any) -> Any:
    return types.void(numbers, to, one, two), _generate_add


def _add_four(
    _typing: Any, numbers: Any, to: Any, start: Any, one: Any, two: Any, three: Any, four: Any
) -> Any:
    return types.void(numbers, to, start, one, two, three, four), _generate_add


def _activate(
    _typing: Any, numbers: Any, to: Any,
    a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any,
) -> Any:  # fmt: skip
    return types.void(numbers, to, a, b, c, d, e, f, g, h, i), _generate_activate


def _add_six(_typing: Any, numbers: Any, to: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
    return types.void(numbers, to, a, b, c, d, e, f), _generate_add


def _weigh(_typing: Any, numbers: Any, active: Any, weights: Any) -> Any:
    return types.int64(numbers, active, weights), _generate_weigh


def _weigh_two(_typing: Any, numbers: Any, active: Any, one: Any, two: Any) -> Any:
    return types.int64(numbers, active, one, two), _generate_weigh


def _weigh_three(_typing: Any, numbers: Any, active: Any, one: Any, two: Any, three: Any) -> Any:
    return types.int64(numbers, active, one, two, three), _generate_weigh


#: ``add(numbers, to, one, two)`` writes the sum of two columns.
add = cast("Callable[[Numbers, int, int, int], None]", intrinsic(_add))
#: ``add_four(numbers, to, start, ...)`` writes the sum of a column and four more.
add_four = cast("Callable[[Numbers, int, int, int, int, int, int], None]", intrinsic(_add_four))
#: ``add_six(numbers, to, ...)`` writes the sum of six columns.
add_six = cast("Callable[[Numbers, int, int, int, int, int, int, int], None]", intrinsic(_add_six))
#: ``activate(numbers, to, ...)`` writes the sum of nine columns, cut off below 0 and above ``ONE``.
activate = cast(
    "Callable[[Numbers, int, int, int, int, int, int, int, int, int, int], None]", intrinsic(_activate)
)
#: ``weigh(numbers, active, weights)`` returns the sum of the products of two columns.
weigh = cast("Callable[[Numbers, int, int], int]", intrinsic(_weigh))
#: The same for the sum of two columns of weights.
weigh_two = cast("Callable[[Numbers, int, int, int], int]", intrinsic(_weigh_two))
#: The same for the sum of three columns of weights.
weigh_three = cast("Callable[[Numbers, int, int, int, int], int]", intrinsic(_weigh_three))
