"""Entrants choose their names themselves, so two may choose the same."""

from __future__ import annotations

from collections.abc import Iterable


def tell_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names with a number added to every one that was taken before: ``bob``, ``bob#2``."""
    names = tuple(names)
    taken = set(names)
    told: list[str] = []
    for name in names:
        own, number = name, 1
        while own in told or (number > 1 and own in taken):
            number += 1
            own = f"{name}#{number}"
        told.append(own)
    return tuple(told)
