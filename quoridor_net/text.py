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

#: Longest name that a peer may have: four of them still fit in one line.
MAX_NAME = 200

_NOT_VISIBLE = re.compile(r"[^!-~]")

_WORD = re.compile(rf"[^{BLANKS}]+")

# Letters and signs without any width that count as printable, besides combining marks: fillers and the
# combining grapheme joiner (Unicode, Default_Ignorable_Code_Point).
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]")


class UnparsableError(ValueError):
    """The text is not written in the expected notation; the message says what was expected."""


def split_words(text: str) -> list[str]:
    """Return what stands between the ASCII blanks of ``text``."""
    return _WORD.findall(text)


def quoted(text: str) -> str:
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
    raise UnparsableError(f"expected a number from {least} to {most}, not {quoted(text)}")


def printable(data: bytes, limit: int = 80) -> str:
    """Return ``data`` as printable ASCII of at most ``limit`` characters, whatever it contains.

    Control characters and bytes beyond ASCII are written as escapes, so that no peer can steer the terminal
    of the person who reads them.
    """
    shown = repr(data[: limit + 1])[2:-1]
    if len(data) > limit or len(shown) > limit:
        shown = shown[: limit - 3] + "..."
    return shown


def clean_name(name: str) -> str:
    """Return the name of a player as it goes over the wire: ``?`` for all that is not visible ASCII."""
    return _NOT_VISIBLE.sub("?", name)


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
