"""Limits on connections and games of a server, fair between addresses."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

#: Maximum number of connections without a place.
MAX_WAITING = 64


class Guest(Protocol):
    """One connection."""

    @property
    def address(self) -> str:
        """The address of the client, the same for all connections of one machine."""

    @property
    def is_idle(self) -> bool:
        """Whether the peer has been silent long enough to lose its place to another."""

    def turn_away(self, sentence: str) -> None:
        """End the connection; ``sentence`` says why."""


class Strangers:
    """The connections of one server that have no place yet.

    If there are too many, the address with the most connections loses its oldest one, so that no address can
    keep others out.
    """

    def __init__(self) -> None:
        # In order of arrival.
        self._guests: dict[Guest, None] = {}

    def enter(self, guest: Guest) -> None:
        """Add ``guest``; turn one away if there are too many."""
        self._guests[guest] = None
        if len(self._guests) > MAX_WAITING:
            numbers = Counter(other.address for other in self._guests)
            most = max(numbers.values())
            oldest = next(other for other in self._guests if numbers[other.address] == most)
            self.leave(oldest)
            oldest.turn_away("closed: too many silent connections")

    def leave(self, guest: Guest) -> None:
        """Forget ``guest``."""
        self._guests.pop(guest, None)


class Places:
    """The places of one server.

    An address without a place gets one even when all are taken, unless every other address has only one. So
    one address may use all places while no other wants one, but cannot keep others out. There are never more
    than twice as many games as places.

    A silent guest keeps its place until another guest needs it, because its peer may be waiting for another
    player's long move.

    Args:
        games: number of places.
    """

    def __init__(self, games: int) -> None:
        self._games = games
        self._waiting = Strangers()
        # In order of arrival.
        self._playing: dict[Guest, None] = {}

    def enter(self, guest: Guest) -> None:
        """Add ``guest`` without a place; see :class:`Strangers`."""
        self._waiting.enter(guest)

    def take(self, guest: Guest) -> bool:
        """Give ``guest`` a place unless it has one; return whether it has one now."""
        if guest not in self._playing and not self._has_place_for(guest.address):
            idle = next((other for other in self._playing if other.is_idle), None)
            if idle is None:
                return False
            self.leave(idle)
            idle.turn_away("closed: silent for too long, and another client needed the place")
        self._waiting.leave(guest)
        self._playing[guest] = None
        return True

    def leave(self, guest: Guest) -> None:
        """Forget ``guest`` and free its place."""
        self._waiting.leave(guest)
        self._playing.pop(guest, None)

    def _has_place_for(self, address: str) -> bool:
        taken = len(self._playing)
        if taken < self._games:
            return True
        numbers = Counter(guest.address for guest in self._playing)
        return address not in numbers and taken < 2 * self._games and max(numbers.values()) > 1
