"""What a peer sent, fit to be shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.protocols.common.errors import LocalProtocolError, ProtocolError, RemoteProtocolError
from quoridor_net.rules import Termination
from quoridor_net.text import printable, visible, writable


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ann vs bob", "ann vs bob"),
        ("J\u00fcrgen, \u6771, \u05d0", "J\u00fcrgen, \u6771, \u05d0"),
        # The letter u and a combining diaeresis: how some file systems write the letter above.
        ("Ju\u0308rgen", "J\u00fcrgen"),
        ("x\u0308\u0301", "\u1e8d\\u0301"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b1A", "\\x9b1A"),
        ("a\tb\rc\nd", "a\\tb\\rc\\nd"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("a\u200bb\u200dc\ufeffd\u00ade", "a\\u200bb\\u200dc\\ufeffd\\xade"),
        ("\u034f.\u115f.\u17b4.\u3164.\ufe0f", "\\u034f.\\u115f.\\u17b4.\\u3164.\\ufe0f"),
        ("\u2028\u3000\u00a0", "\\u2028\\u3000\\xa0"),
        ("\udcff", "\\udcff"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_visible_text_has_no_character_without_a_width(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert not any(unicodedata.category(letter)[0] in "CM" for letter in shown)
    assert visible(shown) == shown


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        ("ascii", "J\\xfcrgen \\uff14 \\ud800"),
        ("cp1252", "J\u00fcrgen \\uff14 \\ud800"),
        ("utf-8", "J\u00fcrgen \uff14 \\ud800"),
        (None, "J\u00fcrgen \uff14 \ud800"),
    ],
)
def test_writable(encoding: str | None, written: str) -> None:
    assert writable("J\u00fcrgen \uff14 \ud800", encoding) == written
