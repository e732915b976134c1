"""Metadata of a recorded game: comments of the form ``# Key: value`` (qtp-replay-2026 section 7)."""

from __future__ import annotations

import re

from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.replay import OUTCOME_KEYS
from quoridor_net.replay.text import MAX_LINE

#: Lines of metadata that a game has at most.
MAX_METADATA = 10_000

#: Characters of a result or of a termination that count.
MAX_OUTCOME = 1000

# A longer word before a colon is no key: with its value it might not fit into a line again.
_MAX_KEY = 64

_METADATA = re.compile(r"#[ \t]*([A-Za-z][A-Za-z0-9-]*):(.*)", re.DOTALL)


def parse_metadata(text: str) -> tuple[str, str] | None:
    """Return the key and the value of a metadata line; None when the line is a mere comment."""
    match = _METADATA.fullmatch(text)
    return None if match is None or len(match[1]) > _MAX_KEY else (match[1], match[2].strip())


def format_metadata(key: str, value: str) -> str:
    """Return the metadata line, with whatever could break the line replaced by ``?``, cut where too long."""
    return f"# {key}: {_shown(value)}"[:MAX_LINE].rstrip()


def _shown(value: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in value)


class Metadata:
    """The metadata of a game being read.

    Attributes:
        pairs: keys and values in order.
        places: the lines of those that tell the outcome, by key.
    """

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []
        self.places: dict[str, int] = {}

    def add(self, key: str, value: str, line: int) -> None:
        """Note a pair that stands in ``line``.

        Raises:
            ReplayError: it tells an outcome that was told before, or there are too many.
        """
        if key in OUTCOME_KEYS:
            if key in self.places:
                sentence = RecordPhrase.GIVEN_TWICE(key=key, line=self.places[key])
                raise ReplayError(Fault.CONTRADICTION, sentence, line, 1)
            self.places[key] = line
            # Outcomes are compared, so what is read must be what is written.
            value = _shown(value[:MAX_OUTCOME].rstrip())
        if len(self.pairs) >= MAX_METADATA:
            sentence = RecordPhrase.MANY_METADATA(most=MAX_METADATA)
            raise ReplayError(Fault.SYNTAX, sentence, line, 1)
        self.pairs.append((key, value))
