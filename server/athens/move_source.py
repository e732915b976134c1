"""Where the moves of an Athens engine come from."""

from __future__ import annotations

import abc

from quoridor_net.protocols.athens import AthensGame, MoveWanted
from quoridor_net.rules import Move


class MoveSource(abc.ABC):
    """What answers ``genmove``."""

    async def prepare(self) -> None:  # noqa: B027 - most sources have nothing to prepare
        """Make ready for a game. Called when one begins anew, before that is answered: no clock runs."""

    @abc.abstractmethod
    async def choose(self, wanted: MoveWanted, game: AthensGame) -> Move:
        """Return a legal move for ``wanted``; ``game`` is the session's and not to be changed.

        Raises:
            ForfeitError: there is none to be had; the sentence says why.
        """

    @abc.abstractmethod
    async def leave(self) -> None:
        """Release what is held. Called once, at the end of the session."""
