"""Text from outside: nothing beyond ASCII means anything, and all of it can be shown with escapes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from quoridor_net.notation import athens, lan, standard
from quoridor_net.rules import Position
from quoridor_net.text import (
    MAX_NAME,
    UnparsableError,
    clean_name,
    columns_of,
    count_things,
    cut,
    name_fault,
    normal,
    pad,
    parse_number,
    printable,
    quote,
    read_name,
    split_words,
    visible,
    wire_name,
    writable,
)

READERS: list[Callable[[str], object]] = [
    lan.parse_move,
    standard.parse_move,
    standard.parse_square,
    athens.parse_move,
    athens.parse_vertex,
    athens.parse_colour,
    athens.parse_orientation,
    Position.from_line,
]

#: Blanks, digits and letters that Python takes for ASCII ones, or that steer a terminal.
STRANGE = [
    "\u00a0", "\u0085", "\u1680", "\u2003", "\u2028", "\u3000", "\x1c", "\x1d", "\x1e", "\x1f",
    "\u0661", "\u0967", "\uff14", "\u00b2", "\u2460", "\u212a", "\u017f", "\u0130",
    "\x1b[2J", "\x1b]0;x\x07", "\u202e", "\u2066", "\u200b", "\u0301", "\ufeff", "\ud800", "\U0001f600",
]  # fmt: skip

RIGHT = {
    lan.parse_move: "(4, 1)",
    standard.parse_move: "e2",
    standard.parse_square: "e2",
    athens.parse_move: "E3 h",
    athens.parse_vertex: "E3",
    athens.parse_colour: "black",
    athens.parse_orientation: "horizontal",
    Position.from_line: " /  / e1 e9 / 10 10 / 1",
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("strange", STRANGE, ids=ascii)
def test_nothing_beyond_ascii_is_read_anywhere_in_a_text(
    reader: Callable[[str], object], strange: str
) -> None:
    right = RIGHT[reader]
    reader(right)
    for at in range(len(right) + 1):
        for text in (right[:at] + strange + right[at:], right[:at] + strange + right[at + 1 :]):
            with pytest.raises(UnparsableError) as caught:
                reader(text)
            assert str(caught.value).isascii()
            assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        # Lower case of the Kelvin sign is "k"; both letters are "s" to a pattern that ignores case.
        (athens.parse_colour, "blac\u212a"),
        (athens.parse_orientation, "hori\u017fontal"),
        (lan.parse_move, "(\uff14, \uff11)"),
        (standard.parse_move, "e\u0662"),
        (lan.parse_move, "\u3000(4, 1)"),
    ],
)
def test_lookalike_letters_and_digits_are_rejected(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(UnparsableError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("e2", "'e2'"),
        ("it's", '"it\'s"'),
        ("(\uff14, 1)", "'(\\uff14, 1)'"),
        ("a\x1b[2J\u202e\u200b", "'a\\x1b[2J\\u202e\\u200b'"),
        ("x" * 40, "'" + "x" * 40 + "'"),
        ("x" * 41, "'" + "x" * 37 + "...'"),
    ],
)
def test_texts_are_quoted_for_display(text: str, shown: str) -> None:
    assert quote(text) == shown


@given(st.text(max_size=200))
def test_quoted_is_short_printable_ascii(text: str) -> None:
    shown = quote(text)
    assert shown.isascii()
    assert shown.isprintable()
    assert len(shown) <= 10 * 40 + 2


def test_words_are_cut_at_ascii_blanks_alone() -> None:
    assert split_words(" a\tb\nc\vd\fe\rf  g ") == list("abcdefg")
    assert split_words("a\u00a0b\u3000c\x1cd\x85e") == ["a\u00a0b\u3000c\x1cd\x85e"]
    assert split_words(" \t\n") == []


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), ("007", 7), ("999", 999), ("0" * 5000 + "999", 999), ("0" * 5000, 0)],
)
def test_numbers_are_parsed(text: str, number: int) -> None:
    assert parse_number(text, 0, 999) == number


@pytest.mark.parametrize(
    "text",
    [
        *("", " 1", "1 ", "-1", "+1", "1_0", "1.0", "1e2", "0x1", "one", "1\n", "True"),
        *("1000", "0001000", "9" * 5000, "\uff11", "\u00b2", "\u0661"),
    ],
)
def test_invalid_numbers_are_rejected(text: str) -> None:
    with pytest.raises(UnparsableError, match="expected a number from 0 to 999, not") as caught:
        parse_number(text, 0, 999)
    assert len(str(caught.value)) < 500


def test_both_bounds_of_a_number_belong_to_it() -> None:
    assert [parse_number(text, 3, 25) for text in ("3", "25")] == [3, 25]
    for text in ("2", "26"):
        with pytest.raises(UnparsableError):
            parse_number(text, 3, 25)


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
        (b"x" * 80, "x" * 80),
        (b"x" * 81, "x" * 77 + "..."),
    ],
)
def test_bytes_are_shown_as_printable_text(data: bytes, shown: str) -> None:
    assert printable(data) == shown


@given(st.binary(max_size=300), st.integers(3, 100))
def test_printable_text_is_ascii_within_the_limit(data: bytes, limit: int) -> None:
    shown = printable(data, limit)
    assert len(shown) <= limit
    assert shown.isascii()
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("length", "shown"), [(9, "x" * 9), (10, "x" * 10), (11, "x" * 7 + "..."), (10**7, "x" * 7 + "...")]
)
def test_printable_text_is_shortened(length: int, shown: str) -> None:
    assert printable(b"x" * length, 10) == shown


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
def test_invisible_characters_are_escaped(text: str, shown: str) -> None:
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
def test_characters_beyond_the_encoding_are_escaped(encoding: str | None, written: str) -> None:
    assert writable("J\u00fcrgen \uff14 \ud800", encoding) == written


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"ann:bot", "ann:bot"),
        (b"two words", "two?words"),
        ("zo\u00eb:\u65e5\u672c".encode(), "zo\u00eb:\u65e5\u672c"),
        # As it came, although the two names look the same.
        ("zoe\u0308".encode(), "zoe\u0308"),
        ("a\u202eb\u200d".encode(), "a\u202eb\u200d"),
        # Latin-1, and half a character.
        (b"zo\xeb", "zo\ufffd"),
        ("\u65e5".encode()[:2], "\ufffd"),
        # Other programs would cut the line there, or a terminal would obey.
        ("a\u00a0b\u3000c\u2028d\x85e\x1b[2Jf\x07g\x1ch".encode(), "a?b?c?d?e?[2Jf?g?h"),
    ],
)
def test_names_are_read_as_utf8(data: bytes, name: str) -> None:
    assert read_name(data) == name


@given(st.text(min_size=1))
def test_a_name_that_can_be_sent_comes_back_byte_by_byte(text: str) -> None:
    name = wire_name(text)
    data = name.encode()
    assert len(data) <= MAX_NAME
    assert read_name(data).encode() == data
    assert clean_name(name) == name
    assert name.split() == [name]
    assert len(f"IAM {name}".splitlines()) == 1


@given(st.binary(min_size=1))
def test_no_name_that_was_read_has_controls_or_blanks(data: bytes) -> None:
    name = read_name(data)
    assert name.split() == [name]
    assert not any(unicodedata.category(letter) == "Cc" for letter in name)
    assert name.encode("utf-8").decode() == name


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("ann", 3),
        ("zo\u00eb", 3),
        ("\u65e5\u672c", 4),
        ("e\u0308", 1),
        ("\uff21", 2),
        ("\U0001f600", 2),
    ],
)
def test_the_width_of_a_text_is_counted_in_columns(text: str, columns: int) -> None:
    assert columns_of(text) == columns
    assert columns_of(pad(text, 10)) == 10
    assert pad(text, 0) == text


@given(st.text(st.sampled_from("aZ09:-_\u00eb\u0416\u3042\u30ab\u65e5\uac00\uff21\U0001f600")))
def test_columns_are_those_of_the_library_that_draws(text: str) -> None:
    assert columns_of(text) == cell_len(text)


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("annabel", 7, "annabel"),
        ("annabel", 6, "annab~"),
        ("\u65e5\u672c\u8a9e", 6, "\u65e5\u672c\u8a9e"),
        ("\u65e5\u672c\u8a9e", 5, "\u65e5\u672c~"),
        ("\u65e5\u672c\u8a9e", 4, "\u65e5~"),
        ("e\u0308\u0301e\u0308e", 2, "e\u0308\u0301~"),
        ("annabel", 0, "~"),
    ],
)
def test_texts_are_cut_by_columns(text: str, width: int, shown: str) -> None:
    assert cut(text, width, "~") == shown


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("zo\u00eb:\u65e5\u672c", ""),
        ("x" * 200, ""),
        ("Team Rocket", "the name 'Team Rocket' contains a space: write 'Team_Rocket'"),
        ("\u65e5\u3000\u672c", "the name '\u65e5\\u3000\u672c' contains a space: write '\u65e5_\u672c'"),
        (" ", "the name ' ' contains a space"),
        ("", "a name has at least one character"),
        ("a\x1b[2J", "the name 'a\\x1b[2J' contains an unprintable character"),
        ("\udcff", "the name '\\udcff' contains an unprintable character"),
        ("\u65e5" * 67, "the name '" + "\u65e5" * 18 + "...' has more than 200 bytes"),
    ],
)
def test_an_invalid_name_has_a_reason(name: str, fault: str) -> None:
    assert name_fault(name) == fault


def test_names_that_look_the_same_are_the_same() -> None:
    assert normal("zoe\u0308") == normal("zo\u00eb")
    assert normal("zoe") != normal("zo\u00eb")


@pytest.mark.parametrize(
    ("number", "thing", "shown"),
    [(0, "move", "0 moves"), (1, "move", "1 move"), (2, "ply", "2 plies"), (1, "ply", "1 ply")],
)
def test_counted_things_are_in_singular_or_plural(number: int, thing: str, shown: str) -> None:
    assert count_things(number, thing) == shown
