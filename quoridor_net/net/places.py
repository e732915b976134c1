"""Who may be connected to a server, and who gets a place for a game or session: strangers keep nobody out."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

#: Most connections that hold no place.
MAX_WAITING = 64


class Guest(Protocol):
    """One connection."""

    @property
    def address(self) -> str:
        """Where the client is; the same for all connections of one machine."""

    @property
    def is_idle(self) -> bool:
        """Whether the peer has been silent for so long that its place may go to another."""

    def turn_away(self, sentence: str) -> None:
        """End the connection; ``sentence`` says why."""


class Strangers:
    """The connections of one server that hold no place yet.

    Where there are too many, one of the address that has most must go, so that no address keeps others out.
    """

    def __init__(self) -> None:
        # Ordered: the one that came first is the first.
        self._guests: dict[Guest, None] = {}

    def enter(self, guest: Guest) -> None:
        """Add ``guest``, and turn one away where there are too many."""
        self._guests[guest] = None
        if len(self._guests) > MAX_WAITING:
            numbers = Counter(other.address for other in self._guests)
            most = max(numbers.values())
            oldest = next(other for other in self._guests if numbers[other.address] == most)
            self.leave(oldest)
            oldest.turn_away("closed: too many connections have said nothing yet")

    def leave(self, guest: Guest) -> None:
        """Forget ``guest``."""
        self._guests.pop(guest, None)


class Places:
    """The places of one server.

    An address that has no place yet gets one even when all are taken, unless everybody has only one. So one
    address cannot keep others out, and may have all places while nobody else wants one. There are never more
    than twice as many games as places.

    A guest that fell silent keeps its place until another guest needs it: its peer may well wait for a third
    player, who thinks for as long as the rules of that game allow.

    Args:
        games: the number of places.
    """

    def __init__(self, games: int) -> None:
        self._games = games
        self._waiting = Strangers()
        # Ordered: the one that came first is the first.
        self._playing: dict[Guest, None] = {}

    def enter(self, guest: Guest) -> None:
        """Add ``guest``, which waits for a place; see :class:`Strangers`."""
        self._waiting.enter(guest)

    def take(self, guest: Guest) -> bool:
        """Give ``guest`` a place if it has none, and return whether it has one now."""
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
        """Forget ``guest``; its place is free again."""
        self._waiting.leave(guest)
        self._playing.pop(guest, None)

    def _has_place_for(self, address: str) -> bool:
        taken = len(self._playing)
        if taken < self._games:
            return True
        numbers = Counter(guest.address for guest in self._playing)
        return address not in numbers and taken < 2 * self._games and max(numbers.values()) > 1
