"""Text from outside: cut into words, quoted and read as numbers made fit to be shown.

Python's own ``split``, ``strip``, ``isdigit`` and ``int`` know the blanks and digits of all scripts; a line
that has some would be read one way here and another way by every other program.
"""

from __future__ import annotations

import re
import unicodedata

#: The characters that separate words, and the line ends.
BLANKS = " \t\n\r\v\f"

#: Most characters of somebody's text that a message repeats.
SHOWN = 40

#: Bytes in UTF-8 of the longest name that a peer may have: four of them still fit in one line.
MAX_NAME = 200

#: Replaces characters that a name cannot have.
NOT_IN_NAMES = "?"

# General categories of characters that a name cannot have: controls, halves of surrogate pairs, separators.
_NEVER_IN_NAMES = frozenset({"Cc", "Cs", "Zs", "Zl", "Zp"})

# And those that take no column of their own: marks on the letter before, and format characters.
_WITHOUT_WIDTH = frozenset({"Mn", "Me", "Cf"})

_WORD = re.compile(rf"[^{BLANKS}]+")

# Letters and signs without any width that count as printable, besides combining marks: fillers and the
# combining grapheme joiner (Unicode, Default_Ignorable_Code_Point).
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]")


class UnparsableError(ValueError):
    """The text is not written in the expected notation; the message says what was expected."""


def split_words(text: str) -> list[str]:
    """Return what stands between the ASCII blanks of ``text``."""
    return _WORD.findall(text)


def quote(text: str) -> str:
    """Return ``text`` in quotes for a message: in ASCII, with escapes, and shortened if it is long."""
    return ascii(text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}...")


def parse_number(text: str, least: int, most: int) -> int:
    """Return the decimal number in ``text``, which has ASCII digits alone and any number of leading zeros.

    Args:
        text: of any length; no more digits are converted than ``most`` has.
        least: the smallest number that is accepted, not negative.
        most: the largest one.

    Raises:
        UnparsableError: the text is no such number.
    """
    if text.isascii() and text.isdigit():
        digits = text.lstrip("0") or "0"
        if len(digits) <= len(str(most)) and least <= int(digits) <= most:
            return int(digits)
    raise UnparsableError(f"expected a number from {least} to {most}, not {quote(text)}")


def printable(data: bytes, limit: int = 80) -> str:
    """Return ``data`` as printable ASCII of at most ``limit`` characters, whatever it contains.

    Control characters and bytes beyond ASCII are written as escapes, so that no peer can steer the terminal
    of the person who reads them.
    """
    shown = repr(data[: limit + 1])[2:-1]
    if len(data) > limit or len(shown) > limit:
        shown = shown[: limit - 3] + "..."
    return shown


def read_name(data: bytes) -> str:
    """Return the name of a player that came over the wire: UTF-8, with U+FFFD for bytes that are not.

    Names that are well-formed are passed on as they came, byte by byte.
    """
    return clean_name(data.decode("utf-8", "replace"))


def clean_name(name: str) -> str:
    """Return ``name`` with ``?`` for spaces and control characters, which no name can have."""
    if name.isascii() and name.isprintable() and " " not in name:
        return name
    return "".join(
        NOT_IN_NAMES if unicodedata.category(letter) in _NEVER_IN_NAMES else letter for letter in name
    )


def wire_name(name: str) -> str:
    """Return ``name`` as a protocol can carry it: clean, and at most MAX_NAME bytes."""
    return clean_name(name).encode()[:MAX_NAME].decode("utf-8", "ignore")


def is_name(name: str) -> bool:
    """Return whether a protocol can carry ``name`` unchanged."""
    return bool(name) and wire_name(name) == name


def name_fault(name: str) -> str:
    """Return why no protocol can carry ``name``, as a clause; empty if one can."""
    if not name:
        return "a name has at least one character"
    shown, joined = _named(name), "_".join(name.split())
    if joined != name:
        instead = f": write {_named(joined)}" if is_name(joined) else ""
        return f"the name {shown} has a space in it{instead}"
    if clean_name(name) != name:
        return f"the name {shown} has a character in it that cannot be shown"
    return "" if is_name(name) else f"the name {shown} has more than {MAX_NAME} bytes"


def _named(name: str) -> str:
    return f"'{cut(visible(name), SHOWN, '...')}'"


def normal(name: str) -> str:
    """Return ``name`` in normal form (NFC), for comparison with others.

    Two names that look the same may be spelt with and without combining marks.
    """
    return unicodedata.normalize("NFC", name)


def columns_of(text: str) -> int:
    """Return how many columns ``text`` takes in a terminal: wide characters two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(letter: str) -> int:
    if unicodedata.category(letter) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


def cut(text: str, width: int, ellipsis: str) -> str:
    """Return ``text``, cut to ``width`` columns with an ellipsis where it is wider."""
    if columns_of(text) <= width:
        return text
    room, end = width - columns_of(ellipsis), 0
    while end < len(text) and (room := room - _width(text[end])) >= 0:
        end += 1
    return text[:end] + ellipsis


def pad(text: str, width: int) -> str:
    """Return ``text`` with spaces behind it, so that it takes at least ``width`` columns."""
    return text + " " * (width - columns_of(text))


def visible(text: str) -> str:
    """Return ``text`` with escapes for everything that cannot be seen or steers what is around it.

    For names, file names and metadata, which people write in any script: letters stay what they are. Control
    characters, line ends, direction marks, characters without a width and halves of surrogate pairs become
    escapes; a letter and its combining mark become one letter where there is one.
    """
    return "".join(map(_escaped, unicodedata.normalize("NFC", text)))


def _escaped(letter: str) -> str:
    is_shown = (
        letter.isprintable() and not _INVISIBLE.match(letter) and unicodedata.category(letter)[0] != "M"
    )
    return letter if is_shown else letter.encode("unicode_escape").decode("ascii")


def writable(text: str, encoding: str | None) -> str:
    """Return ``text`` with escapes for what cannot be written in ``encoding``; None means that all can be."""
    return text if encoding is None else text.encode(encoding, "backslashreplace").decode(encoding)
