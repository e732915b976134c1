"""Operations on columns of ``UNITS`` numbers, which numba would not turn into vector instructions by itself.

A column is an array of one dimension: a row of a table of the network, or sums in an accumulator. Sums stay
at the largest number of 16 bits rather than begin anew below zero; none comes near it.
"""

from __future__ import annotations

from typing import Any, Protocol, cast

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from quoridor_net.engine.evaluation.network import ONE, UNITS
from quoridor_net.jit.arrays import Numbers

_SHORT = ir.IntType(16)
_LONG = ir.IntType(32)
_COLUMN = ir.VectorType(_SHORT, UNITS)
_HALF = ir.VectorType(_LONG, UNITS // 2)
_BYTES = 2


class _Sum(Protocol):
    """An operation that adds up columns and writes what it makes of the sum."""

    def __call__(self, to: Numbers, *columns: Numbers) -> None: ...


class _Product(Protocol):
    """An operation that multiplies a column with the sum of others."""

    def __call__(self, active: Numbers, *weights: Numbers) -> int: ...


def _pointer(context: Any, builder: Any, kind: Any, column: Any) -> Any:
    data = context.make_array(kind)(context, builder, value=column).data
    return builder.bitcast(data, _COLUMN.as_pointer())


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kinds = [argument.type for argument in arguments]
    function = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
        builder.module, ir.FunctionType(result, kinds), name
    )
    return builder.call(function, arguments)


def _load(context: Any, builder: Any, kind: Any, column: Any) -> Any:
    vector = builder.load(_pointer(context, builder, kind, column))
    vector.align = _BYTES
    return vector


def _sum(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return the sum of the columns in the tuple that is the second argument."""
    columns = cgutils.unpack_tuple(builder, arguments[1])  # type: ignore[no-untyped-call]
    total, *rest = (
        _load(context, builder, kind, column) for kind, column in zip(signature.args[1], columns, strict=True)
    )
    for vector in rest:
        total = _call(builder, f"llvm.sadd.sat.v{UNITS}i16", _COLUMN, total, vector)
    return total


def _store(context: Any, builder: Any, signature: Any, arguments: Any, vector: Any) -> Any:
    """Write the vector to the column that is the first argument."""
    stored = builder.store(vector, _pointer(context, builder, signature.args[0], arguments[0]))
    stored.align = _BYTES
    return context.get_dummy_value()


def _generate_add(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    total = _sum(context, builder, signature, arguments)
    return _store(context, builder, signature, arguments, total)


def _generate_activate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    total = _sum(context, builder, signature, arguments)
    for bound, sign in ((0, "<"), (ONE, ">")):
        limit = ir.Constant(_COLUMN, [ir.Constant(_SHORT, bound)] * UNITS)
        total = builder.select(builder.icmp_signed(sign, total, limit), limit, total)
    return _store(context, builder, signature, arguments, total)


def _generate_clear(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    zeros = ir.Constant(_COLUMN, [ir.Constant(_SHORT, 0)] * UNITS)
    return _store(context, builder, signature, arguments, zeros)


def _generate_dot(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    active = _load(context, builder, signature.args[0], arguments[0])
    weights = _sum(context, builder, signature, arguments)
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


def _tuple_of(kinds: Any) -> Any:
    """Return the type in which numba hands on arguments whose number is not fixed."""
    return types.BaseTuple.from_types(kinds)  # type: ignore[no-untyped-call]


def _add(_typing: Any, to: Any, *columns: Any) -> Any:
    return types.void(to, _tuple_of(columns)), _generate_add


def _activate(_typing: Any, to: Any, *columns: Any) -> Any:
    return types.void(to, _tuple_of(columns)), _generate_activate


def _clear(_typing: Any, to: Any) -> Any:
    return types.void(to), _generate_clear


def _dot(_typing: Any, active: Any, *weights: Any) -> Any:
    return types.int64(active, _tuple_of(weights)), _generate_dot


#: ``add(to, ...)`` writes the sum of the columns.
add = cast("_Sum", intrinsic(_add))
#: ``activate(to, ...)`` writes the clipped ReLU of that sum: cut off below 0 and above ``ONE``.
activate = cast("_Sum", intrinsic(_activate))
#: ``clear(to)`` writes zeros.
clear = cast("_Sum", intrinsic(_clear))
#: ``dot(active, ...)`` returns the sum of the products of a column with the sum of the others.
dot = cast("_Product", intrinsic(_dot))
