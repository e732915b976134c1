"""Text: split it into words, read and write numbers, quote it and make it safe to show.

Python's own ``split``, ``strip``, ``isdigit`` and ``int`` accept the spaces and digits of all scripts. Other
programs accept only ASCII, so using them would give some lines two meanings.
"""

from __future__ import annotations

import re
import unicodedata

#: The characters that separate words, and the line ends.
BLANKS = " \t\n\r\v\f"

#: Maximum number of characters of foreign text that a message quotes.
SHOWN = 40

#: Maximum length of a peer's name, in bytes of UTF-8: four names still fit in one line.
MAX_NAME = 200

#: Replaces characters that are not allowed in names.
NOT_IN_NAMES = "?"

# Unicode categories that are not allowed in names: controls, halves of surrogate pairs, separators.
_NEVER_IN_NAMES = frozenset({"Cc", "Cs", "Zs", "Zl", "Zp"})

# Unicode categories that take no column of their own: combining marks and format characters.
_WITHOUT_WIDTH = frozenset({"Mn", "Me", "Cf"})

_WORD = re.compile(rf"[^{BLANKS}]+")

# Characters that count as printable but are invisible, besides combining marks: fillers and the combining
# grapheme joiner (Unicode, Default_Ignorable_Code_Point).
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]")


class UnparsableError(ValueError):
    """The text is not written in the expected notation; the message says what was expected."""


def split_words(text: str) -> list[str]:
    """Return the words of ``text``, separated by ASCII whitespace."""
    return _WORD.findall(text)


def quote(text: str) -> str:
    """Return ``text`` in quotes for a message: in ASCII, with escapes, and shortened if it is long."""
    return ascii(text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}...")


def parse_number(text: str, least: int, most: int) -> int:
    """Return the decimal number in ``text``: ASCII digits with any number of leading zeros.

    Args:
        text: of any length; at most as many digits as ``most`` has are converted.
        least: minimum, at least 0.
        most: maximum.

    Raises:
        UnparsableError: the text is not a number in this range.
    """
    if text.isascii() and text.isdigit():
        digits = text.lstrip("0") or "0"
        if len(digits) <= len(str(most)) and least <= int(digits) <= most:
            return int(digits)
    raise UnparsableError(f"expected a number from {least} to {most}, not {quote(text)}")


def printable(data: bytes, limit: int = 80) -> str:
    """Return ``data`` as printable ASCII of at most ``limit`` characters, whatever it contains.

    Control characters and bytes beyond ASCII become escapes, so that a peer cannot control the reader's
    terminal.
    """
    shown = repr(data[: limit + 1])[2:-1]
    if len(data) > limit or len(shown) > limit:
        shown = shown[: limit - 3] + "..."
    return shown


def read_name(data: bytes) -> str:
    """Decode a player's name from the wire: UTF-8, with U+FFFD for invalid bytes.

    A well-formed name keeps all its bytes.
    """
    return clean_name(data.decode("utf-8", "replace"))


def clean_name(name: str) -> str:
    """Return ``name`` with ``?`` for spaces and control characters."""
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
    shown, joined = _quote_name(name), "_".join(name.split())
    if joined != name:
        instead = f": write {_quote_name(joined)}" if is_name(joined) else ""
        return f"the name {shown} contains a space{instead}"
    if clean_name(name) != name:
        return f"the name {shown} contains an unprintable character"
    return "" if is_name(name) else f"the name {shown} has more than {MAX_NAME} bytes"


def _quote_name(name: str) -> str:
    return f"'{cut(visible(name), SHOWN, '...')}'"


def count_things(number: int, thing: str) -> str:
    """Return ``1 move``, ``2 moves``, ``0 plies``."""
    things = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{number} {thing if number == 1 else things}"


def normal(name: str) -> str:
    """Return ``name`` in normal form (NFC), for comparison.

    Names that look the same may be spelt with or without combining marks.
    """
    return unicodedata.normalize("NFC", name)


def columns_of(text: str) -> int:
    """Return the width of ``text`` in terminal columns: wide characters count two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(letter: str) -> int:
    if unicodedata.category(letter) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


def cut(text: str, width: int, ellipsis: str) -> str:
    """Return ``text``, shortened with an ellipsis if it is wider than ``width`` columns."""
    if columns_of(text) <= width:
        return text
    room, end = width - columns_of(ellipsis), 0
    while end < len(text) and (room := room - _width(text[end])) >= 0:
        end += 1
    return text[:end] + ellipsis


def pad(text: str, width: int) -> str:
    """Return ``text``, padded on the right with spaces to at least ``width`` columns."""
    return text + " " * (width - columns_of(text))


def visible(text: str) -> str:
    """Return ``text`` with escapes for invisible characters and those that affect the text around them.

    For names, file names and metadata in any script. Control characters, line ends, direction marks,
    characters without a width and halves of surrogate pairs become escapes. A letter with a combining mark
    becomes a single letter where Unicode has one.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escape, unicodedata.normalize("NFC", text)))


def _escape(letter: str) -> str:
    is_shown = (
        letter.isprintable() and not _INVISIBLE.match(letter) and unicodedata.category(letter)[0] != "M"
    )
    return letter if is_shown else letter.encode("unicode_escape").decode("ascii")


def writable(text: str, encoding: str | None) -> str:
    """Return ``text`` with escapes for characters that ``encoding`` lacks; None means it lacks none."""
    return text if encoding is None else text.encode(encoding, "backslashreplace").decode(encoding)
