"""A move server's view of the game: the position, kept by what the client reports (DESIGN section 5)."""

from __future__ import annotations

from quoridor_net.lan.messages import Atari, Game, Gote, Kikashi
from quoridor_net.rules import IllegalMove, Jumps, Position


class ImpossibleReport(Exception):
    """The client reported something that cannot have happened under these rules; the message says what."""


class FollowedGame:
    """One game as one of its players sees it, from GAME on.

    Args:
        game: the message that began the game.
        jumps: the jump rule it is followed by.

    Attributes:
        player: the player number of this server.
        names: by player number, from player 1.
        position: the position after everything that was reported. Not to be changed.
        winner: the player that KIKASHI named; None before it came.
    """

    def __init__(self, game: Game, jumps: Jumps = Jumps.OFFICIAL) -> None:
        self.player = game.player
        self.names = game.names
        self.position = Position(players=len(game.names), jumps=jumps)
        self.winner: int | None = None

    def follow(self, report: Atari | Gote | Kikashi) -> None:
        """Apply what the client reports; moves of this server itself are reported like all others.

        Raises:
            ImpossibleReport: by the rules it cannot have happened; the position is unchanged.
        """
        match report:
            case Atari(player, move):
                self.expect_turn_of(player, f"reports a move of player {player}, {move},")
                try:
                    self.position.push(move)
                except IllegalMove as error:
                    raise ImpossibleReport(
                        f"reports an impossible move of player {player}: {error}"
                    ) from None
            case Gote(player):
                try:
                    self.position.eliminate(player)
                except ValueError as error:
                    raise ImpossibleReport(f"puts player {player} out of the game, but {error}") from None
            case Kikashi(player):
                self.winner = player

    def expect_turn_of(self, player: int, what: str) -> None:
        """Check whose turn it is.

        Raises:
            ImpossibleReport: it is not the turn of ``player``; ``what`` says what the client did then.
        """
        if self.position.turn != player:
            turn = self.position.turn
            whose = "the game is over" if turn is None else f"it is the turn of player {turn}"
            raise ImpossibleReport(f"{what} but {whose}")
