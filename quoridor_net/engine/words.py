"""The type of the arrays that the kernel works on, without importing numpy."""

from __future__ import annotations

from typing import Any, Protocol, overload


class Words(Protocol):
    """A numpy array of signed 64-bit words."""

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Any: ...
    def __setitem__(self, index: int | slice, value: Any) -> None: ...
    def __len__(self) -> int: ...


class Numbers(Protocol):
    """A numpy array of signed 16-bit words."""

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Any: ...
    def __setitem__(self, index: int | slice, value: Any) -> None: ...
    def __len__(self) -> int: ...


class Links(Words, Protocol):
    """A numpy array of signed 32-bit integers."""


class Fractions(Protocol):
    """A numpy array of floating point numbers."""

    @overload
    def __getitem__(self, index: int) -> float: ...
    @overload
    def __getitem__(self, index: slice) -> Any: ...
    def __setitem__(self, index: int | slice, value: Any) -> None: ...
    def __len__(self) -> int: ...
