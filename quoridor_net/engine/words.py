"""The types of the arrays that the kernel works on, without importing numpy."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, overload

Number_co = TypeVar("Number_co", covariant=True)


class Array(Protocol[Number_co]):
    """A numpy array of one dimension."""

    @overload
    def __getitem__(self, index: int) -> Number_co: ...
    @overload
    def __getitem__(self, index: slice) -> Any: ...
    def __setitem__(self, index: int | slice, value: Any) -> None: ...
    def __len__(self) -> int: ...


class Words(Array[int], Protocol):
    """A numpy array of signed 64-bit words."""


class Numbers(Array[int], Protocol):
    """A numpy array of signed 16-bit words."""


class Links(Array[int], Protocol):
    """A numpy array of signed 32-bit integers."""


class Fractions(Array[float], Protocol):
    """A numpy array of floating point numbers."""
