"""A move server's view of the game: the position, updated from the client's reports.

See docs/decisions.md, Protocol.
"""

from __future__ import annotations

from collections.abc import Callable

from quoridor_net.output import ignore
from quoridor_net.protocols.lan.messages import Atari, Game, Gote, Kikashi
from quoridor_net.rules import IllegalMoveError, Jumps, Move, Position, Step, Termination

#: Maximum length of a game, in moves. Clients declare a draw long before.
MAX_MOVES = 10_000


class ImpossibleReportError(Exception):
    """The client reported something that no jump rule allows; the message names it."""


class FollowedGame:
    """One game as one of its players sees it, from GAME on.

    The client is the referee. Moves legal under either jump rule are accepted, and so are moves out of the
    expected order of play, because clients of the class differ in both.

    Args:
        game: the message that began the game.
        jumps: the jump rule for this player's own moves.
        warn: called with a clause about the client when it deviates from the expected rules, once for each
            kind of deviation.

    Attributes:
        player: the player number of this server.
        names: the names of the players, by number from 1.
        position: the position after all reports. Do not change it.
        moves: number of moves reported.
        winner: the player named by KIKASHI; None before it arrives.
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
        """The winner according to the reports before KIKASHI; None if there is none."""
        position = self.position
        return position.alive[0] if len(position.alive) == 1 else position.winner

    def follow(self, report: Atari | Gote | Kikashi) -> None:
        """Apply a report; the client reports this server's own moves like all others.

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
                    self._warn(f"names player {player} as the winner, but {self._describe_standing()}")

    def take_request(self) -> Position:
        """Return a copy of the position, with this player on turn, to choose a requested move from.

        If the official jump rule leaves no legal move, the copy uses the classroom rule.

        Raises:
            ImpossibleReportError: the player is out of the game, or another one has reached its goal line.
        """
        what = f"asks player {self.player} for a move"
        position = self._with_turn(self.player, what).copy()
        # Steps first, because finding all walls takes much longer.
        if not (position.legal_steps or position.legal_walls):
            # This rule always leaves a move: a pawn jumps to the first free square on its path.
            position = position.copy(Jumps.CLASSROOM)
        self._note_order(self.position.turn, self.player, what)
        return position

    def walkover_step(self) -> Step:
        """Return a step towards the goal line, for a client that requests moves after all others are out.

        The game is already won, so no search is needed.
        """
        position = self.take_request()
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
        """Make a move that is illegal in ``position`` if the classroom jump rule allows it."""
        move = error.move
        try:
            position.push(move, Jumps.CLASSROOM)
        except IllegalMoveError:
            raise ImpossibleReportError(f"reports an impossible move of player {player}: {error}") from None
        if self._keeps_jumps:
            self._keeps_jumps = False
            self._warn(
                f"lets player {player} play {move}, which only the classroom jump rule allows;"
                " the move is accepted, but this server still plays official moves only"
            )

    def _with_turn(self, player: int, what: str) -> Position:
        """Return the position with ``player`` on turn; a copy if it is another player's turn."""
        if self.position.turn == player:
            return self.position
        position = self.position.copy()
        try:
            position.give_turn(player)
        except ValueError as error:
            raise ImpossibleReportError(f"{what} but {error}") from None
        return position

    def _note_order(self, turn: int | None, player: int, what: str) -> None:
        """Warn, once, if it was not the turn of ``player``."""
        if turn not in {None, player} and self._keeps_order:
            self._keeps_order = False
            self._warn(f"{what} when it is the turn of player {turn}: its order of play is followed")

    def _follow_elimination(self, player: int) -> None:
        if player == self.player and self.is_walkover:
            # The rules have no position without players.
            return
        try:
            self.position.eliminate(player)
        except ValueError as error:
            raise ImpossibleReportError(f"eliminates player {player}, but {error}") from None

    def _describe_standing(self) -> str:
        winner = self.decided_winner
        if winner is None:
            return "no player has reached its goal line"
        if self.position.ending is Termination.GOAL:
            return f"player {winner} has reached its goal line"
        return f"all players except player {winner} are out of the game"
