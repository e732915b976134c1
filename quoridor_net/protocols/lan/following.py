"""A move server's view of the game: the position, kept by what the client reports.

See docs/decisions.md, Protocol.
"""

from __future__ import annotations

from collections.abc import Callable

from quoridor_net.output import ignore
from quoridor_net.protocols.lan.messages import Atari, Game, Gote, Kikashi
from quoridor_net.rules import IllegalMoveError, Jumps, Move, Position, Step, Termination

#: Most moves in one game. Clients call a game a draw long before.
MAX_MOVES = 10_000


class ImpossibleReportError(Exception):
    """The client reported something that no jump rule allows; the message says what."""


class FollowedGame:
    """One game as one of its players sees it, from GAME on.

    The client is the referee: moves that are legal under either jump rule are followed, and moves out of the
    expected order of play too, since clients of the class differ in both.

    Args:
        game: the message that began the game.
        jumps: the jump rule by which this player moves.
        warn: called with a sentence about the client when it deviates from the expected rules, once for each
            kind of deviation.

    Attributes:
        player: the player number of this server.
        names: by player number, from player 1.
        position: the position after everything that was reported. Not to be changed.
        moves: how many moves were reported.
        winner: the player that KIKASHI named; None before it came.
    """

    def __init__(
        self, game: Game, jumps: Jumps = Jumps.OFFICIAL, warn: Callable[[str], None] = ignore
    ) -> None:
        self.player = game.player
        self.names = game.names
        self.position = Position(players=len(game.names), jumps=jumps)
        self.moves = 0
        self.winner: int | None = None
        self._warn = warn
        self._keeps_order = True
        self._keeps_jumps = True

    @property
    def is_walkover(self) -> bool:
        """Whether all other players are out of the game."""
        return self.position.alive == (self.player,)

    @property
    def decided_winner(self) -> int | None:
        """The player that has won by what was reported before KIKASHI; None when there is none."""
        position = self.position
        return position.alive[0] if len(position.alive) == 1 else position.winner

    def follow(self, report: Atari | Gote | Kikashi) -> None:
        """Apply what the client reports; moves of this server itself are reported like all others.

        Raises:
            ImpossibleReportError: neither jump rule allows it; the position is unchanged.
        """
        match report:
            case Atari(player, move):
                self._follow_move(player, move)
            case Gote(player):
                self._follow_elimination(player)
            case Kikashi(player):
                self.winner = player
                if player != self.decided_winner:
                    self._warn(f"names player {player} as the winner, but {self._standing()}")

    def asked(self) -> Position:
        """Return a copy of the position in which this player was asked for a move, with it on turn.

        Under the official jump rule a player may have no legal move where the classroom rule has one; the
        copy is then under the classroom rule.

        Raises:
            ImpossibleReportError: the player is out of the game, or another one has reached its goal line.
        """
        what = f"asks player {self.player} for a move"
        position = self._with_turn(self.player, what).copy()
        # Steps first: to find all walls takes much longer.
        if not (position.legal_steps or position.legal_walls):
            # Under this rule there always is one: pawns are jumped up to the first free square of a path.
            position = position.copy(Jumps.CLASSROOM)
        self._note_order(self.position.turn, self.player, what)
        return position

    def walkover_step(self) -> Step:
        """Return the step to answer with when all others are out and the client goes on asking.

        No player has to think about a game that is won: the pawn walks to its goal line.
        """
        position = self.asked()
        way = position.shortest_path(self.player)
        steps = position.legal_steps
        return next((step for step in steps if step.square in way[1:2]), steps[0])

    def _follow_move(self, player: int, move: Move) -> None:
        if self.moves >= MAX_MOVES:
            raise ImpossibleReportError(f"reports more than {MAX_MOVES} moves")
        what = f"reports a move of player {player}, {move},"
        turn = self.position.turn
        position = self._with_turn(player, what)
        try:
            position.push(move)
        except IllegalMoveError as error:
            self._push_jump(position, player, error)
        self._note_order(turn, player, what)
        self.position = position
        self.moves += 1

    def _push_jump(self, position: Position, player: int, error: IllegalMoveError) -> None:
        """Play a move that is illegal in ``position``, if the classroom jump rule allows it."""
        move = error.move
        try:
            position.push(move, Jumps.CLASSROOM)
        except IllegalMoveError:
            raise ImpossibleReportError(f"reports an impossible move of player {player}: {error}") from None
        if self._keeps_jumps:
            self._keeps_jumps = False
            self._warn(
                f"lets player {player} play {move}, which only the classroom jump rule allows;"
                " this is followed, but this player goes on playing official moves"
            )

    def _with_turn(self, player: int, what: str) -> Position:
        """Return the position with ``player`` on turn: a changed copy, if that is not expected."""
        if self.position.turn == player:
            return self.position
        position = self.position.copy()
        try:
            position.give_turn(player)
        except ValueError as error:
            raise ImpossibleReportError(f"{what} but {error}") from None
        return position

    def _note_order(self, turn: int | None, player: int, what: str) -> None:
        """Warn, once, if it was the turn of another player than ``player``."""
        if turn not in {None, player} and self._keeps_order:
            self._keeps_order = False
            self._warn(f"{what} when it is the turn of player {turn}: its order of play is followed")

    def _follow_elimination(self, player: int) -> None:
        if player == self.player and self.is_walkover:
            # Nobody is left then, which is a position that the rules do not know.
            return
        try:
            self.position.eliminate(player)
        except ValueError as error:
            raise ImpossibleReportError(f"puts player {player} out of the game, but {error}") from None

    def _standing(self) -> str:
        winner = self.decided_winner
        if winner is None:
            return "no player has reached its goal line"
        if self.position.ending is Termination.GOAL:
            return f"player {winner} has reached its goal line"
        return f"all others than player {winner} are out of the game"
