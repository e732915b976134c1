"""A person who plays Clobber."""

from __future__ import annotations

from quoridor_net.clobber import Colour, Move, Position
from quoridor_net.outcome import Termination
from quoridor_net.players.base import Clock
from quoridor_net.players.clobber.base import ClobberPlayer, Moved, Over, PlayerEvent
from quoridor_net.players.clobber.simple import MobilityPlayer
from quoridor_net.players.human import UserInterface, ask_for_move

_SEATS = {Colour.BLACK: 1, Colour.WHITE: 2}


class HumanPlayer(ClobberPlayer):
    """A person who plays Clobber; returns only legal moves.

    Args:
        interface: where the person sees the games and answers.
        name: how the player is called.
    """

    def __init__(self, interface: UserInterface[Position, Move], name: str = "human") -> None:
        self.name = name
        self._interface = interface

    async def begin(self, colour: Colour, position: Position) -> None:
        """Show the person who begins."""
        self._interface.begin(_SEATS[colour], (), position)

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Ask until the person answers with a legal move.

        Raises:
            ForfeitError: the person resigns (``resigned``), or there is no more input (``aborted``).
        """
        return await ask_for_move(
            self._interface,
            position,
            lambda: MobilityPlayer(0).choose(position.copy(), Clock()),
            Termination.ABORTED,
        )

    async def notify(self, event: PlayerEvent) -> None:
        """Show what happened."""
        match event:
            case Moved(colour, move):
                self._interface.show_move(_SEATS[colour], move)
            case Over(winner, offender):
                self._interface.show_end(
                    None if winner is None else _SEATS[winner], None if offender is None else _SEATS[offender]
                )
