"""The games of a tournament in columns, because a league may have a million of them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TypeVar, overload

from attrs import define, field

from quoridor_net.tournament.formats import Meeting
from quoridor_net.tournament.schedule import Pairing

T = TypeVar("T")

# Bits of the column of flags.
_PLAYED, _DECIDED = 1, 2


class _Shared(list[T]):
    """Different values, each once; the columns have their indices."""

    def __init__(self) -> None:
        super().__init__()
        self._places: dict[T, int] = {}

    def place(self, value: T) -> int:
        """Return the index of a value, which is added if it is new."""
        found = self._places.setdefault(value, len(self))
        if found == len(self):
            self.append(value)
        return found


def _make_column() -> array[int]:
    return array("I")


@define
class GameTable(Sequence[Meeting]):
    """The games, by number from 1; as a sequence, the meetings that formats see. A game takes 14 bytes."""

    _rounds: array[int] = field(factory=_make_column, init=False)
    _pairs: array[int] = field(factory=_make_column, init=False)
    _seats: array[int] = field(factory=_make_column, init=False)
    _points: bytearray = field(factory=bytearray, init=False)
    _flags: bytearray = field(factory=bytearray, init=False)
    _known_seats: _Shared[tuple[int, ...]] = field(factory=_Shared, init=False)
    _known_points: _Shared[tuple[float, ...] | None] = field(factory=_Shared, init=False)

    def __len__(self) -> int:
        return len(self._flags)

    @overload
    def __getitem__(self, index: int) -> Meeting: ...
    @overload
    def __getitem__(self, index: slice) -> list[Meeting]: ...
    def __getitem__(self, index: int | slice) -> Meeting | list[Meeting]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        return Meeting(
            self._rounds[index],
            self._known_seats[self._seats[index]],
            self._known_points[self._points[index]],
            self._pairs[index],
            bool(self._flags[index] & _PLAYED),
        )

    def add(self, pairing: Pairing) -> None:
        """Add the next game."""
        self._rounds.append(pairing.round)
        self._pairs.append(pairing.pair)
        self._seats.append(self._known_seats.place(pairing.seats))
        self._points.append(self._known_points.place(None))
        self._flags.append(_PLAYED)

    def score(
        self, game: int, points: tuple[float, ...] | None, *, is_played: bool = True, is_decided: bool = False
    ) -> None:
        """Set the points of a game, and whether it is decided."""
        self._points[game - 1] = self._known_points.place(points)
        self._flags[game - 1] = _PLAYED * is_played | _DECIDED * is_decided

    def pairing(self, game: int) -> Pairing:
        """Return the pairing of a game."""
        index = game - 1
        return Pairing(game, self._rounds[index], self._known_seats[self._seats[index]], self._pairs[index])

    def seats(self, game: int) -> tuple[int, ...]:
        """Return the entrants of a game, by seat."""
        return self._known_seats[self._seats[game - 1]]

    def is_decided(self, game: int) -> bool:
        """Return whether a game is over and not void."""
        return bool(self._flags[game - 1] & _DECIDED)

    def count_games(self, entrant: int) -> tuple[int, int]:
        """Return the numbers of games of an entrant that were played to a result, and that were paired."""
        own = {place for place, seats in enumerate(self._known_seats) if entrant in seats}
        flags = [flag for flag, place in zip(self._flags, self._seats, strict=True) if place in own]
        return flags.count(_PLAYED | _DECIDED), len(flags)
