"""The types of the arrays that the kernel works on, without importing numpy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias, TypeVar, overload

Number_co = TypeVar("Number_co", covariant=True)


class Array(Protocol[Number_co]):
    """A numpy array: ``Array[Words]`` has two dimensions, ``Array[Array[Words]]`` three."""

    @overload
    def __getitem__(self, index: int) -> Number_co: ...
    @overload
    def __getitem__(self, index: slice | tuple[int, ...]) -> Any: ...
    def __setitem__(self, index: int | slice | tuple[int, ...], value: Any) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


class Words(Array[int], Protocol):
    """A numpy array of signed 64-bit words."""


class UnsignedWords(Array[int], Protocol):
    """A numpy array of unsigned 64-bit words."""


class Numbers(Array[int], Protocol):
    """A numpy array of signed 16-bit words."""


class Links(Array[int], Protocol):
    """A numpy array of signed 32-bit integers."""


class Fractions(Array[float], Protocol):
    """A numpy array of floating point numbers."""


#: Arrays of two dimensions.
Table: TypeAlias = Array[Words]
NumberTable: TypeAlias = Array[Numbers]
FractionTable: TypeAlias = Array[Fractions]
