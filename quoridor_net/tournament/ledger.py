"""The state of a tournament, made of its events alone: the same while it is played and when it is resumed."""

from __future__ import annotations

from collections.abc import Iterable

from quoridor_net.tournament.events import Began, Closed, Event, Finished, Opened, Played, Resumed
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.verdict import Verdict


class LedgerError(ValueError):
    """An event that cannot follow those before it."""


class Ledger:
    """What is known after a number of events.

    Attributes:
        opened: the beginning; None before it.
        verdicts: of the games that were played, by game number, in the order in which they ended.
        moves: the moves of the games that are going on, by game number.
        is_closed: whether the tournament is over.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.opened: Opened | None = None
        self.verdicts: dict[int, Verdict] = {}
        self.moves: dict[int, list[Played]] = {}
        self.is_closed = False
        # Games that came out void at least once; a tournament can end without their being played.
        self._void: set[int] = set()
        for event in events:
            self.apply(event)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names of the entrants, by number from 1; none before the beginning."""
        return () if self.opened is None else self.opened.entrants

    @property
    def games(self) -> int:
        """Number of games in the schedule."""
        return 0 if self.opened is None else len(self.opened.pairings)

    @property
    def pending(self) -> tuple[Pairing, ...]:
        """The games without a verdict, those that are going on included."""
        pairings = () if self.opened is None else self.opened.pairings
        return tuple(pairing for pairing in pairings if pairing.number not in self.verdicts)

    def pairing(self, game: int) -> Pairing:
        """Return who plays game ``game``.

        Raises:
            LedgerError: there is no such game.
        """
        if self.opened is None or not 1 <= game <= len(self.opened.pairings):
            raise LedgerError(f"there is no game {game}")
        return self.opened.pairings[game - 1]

    def results(self) -> list[tuple[Pairing, Verdict]]:
        """Return the games that were played, by number."""
        return [(self.pairing(game), self.verdicts[game]) for game in sorted(self.verdicts)]

    def apply(self, event: Event) -> None:
        """Note what happened.

        Raises:
            LedgerError: it cannot have happened.
        """
        if self.is_closed or (self.opened is None) is not isinstance(event, Opened):
            raise LedgerError(f"{type(event).__name__.lower()} cannot come here")
        match event:
            case Opened():
                self.opened = event
            case Resumed():
                self.moves.clear()
            case Closed():
                self._close()
            case Began(game):
                self._begin(game)
            case Played():
                self._play(event)
            case Finished(game, verdict):
                self._finish(game, verdict)

    def _close(self) -> None:
        if any(pairing.number not in self._void for pairing in self.pending):
            raise LedgerError("there are games without a result")
        self.is_closed = True

    def _begin(self, game: int) -> None:
        self.pairing(game)
        if game in self.verdicts:
            raise LedgerError(f"game {game} is over already")
        self.moves[game] = []

    def _play(self, move: Played) -> None:
        moves = self._going_on(move.game)
        if move.ply != len(moves) + 1 or move.seat > len(self.pairing(move.game).seats):
            raise LedgerError(f"this is not the next move of game {move.game}")
        moves.append(move)

    def _finish(self, game: int, verdict: Verdict) -> None:
        self._going_on(game)
        if len(verdict.points) != len(self.pairing(game).seats):
            raise LedgerError(f"game {game} has another number of players")
        del self.moves[game]
        if verdict.is_void:
            self._void.add(game)
        else:
            self.verdicts[game] = verdict

    def _going_on(self, game: int) -> list[Played]:
        moves = self.moves.get(game)
        if moves is None:
            raise LedgerError(f"game {game} is not going on")
        return moves
