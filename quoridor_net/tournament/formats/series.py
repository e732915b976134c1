"""A match: a fixed number of games between two entrants."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from quoridor_net.tournament.formats.base import Field, Format, Round
from quoridor_net.tournament.requirements import RequirementPhrase


@frozen
class Series(Format):
    """A match of ``games`` games. Entrant 2 moves first, or, with ``swap``, in every second game.

    A round is one game; with ``swap``, two.
    """

    games: int
    swap: bool = False

    def next_round(self, field: Field) -> Round | None:
        """Return the next game or two."""
        left = self.games - len(field.meetings)
        games = ((2, 1), (1, 2))[: min(left, 1 + self.swap)]
        return Round(games, (field.rounds + 1 if self.swap else 0,) * len(games)) if games else None

    def check(self, names: Sequence[str]) -> None:
        """Refuse any number of entrants but two.

        Raises:
            ValueError: there are more or fewer.
        """
        if len(names) != 2:
            raise ValueError(RequirementPhrase.MATCH(entrants=len(names)))
