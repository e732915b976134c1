"""Operations on arrays that numba would not turn into vector instructions by itself.

A column is a one-dimensional array: a row of a network's table, or sums in an accumulator. All columns of a
network have one number for each of its units. Sums of 16-bit numbers saturate instead of wrapping around, but
none comes near the limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from quoridor_net.engine.evaluation.network import ONE, UNITS
from quoridor_net.jit.arrays import Numbers, Words

_SHORT = ir.IntType(16)
_LONG = ir.IntType(32)
_WORD = ir.IntType(64)
_BYTES = 2
_WORD_BYTES = 8


class _Sum(Protocol):
    """An operation that adds up columns and writes a function of the sum."""

    def __call__(self, to: Numbers, *columns: Numbers) -> None: ...


class _Product(Protocol):
    """An operation that multiplies a column with the sum of others."""

    def __call__(self, active: Numbers, *weights: Numbers) -> int: ...


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kinds = [argument.type for argument in arguments]
    function = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
        builder.module, ir.FunctionType(result, kinds), name
    )
    return builder.call(function, arguments)


def _fill(_typing: Any, words: Any, _value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        vector = ir.VectorType(_WORD, kind.shape[0])
        undefined = ir.Constant(vector, ir.Undefined)
        first = builder.insert_element(undefined, arguments[1], ir.Constant(_LONG, 0))
        places = ir.Constant(ir.VectorType(_LONG, kind.shape[0]), None)
        data = context.make_array(kind)(context, builder, value=arguments[0]).data
        pointer = builder.bitcast(data, vector.as_pointer())
        stored = builder.store(builder.shuffle_vector(first, undefined, places), pointer)
        stored.align = _WORD_BYTES
        return context.get_dummy_value()

    return types.void(words, types.uint64), generate


def _tuple_of(kinds: Any) -> Any:
    """Return numba's type for a variable number of arguments."""
    return types.BaseTuple.from_types(kinds)  # type: ignore[no-untyped-call]


class Columns:
    """The operations on columns of ``units`` numbers, as functions for kernels.

    Attributes:
        add: ``add(to, ...)`` writes the sum of the columns.
        activate: ``activate(to, ...)`` writes the clipped ReLU of that sum, from 0 to ``ONE``.
        clear: ``clear(to)`` writes zeros.
        dot: ``dot(active, ...)`` returns the sum of the products of a column with the sum of the others.
    """

    def __init__(self, units: int) -> None:
        self._units = units
        self._column = ir.VectorType(_SHORT, units)
        self._half = ir.VectorType(_LONG, units // 2)

        def add(_typing: Any, to: Any, *columns: Any) -> Any:
            return types.void(to, _tuple_of(columns)), self._generate_add

        def activate(_typing: Any, to: Any, *columns: Any) -> Any:
            return types.void(to, _tuple_of(columns)), self._generate_activate

        def clear(_typing: Any, to: Any) -> Any:
            return types.void(to), self._generate_clear

        def dot(_typing: Any, active: Any, *weights: Any) -> Any:
            return types.int64(active, _tuple_of(weights)), self._generate_dot

        self.add = cast("_Sum", intrinsic(add))
        self.activate = cast("_Sum", intrinsic(activate))
        self.clear = cast("_Sum", intrinsic(clear))
        self.dot = cast("_Product", intrinsic(dot))

    def _pointer(self, context: Any, builder: Any, kind: Any, column: Any) -> Any:
        data = context.make_array(kind)(context, builder, value=column).data
        return builder.bitcast(data, self._column.as_pointer())

    def _load(self, context: Any, builder: Any, kind: Any, column: Any) -> Any:
        vector = builder.load(self._pointer(context, builder, kind, column))
        vector.align = _BYTES
        return vector

    def _sum(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Return the sum of the columns in the second argument, a tuple."""
        columns = cgutils.unpack_tuple(builder, arguments[1])  # type: ignore[no-untyped-call]
        total, *rest = (
            self._load(context, builder, kind, column)
            for kind, column in zip(signature.args[1], columns, strict=True)
        )
        for vector in rest:
            total = _call(builder, f"llvm.sadd.sat.v{self._units}i16", self._column, total, vector)
        return total

    def _store(self, context: Any, builder: Any, signature: Any, arguments: Any, vector: Any) -> Any:
        """Write the vector to the column in the first argument."""
        stored = builder.store(vector, self._pointer(context, builder, signature.args[0], arguments[0]))
        stored.align = _BYTES
        return context.get_dummy_value()

    def _generate_add(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total = self._sum(context, builder, signature, arguments)
        return self._store(context, builder, signature, arguments, total)

    def _generate_activate(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total = self._sum(context, builder, signature, arguments)
        for bound, sign in ((0, "<"), (ONE, ">")):
            limit = ir.Constant(self._column, [ir.Constant(_SHORT, bound)] * self._units)
            total = builder.select(builder.icmp_signed(sign, total, limit), limit, total)
        return self._store(context, builder, signature, arguments, total)

    def _generate_clear(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = ir.Constant(self._column, [ir.Constant(_SHORT, 0)] * self._units)
        return self._store(context, builder, signature, arguments, zeros)

    def _generate_dot(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        active = self._load(context, builder, signature.args[0], arguments[0])
        weights = self._sum(context, builder, signature, arguments)
        # Add products of neighbours first, because processors have one instruction for that.
        products = []
        for first in (0, 1):
            places = ir.Constant(
                self._half, [ir.Constant(_LONG, place) for place in range(first, self._units, 2)]
            )
            halves = [
                builder.sext(
                    builder.shuffle_vector(column, ir.Constant(self._column, ir.Undefined), places),
                    self._half,
                )
                for column in (active, weights)
            ]
            products.append(builder.mul(*halves))
        name = f"llvm.vector.reduce.add.v{self._units // 2}i32"
        total = _call(builder, name, _LONG, builder.add(*products))
        return builder.sext(total, ir.IntType(64))


_COLUMNS = Columns(UNITS)
#: The operations on columns of ``UNITS`` numbers.
add, activate, clear, dot = _COLUMNS.add, _COLUMNS.activate, _COLUMNS.clear, _COLUMNS.dot
#: ``fill(words, value)`` writes the value to each word of an array.
fill = cast("Callable[[Words, int], None]", intrinsic(_fill))
