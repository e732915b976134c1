"""Records that kernels work on, described by classes with annotations.

A class lists the fields of a record: ``int`` is a number of 64 bits, ``Annotated[int, np.int32]`` one of
another type, the name of such a class a record within the record, and ``Annotated[Words, 3, 2]`` an array of
that shape of numbers, or with ``Array[Record]`` of records. So mypy knows the fields, and :func:`record_type`
makes their numpy type. Kernels take a record as one argument, a pointer. Python code sees it as a
:class:`RecordView`, because passing numpy's own records to a kernel takes a hundred times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import NativeValue, intrinsic, models, register_model, unbox

from quoridor_net.jit.arrays import Array, Fractions, Links, Numbers, UnsignedWords, Words

Record = TypeVar("Record")

# numba has no types for these.
_from_dtype: Any = numba.from_dtype
_unbox: Any = unbox
_native_value: Any = NativeValue

#: Bytes.
_CACHE_LINE = 64

_NUMBERS: dict[Any, type[np.generic]] = {
    int: np.int64,
    Words: np.int64,
    UnsignedWords: np.uint64,
    Links: np.int32,
    Numbers: np.int16,
    Fractions: np.float64,
}


def _field_type(hint: Any) -> tuple[Any, ...]:
    """Return the numpy type of a field, and its shape if it is an array."""
    if get_origin(hint) is not Annotated:
        return (_NUMBERS[hint],) if hint in _NUMBERS else (record_type(hint),)
    element, *shape = get_args(hint)
    if isinstance(shape[0], type):
        return (shape[0],)
    while get_origin(element) is Array:
        (element,) = get_args(element)
    return (_NUMBERS[element] if element in _NUMBERS else record_type(element), tuple(shape))


@cache
def record_type(kind: Any) -> np.dtype[np.void]:
    """Return the numpy type of the records that the class ``kind`` describes."""
    hints = get_type_hints(kind, include_extras=True)
    return np.dtype([(name, *_field_type(hint)) for name, hint in hints.items()], align=True)


class _Pointer(types.Record):
    """The type of a record that Python passes to kernels by its address."""


class RecordView:
    """A record with its fields as attributes; kernels see the values set there."""

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        try:
            value = _as_view(self._record[name])
        except ValueError:
            raise AttributeError(name) from None
        if not isinstance(value, np.generic):
            # Cached, because a view always shows the current values and is slow to create.
            object.__setattr__(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value

    def copy_from(self, other: RecordView) -> None:
        """Copy all fields from another record of the same kind."""
        self._record.setfield(other._record, self._record.dtype)


class Handle(RecordView):
    """A record that kernels take as an argument, with its memory.

    Attributes:
        address: address of the record.
    """

    def __init__(self, memory: Any) -> None:
        super().__init__(memory[0])
        object.__setattr__(self, "_memory", memory)
        object.__setattr__(self, "address", int(memory.ctypes.data))


class RecordArray:
    """An array of records for Python code.

    Attributes:
        address: address of its contents; code that passes it on must keep the array alive.
    """

    def __init__(self, memory: Any) -> None:
        self._memory = memory
        self.address = int(memory.ctypes.data)

    def __len__(self) -> int:
        return len(self._memory)

    def __getitem__(self, index: Any) -> Any:
        return _as_view(self._memory[index])

    def clear(self) -> None:
        """Set all records to zeros."""
        self._memory.view(np.uint8)[...] = 0


def _as_view(value: Any) -> Any:
    """Return a field or an element as a view for Python code."""
    if isinstance(value, np.void):
        return RecordView(value)
    if isinstance(value, np.ndarray) and value.dtype.names is not None:
        return RecordArray(value)
    return value


@cache
def kernel_type(kind: Any) -> Any:
    """Return the type of a record inside kernels."""
    plain = _from_dtype(record_type(kind))
    fields = [(name, field._asdict()) for name, field in plain.fields.items()]
    return _Pointer(fields, plain.size, plain.aligned)


@register_model(_Pointer)
class _PointerModel(models.RecordModel):
    """The data model of a pointer to a record, unchanged from that of records."""


@_unbox(_Pointer)  # type: ignore[untyped-decorator]
def _unbox_pointer(kind: Any, handle: Any, context: Any) -> Any:
    number = context.pyapi.object_getattr_string(handle, "address")
    address = context.pyapi.long_as_longlong(number)
    context.pyapi.decref(number)
    pointer = context.builder.inttoptr(address, context.context.get_value_type(kind))
    return _native_value(pointer)


@cache
def _handle_type(kind: Any) -> type[Handle]:
    return type(kind.__name__, (Handle,), {"_numba_type_": kernel_type(kind)})


def element_type(kind: Any) -> Any:
    """Return the type of a record from an array, or of one within another record, inside kernels."""
    return _from_dtype(record_type(kind))


def new_record(kind: type[Record]) -> Record:
    """Return a record of zeros for kernels. The system provides its memory as it is written to."""
    return cast("Record", _handle_type(cast("Any", kind))(_zeros(kind, 1)))


def new_records(kind: type, count: int) -> RecordArray:
    """Return an array of ``count`` records of zeros."""
    return RecordArray(_zeros(kind, count))


def new_array(kind: type[Record], count: int) -> Array[Record]:
    """Return a numpy array of records of zeros, for kernels that take it as an argument.

    Unlike a table of :func:`new_records`, numba can check its indices. Python code indexes it by element and
    field, as ``array[2]["name"]``.
    """
    return cast("Array[Record]", np.zeros(count, record_type(cast("Any", kind))))


def _zeros(kind: Any, count: int) -> Any:
    """Return zeroed memory in cache lines of its own, so that processors do not compete for them."""
    record = record_type(kind)
    length = count * record.itemsize
    memory = np.zeros(length + 2 * _CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % _CACHE_LINE
    return memory[start : start + length].view(record)


def index_records(kind: type[Record]) -> Callable[[int, int], Record]:
    """Return a function for kernels: ``at(address, number)`` is the record with that number of an array.

    Tables that grow with the search are not part of a record. Kernels reach them by address, because each
    array argument takes seven arguments in the compiled code of every call.
    """
    layout = record_type(cast("Any", kind))
    record = _from_dtype(layout)

    def at(_typing: Any, _address: Any, _number: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            size = ir.Constant(ir.IntType(64), layout.itemsize)
            place = builder.add(values[0], builder.mul(values[1], size))
            return builder.inttoptr(place, context.get_value_type(record))

        return record(types.int64, types.int64), generate

    return cast("Callable[[int, int], Record]", intrinsic(at))
