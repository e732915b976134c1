"""A fuzzed parser, and the checks of its messages."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Sequence
from types import TracebackType

from attrs import frozen

from quoridor_net.protocols.common.errors import RemoteProtocolError
from quoridor_net.text import visible


@frozen
class Target:
    """A parser to fuzz.

    Attributes:
        name: name in the table.
        run: feeds one input; an exception is a fault.
        samples: makes valid inputs.
        words: words of the grammar.
    """

    name: str
    run: Callable[[bytes], None]
    samples: Callable[[random.Random], Sequence[bytes]]
    words: Sequence[bytes]


class refusing:  # noqa: N801 - used as a statement; a class costs less than a generator, for every line
    """Suppress documented exceptions whose messages are safe to show."""

    __slots__ = ("_documented",)

    def __init__(self, *documented: type[Exception]) -> None:
        self._documented = documented

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> bool:
        if not isinstance(error, self._documented):
            return False
        check_showable(str(error))
        if isinstance(error, RemoteProtocolError):
            check_showable(error.line)
        return True


def check_showable(text: str) -> None:
    """Check that ``text`` has no control characters and a readable length."""
    assert visible(text) == text, ascii(text[:200])
    assert len(text) < 1000, f"{len(text)} characters"


def pieces(data: bytes) -> list[bytes]:
    """Split an input at a place that only depends on the input."""
    cut = zlib.crc32(data) % (len(data) + 1)
    return [data[:cut], data[cut:]]


def text_of(data: bytes) -> str:
    """Decode an input as typed text, with surrogate escapes for invalid UTF-8."""
    return data.decode("utf-8", "surrogateescape")
