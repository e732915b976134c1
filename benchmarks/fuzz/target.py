"""What a parser that is fuzzed is, and what must hold of everything that it says."""

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
    """A parser.

    Attributes:
        name: what it is called in the table.
        run: feeds it one input; raises nothing unless there is a fault.
        samples: makes inputs that are right.
        words: what its grammar is made of.
    """

    name: str
    run: Callable[[bytes], None]
    samples: Callable[[random.Random], Sequence[bytes]]
    words: Sequence[bytes]


class refusing:  # noqa: N801 - reads like a statement, and costs less than a generator, at every line
    """Let the documented exceptions pass, if they can be shown anywhere."""

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
        fit_to_show(str(error))
        if isinstance(error, RemoteProtocolError):
            fit_to_show(error.line)
        return True


def fit_to_show(text: str) -> None:
    """Check that ``text`` steers nothing around it, and is not longer than a person reads."""
    assert visible(text) == text, ascii(text[:200])
    assert len(text) < 1000, f"{len(text)} characters"


def pieces(data: bytes) -> list[bytes]:
    """Cut an input in a way that depends on it alone."""
    cut = zlib.crc32(data) % (len(data) + 1)
    return [data[:cut], data[cut:]]


def text_of(data: bytes) -> str:
    """Return the text that a person might have typed, escapes for what is not UTF-8 included."""
    return data.decode("utf-8", "surrogateescape")
