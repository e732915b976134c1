"""Text and bytes from outside, made fit to be shown."""

from __future__ import annotations

import re
import unicodedata

# Letters and signs without any width that count as printable, besides combining marks: fillers and the
# combining grapheme joiner (Unicode, Default_Ignorable_Code_Point).
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]")


def printable(data: bytes, limit: int = 80) -> str:
    """Return ``data`` as printable ASCII of at most ``limit`` characters, whatever it contains.

    Control characters and bytes beyond ASCII are written as escapes, so that no peer can steer the terminal
    of the person who reads them.
    """
    shown = repr(data[: limit + 1])[2:-1]
    if len(data) > limit or len(shown) > limit:
        shown = shown[: limit - 3] + "..."
    return shown


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
