"""Spin locks: a field of a record that one thread at a time may hold, while other kernels wait for it.

A kernel holds a lock for at most a few hundred machine instructions. A waiting kernel yields the processor
now and then, because the holder may need it if there are more threads than processors.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from quoridor_net.jit.records import record_type

Record = TypeVar("Record")

#: Whether a thread can yield the processor; on Windows it keeps spinning.
_CAN_YIELD = hasattr(os, "sched_yield")
#: Number of attempts between two yields, a power of two.
_ATTEMPTS = 128
_WORD = ir.IntType(64)
_FREE = ir.Constant(ir.IntType(32), 0)
_HELD = ir.Constant(ir.IntType(32), 1)
_BYTES = 4


def _pointer_to(kind: type, field: str) -> Callable[[Any, Any], Any]:
    """Return a function that turns a pointer to a record into one to a field of 32 bits."""
    fields: Any = record_type(kind).fields
    number, start = fields[field]
    assert number == np.int32, "a lock is a number of 32 bits"

    def point(builder: Any, record: Any) -> Any:
        address = builder.ptrtoint(record, ir.IntType(64))
        place = builder.add(address, ir.Constant(ir.IntType(64), start))
        return builder.inttoptr(place, ir.IntType(32).as_pointer())

    return point


def lock(kind: type[Record], field: str) -> Callable[[Record, int], None]:
    """Return a function for kernels that waits for the lock in ``field`` of a record, and takes it.

    If its second argument is 0, only one thread is at work and the function does nothing. Taking the lock
    makes visible whatever other threads wrote before they released it.

    Args:
        kind: the class of the records.
        field: a number of 32 bits, 0 while the lock is free.
    """
    point = _pointer_to(kind, field)

    def take(_typing: Any, record: Any, _is_shared: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            _wait_and_take(builder, point(builder, arguments[0]), arguments[1])
            return context.get_dummy_value()

        return types.void(record, types.int64), generate

    return cast("Callable[[Record, int], None]", intrinsic(take))


def unlock(kind: type[Record], field: str) -> Callable[[Record], None]:
    """Return a function for kernels that releases the lock in ``field`` of a record."""
    point = _pointer_to(kind, field)

    def let_go(_typing: Any, record: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            builder.store_atomic(_FREE, point(builder, arguments[0]), "release", _BYTES)
            return context.get_dummy_value()

        return types.void(record), generate

    return cast("Callable[[Record], None]", intrinsic(let_go))


def _wait_and_take(builder: Any, place: Any, is_shared: Any) -> None:
    """Write the loop that takes a lock, inline because a kernel for it would take time to compile."""
    before = builder.block
    attempt, busy, tired, held = map(builder.append_basic_block, ("attempt", "busy", "tired", "held"))
    builder.cbranch(builder.icmp_signed("!=", is_shared, _word(0)), attempt, held)
    builder.position_at_end(attempt)
    count = builder.phi(_WORD)
    following = builder.add(count, _word(1))
    found = builder.atomic_rmw("xchg", place, _HELD, "acquire")
    builder.cbranch(builder.icmp_signed("==", found, _FREE), held, busy)
    builder.position_at_end(busy)
    is_tired = builder.icmp_signed("==", builder.and_(following, _word(_ATTEMPTS - 1)), _word(0))
    builder.cbranch(is_tired, tired, attempt)
    builder.position_at_end(tired)
    if _CAN_YIELD:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), ())  # type: ignore[no-untyped-call]
    builder.branch(attempt)
    for number, block in ((_word(0), before), (following, busy), (following, tired)):
        count.add_incoming(number, block)
    builder.position_at_end(held)


def _word(number: int) -> Any:
    return ir.Constant(_WORD, number)
