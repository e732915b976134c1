"""What a peer sent, fit to be shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.rules import Termination
from quoridor_net.wire import LocalProtocolError, ProtocolError, RemoteProtocolError, printable


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", ""),
        (b"TESUJI (4, 1)", "TESUJI (4, 1)"),
        (b"TESUJI (4, 1)\r", "TESUJI (4, 1)\\r"),
        (b"\x1b[2J", "\\x1b[2J"),
        (b"\x07\x00\n\t", "\\x07\\x00\\n\\t"),
        ("é".encode(), "\\xc3\\xa9"),
        (b"it's", "it's"),
        (b'"', '"'),
        (b"back\\slash", "back\\\\slash"),
    ],
)
def test_examples(data: bytes, shown: str) -> None:
    assert printable(data) == shown


@given(st.binary(max_size=300), st.integers(3, 100))
def test_always_printable_ascii_within_the_limit(data: bytes, limit: int) -> None:
    shown = printable(data, limit)
    assert len(shown) <= limit
    assert shown.isascii()
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("length", "shown"), [(9, "x" * 9), (10, "x" * 10), (11, "x" * 7 + "..."), (10**7, "x" * 7 + "...")]
)
def test_shortened(length: int, shown: str) -> None:
    assert printable(b"x" * length, 10) == shown


def test_errors() -> None:
    error = RemoteProtocolError(Termination.FLOODING, "sent too much", "x...")
    assert isinstance(error, ProtocolError)
    assert (error.termination, error.sentence, error.line) == (Termination.FLOODING, "sent too much", "x...")
    assert str(error) == "sent too much"
    assert not isinstance(LocalProtocolError("our bug"), RemoteProtocolError)
