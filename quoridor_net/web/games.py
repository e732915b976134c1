"""The games of a site, by number."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence

from quoridor_net.replay import Replay
from quoridor_net.web.live import LiveGame
from quoridor_net.web.seat import Seat


class Games(abc.ABC):
    """The games of a site. Unless a class says otherwise, all are live and have no seats."""

    @abc.abstractmethod
    def find(self, number: int) -> LiveGame | None:
        """Return a game that spectators can follow; None if there is none."""

    async def document(self, number: int) -> str | None:
        """Return the events of a game as one JSON object; None if there is no such game."""
        game = self.find(number)
        return None if game is None else game.document()

    async def replay(self, number: int) -> Replay | None:
        """Return a game so far; None if there is no such game or it has not begun."""
        game = self.find(number)
        return None if game is None else game.replay()

    def seats(self, number: int) -> Sequence[Seat]:
        """Return the seats of a game for people at browsers."""
        return ()


class LiveGames(Games):
    """Games in progress.

    Args:
        games: by number, from 1.
        seats: seats of the games that have any, by the same number.
    """

    def __init__(
        self, games: Mapping[int, LiveGame], seats: Mapping[int, Sequence[Seat]] | None = None
    ) -> None:
        self._games = games
        self._seats = {} if seats is None else seats

    def find(self, number: int) -> LiveGame | None:
        """Return the game, which may still wait for its players; None if there is none."""
        return self._games.get(number)

    def seats(self, number: int) -> Sequence[Seat]:
        """Return the seats of a game for people at browsers."""
        return self._seats.get(number, ())
