"""Text from outside: cut into words, quoted and read as numbers, by its ASCII characters alone.

Python's own ``split``, ``strip``, ``isdigit`` and ``int`` know the blanks and digits of all scripts; a line
that has some would be read one way here and another way by every other program.
"""

from __future__ import annotations

import re

from quoridor_net.notation.errors import Unparsable

#: The characters that separate words, and the line ends.
BLANKS = " \t\n\r\v\f"

#: Most characters of somebody's text that a message repeats.
SHOWN = 40

_WORD = re.compile(rf"[^{BLANKS}]+")


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
        Unparsable: the text is no such number.
    """
    if text.isascii() and text.isdigit():
        digits = text.lstrip("0") or "0"
        if len(digits) <= len(str(most)) and least <= int(digits) <= most:
            return int(digits)
    raise Unparsable(f"expected a number from {least} to {most}, not {quoted(text)}")
