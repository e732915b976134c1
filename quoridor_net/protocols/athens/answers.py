"""Parses engines' answers liberally, as engines of the Athens course write them, but never ambiguously."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from quoridor_net.notation.athens import parse_orientation, parse_vertex
from quoridor_net.protocols.athens.commands import SYNTAX_ERROR, UNKNOWN_COMMAND
from quoridor_net.rules import Move, Step, Wall
from quoridor_net.text import UnparsableError, split_words
from quoridor_net.verdicts import VerdictPhrase

RESIGN: Final = "resign"

# Cached, because the same few vertices recur in all games; a vertex off the board raises each time.
_parse_vertex = lru_cache(maxsize=1024)(parse_vertex)

_WORDS = re.compile(r"[^a-z]+")

# "e2" as the protocol says, or "e2h" as some engines write walls; a comma or full stop may follow.
_FIRST_WORD = re.compile(r"([a-y][0-9]{1,2})(h|v|horizontal|vertical)?[,.;:]?", re.ASCII | re.IGNORECASE)


def parse_genmove_answer(text: str, size: int) -> Move | Literal["resign"]:
    """Return the move in an answer to ``genmove``, or :data:`RESIGN`.

    Accepts ``E8``, ``e8``, ``E5 v``, ``E5 VERTICAL`` and ``e5v``; ignores words after the move.

    Raises:
        UnparsableError: the text begins with none of these, or with a vertex off the board.
    """
    words = split_words(text)
    if words and words[0].lower() == RESIGN:
        return RESIGN
    match = _FIRST_WORD.fullmatch(words[0]) if words else None
    if match is None:
        raise UnparsableError(VerdictPhrase.EXPECTED_VERTEX())
    square = _parse_vertex(match[1], size)
    letter = match[2]
    if letter is None and len(words) > 1:
        following = words[1].rstrip(",.;:")
        if following.lower() in {"h", "v", "horizontal", "vertical"}:
            letter = following
    if letter is None:
        return Step(square)
    return Wall(square.column, square.row, parse_orientation(letter))


def is_understood(complaint: str) -> bool:
    """Return whether an engine that answers ``? complaint`` understood the command that it refuses.

    Section 2.6 has two messages for commands that are not understood. Case and punctuation do not matter.
    """
    words = _WORDS.sub(" ", complaint.lower()).strip()
    return not words.startswith((UNKNOWN_COMMAND, SYNTAX_ERROR))


def parse_boolean_answer(text: str) -> bool:
    """Return the boolean at the start of an answer to ``known_command`` or ``winner``, in any case.

    Raises:
        UnparsableError: it begins with neither true nor false.
    """
    word = (split_words(text) or [""])[0].lower()
    if word in {"true", "t"}:
        return True
    if word in {"false", "f"}:
        return False
    raise UnparsableError("expected true or false")
