"""Sentences for people that are data besides: a phrase from a list, and the values in its places.

The English of a phrase stands in its list, for terminals and for whoever reads ``sentence`` in JSON. Whoever
speaks another language looks the phrase up by its code: the pages in the browser do, in their files of texts.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any, Self

#: What may stand in a place of a phrase; a tuple is a list, with commas between.
Value = str | int | float | tuple[str, ...]

#: How deep phrases may stand in phrases: nine, when nobody of four came, each for a reason of its own.
MAX_DEPTH = 12


class Translatable(str):
    """A text in English of which it is known how it was made.

    Attributes:
        data: ``{"code": CODE, "values": {NAME: VALUE}}`` for a phrase, ``{"place": TEXT}`` for a square or a
            move in the 2016 notation; None for a text that nobody translates.
    """

    __slots__ = ("data",)

    data: Mapping[str, Any] | None

    def __new__(cls, text: str, data: Mapping[str, Any] | None = None) -> Self:
        """Return ``text`` with what is known of it."""
        made = super().__new__(cls, text)
        made.data = data
        return made


class Phrase(enum.Enum):
    """Base of the lists of phrases.

    The value of a member is its English, with names in braces where values stand; a second text is for a
    ``count`` of 1. Calling the member fills the places in.
    """

    @property
    def texts(self) -> tuple[str, ...]:
        """The English, and that for a ``count`` of 1 if it is another."""
        return (self.value,) if isinstance(self.value, str) else self.value

    @property
    def places(self) -> frozenset[str]:
        """The names of the places."""
        return frozenset(name for _, name, _, _ in Formatter().parse(self.texts[0]) if name is not None)

    @property
    def code(self) -> str:
        """What it is called in JSON and in files of texts."""
        family = type(self).__name__.removesuffix("Phrase")
        return f"{family}.{self.name}".lower()

    def __call__(self, **values: Value) -> Translatable:
        """Return the sentence with ``values`` in its places.

        Raises:
            TypeError: the phrase has other places.
        """
        if values.keys() != self.places:
            raise TypeError(f"{self} has the places {sorted(self.places)}, not {sorted(values)}")
        english = self.texts[-1 if values.get("count") == 1 else 0]
        written = english.format(**{name: _written(value) for name, value in values.items()})
        data = {name: _as_data(value) for name, value in values.items()}
        return Translatable(written, {"code": self.code, "values": data})


def place(written: str, lan: str) -> Translatable:
    """Return a square or a move as it is ``written`` for the reader, and in the 2016 notation."""
    return Translatable(written, {"place": lan})


def phrase_of(text: str) -> Mapping[str, Any] | None:
    """Return the phrase that ``text`` was made of, as an object for JSON; None if it was made of none."""
    return text.data if isinstance(text, Translatable) else None


def translatable(text: str, data: object) -> Translatable:
    """Return a text with the phrase that an object of JSON tells, as anybody might have written it.

    Raises:
        ValueError: it tells none.
    """
    if data is not None and not _is_phrase(data, MAX_DEPTH):
        raise ValueError("expected a code and values")
    return Translatable(text, data if isinstance(data, dict) else None)


def _is_phrase(data: object, depth: int) -> bool:
    match data:
        case {"code": str(), "values": dict(values), **others} if not others and depth:
            return all(isinstance(name, str) and _is_value(value, depth) for name, value in values.items())
    return False


def _is_value(value: object, depth: int) -> bool:
    match value:
        case str() | int() | float() | {"place": str()}:
            return True
        case list():
            return all(isinstance(each, str) or _is_phrase(each, depth - 1) for each in value)
    return _is_phrase(value, depth - 1)


def _written(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _as_data(value: Value) -> Any:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_as_data(each) for each in value]
    data = phrase_of(value) if isinstance(value, str) else None
    if data is not None:
        return data
    # More digits than are written would only make lines long; and a text is not more than its letters.
    if isinstance(value, float):
        return float(f"{value:g}")
    return str(value) if isinstance(value, str) else value


def text_of(error: Exception) -> str:
    """Return the message of ``error``, with what is known of it."""
    return error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)
