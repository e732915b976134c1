"""Metadata of a recorded game: comments of the form ``# Key: value`` (qtp-replay-2026 section 7)."""

from __future__ import annotations

import re

from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.replay import OUTCOME_KEYS
from quoridor_net.replay.text import MAX_LINE

#: Maximum number of metadata lines in a game.
MAX_METADATA = 10_000

#: Maximum length of a result or termination, in characters; the rest is dropped.
MAX_OUTCOME = 1000

# Maximum length of a key, so that key and value fit in a line again.
_MAX_KEY = 64

_METADATA = re.compile(r"#[ \t]*([A-Za-z][A-Za-z0-9-]*):(.*)", re.DOTALL)


def parse_metadata(text: str) -> tuple[str, str] | None:
    """Return the key and value of a metadata line; None for any other comment."""
    match = _METADATA.fullmatch(text)
    return None if match is None or len(match[1]) > _MAX_KEY else (match[1], match[2].strip())


def format_metadata(key: str, value: str) -> str:
    """Return a metadata line, with ``?`` for unprintable characters, cut to the maximum length."""
    return f"# {key}: {_make_printable(value)}"[:MAX_LINE].rstrip()


def _make_printable(value: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in value)


class Metadata:
    """The metadata of a game being read.

    Attributes:
        pairs: keys and values in order.
        places: the lines of the outcome, by key.
    """

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []
        self.places: dict[str, int] = {}

    def add(self, key: str, value: str, line: int) -> None:
        """Add a pair from ``line``.

        Raises:
            ReplayError: it repeats an outcome, or there are too many pairs.
        """
        if key in OUTCOME_KEYS:
            if key in self.places:
                sentence = RecordPhrase.GIVEN_TWICE(key=key, line=self.places[key])
                raise ReplayError(Fault.CONTRADICTION, sentence, line, 1)
            self.places[key] = line
            # Change outcomes as in writing, because they are compared.
            value = _make_printable(value[:MAX_OUTCOME].rstrip())
        if len(self.pairs) >= MAX_METADATA:
            sentence = RecordPhrase.MANY_METADATA(most=MAX_METADATA)
            raise ReplayError(Fault.SYNTAX, sentence, line, 1)
        self.pairs.append((key, value))
