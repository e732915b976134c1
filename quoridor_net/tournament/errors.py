"""What keeps a game or an event of a tournament from taking place."""

from __future__ import annotations

from collections.abc import Mapping

from quoridor_net.phrases import Translatable


class StateError(ValueError):
    """An event that cannot follow those before it."""


class ShortageError(Exception):
    """The machine lacks resources for another game, which ended void; the message names the shortage."""


class AbsenceError(Exception):
    """A game of a league cannot start, because entrants do not answer.

    Args:
        absences: the reason for each of them, as a clause without a subject, by number.
    """

    def __init__(self, absences: Mapping[int, Translatable]) -> None:
        super().__init__("; ".join(absences.values()))
        self.absences = absences
