"""User-facing sentences that carry structured data for translation.

A :class:`Phrase` holds the English, with named places for values. Terminals and ``sentence`` in JSON show the
English. A translator looks the phrase up by its code, as the pages in the browser do in their text files.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from functools import cached_property
from string import Formatter
from typing import Any, Self

#: A value for a place of a phrase; the elements of a tuple are joined by commas.
Value = str | int | float | tuple[str, ...]

#: Maximum nesting of phrases. The deepest real case has nine levels: four absent players with four reasons.
MAX_DEPTH = 12


class Translatable(str):
    """An English text with the data to translate it.

    Attributes:
        data: ``{"code": CODE, "values": {NAME: VALUE}}`` for a phrase, ``{"place": TEXT}`` for a square or a
            move in the 2016 notation; None for untranslatable text.
    """

    __slots__ = ("data",)

    data: Mapping[str, Any] | None

    def __new__(cls, text: str, data: Mapping[str, Any] | None = None) -> Self:
        """Return ``text`` with ``data`` attached."""
        made = super().__new__(cls, text)
        made.data = data
        return made


class Phrase(enum.Enum):
    """Base class of the phrase enums.

    The value of a member is its English, with a name in braces for each place. An optional second text is for
    a ``count`` of 1. Call the member to fill in the places.
    """

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The English text, followed by the one for a ``count`` of 1 if that differs."""
        return (self.value,) if isinstance(self.value, str) else self.value

    @cached_property
    def places(self) -> frozenset[str]:
        """The names of the places."""
        return frozenset(name for _, name, _, _ in Formatter().parse(self.texts[0]) if name is not None)

    @cached_property
    def code(self) -> str:
        """The key of the phrase in JSON and in text files."""
        family = type(self).__name__.removesuffix("Phrase")
        return f"{family}.{self.name}".lower()

    def __call__(self, **values: Value) -> Translatable:
        """Return the sentence with ``values`` in its places.

        Raises:
            TypeError: the names of ``values`` are not those of the places.
        """
        if values.keys() != self.places:
            raise TypeError(f"{self} has the places {sorted(self.places)}, not {sorted(values)}")
        english = self.texts[-1 if values.get("count") == 1 else 0]
        written = english.format(**{name: _write(value) for name, value in values.items()})
        data = {name: _as_data(value) for name, value in values.items()}
        return Translatable(written, {"code": self.code, "values": data})


def place(written: str, lan: str) -> Translatable:
    """Return a square or move as ``written`` for the reader, with its 2016 notation ``lan`` as data."""
    return Translatable(written, {"place": lan})


def phrase_of(text: str) -> Mapping[str, Any] | None:
    """Return the data of ``text`` as a JSON object; None if it has none."""
    return text.data if isinstance(text, Translatable) else None


def translatable(text: str, data: object) -> Translatable:
    """Return ``text`` with the phrase in ``data``, a JSON value from an untrusted source.

    Raises:
        ValueError: ``data`` does not describe a phrase.
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


def _write(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _as_data(value: Value) -> Any:
    if isinstance(value, tuple):
        return [_as_data(each) for each in value]
    data = phrase_of(value) if isinstance(value, str) else None
    if data is not None:
        return data
    # Keep only the digits that are shown, and turn str subclasses into plain str.
    if isinstance(value, float):
        return float(f"{value:g}")
    return str(value) if isinstance(value, str) else value


def text_of(error: Exception) -> str:
    """Return the message of ``error``, with its translation data if it has any."""
    return error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)
