"""The reference entrants of a league: those whose address is a player of the ladder hold its rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from quoridor_net.players.ladder import LADDER
from quoridor_net.players.spec import PlayerSpec, parse_spec
from quoridor_net.tournament.state import TournamentState


@cache
def _ratings() -> dict[tuple[str, object], float]:
    return {_key(parse_spec(rung.spec)): float(rung.elo) for rung in LADDER}


def _key(spec: PlayerSpec) -> tuple[str, object]:
    return spec.word, spec.thinking


def find_references(addresses: Sequence[str]) -> dict[int, float]:
    """Return the ratings of the reference entrants, in Elo with level 1 at 0, by number.

    Args:
        addresses: of all entrants, by number from 1.
    """
    known = _ratings()
    found = {}
    for number, address in enumerate(addresses, 1):
        spec = parse_spec(address) if address else None
        if spec is not None and spec.kind.is_built_in and _key(spec) in known:
            found[number] = known[_key(spec)]
    return found


class References:
    """The reference entrants of a league that is played; addresses are read again only after a change."""

    def __init__(self, state: TournamentState) -> None:
        self._state = state
        self._addresses: tuple[str, ...] = ()
        self._elo: Mapping[int, float] = {}

    @property
    def elo(self) -> Mapping[int, float]:
        """Their ratings, by number."""
        if self._state.addresses != self._addresses:
            self._addresses = self._state.addresses
            self._elo = find_references(self._addresses)
        return self._elo
