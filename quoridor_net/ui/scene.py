"""What can be seen of a match at one moment, gathered from its events."""

from __future__ import annotations

from attrs import frozen

from quoridor_net.match import Event, GameEnded, GameStarted, MoveMade, MoveRequested, PlayerOut, TurnPassed
from quoridor_net.outcome import Result
from quoridor_net.rules import Move, Position


@frozen
class Asked:
    """Who is thinking, and since when, in seconds of the clock of the display."""

    player: int
    since: float


class Scene:
    """The state of one match.

    Args:
        started: the first event of the match.

    Attributes:
        names: by player number, from player 1.
        position: the present position; it belongs to the match.
        move_time: seconds for a move; None when there is no limit.
        plies: number of moves made.
        asked: who is thinking; None between moves and after the end.
        happened: moves and passes, oldest first.
        outs: players that are out, in that order.
        refused: the illegal move that was the last thing to happen; None after anything else.
        result: how the game ended; None while it goes on.
    """

    def __init__(self, started: GameStarted) -> None:
        self.names = started.names
        self.position: Position = started.position
        self.move_time = started.move_time
        self.plies = 0
        self.asked: Asked | None = None
        self.happened: list[MoveMade | TurnPassed] = []
        self.outs: list[PlayerOut] = []
        self.refused: Move | None = None
        self.result: Result | None = None

    def take(self, event: Event, now: float) -> None:
        """Take in the next event, which happened at ``now``."""
        match event:
            case MoveRequested(player):
                self.asked = Asked(player, now)
            case MoveMade():
                self.position, self.plies, self.asked = event.position, event.ply, None
                self.refused = None
                self.happened.append(event)
            case TurnPassed():
                self.happened.append(event)
            case PlayerOut():
                self.position, self.refused = event.position, event.move
                self.outs.append(event)
                if self.asked is not None and self.asked.player == event.player:
                    self.asked = None
            case GameEnded(result, position=position):
                self.result, self.position, self.asked = result, position, None
            case GameStarted():
                raise AssertionError("one scene shows one match")
