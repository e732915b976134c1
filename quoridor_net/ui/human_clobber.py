"""Clobber for a person at the console."""

from __future__ import annotations

from quoridor_net.clobber import ClobberPosition, Colour, Move, parse_move
from quoridor_net.clobber.diagram import draw, stone_sign
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.simple import MobilityPlayer
from quoridor_net.rules.diagram import Line
from quoridor_net.ui.console import Console
from quoridor_net.ui.human import COMMANDS_HELP, HumanPlayer

_HELP = f"""\
  move:  a1b1 or a 1 b 1
         your stone on a1 takes the opposing stone on b1, next to it
{COMMANDS_HELP}
A player without a legal move has lost."""


class HumanClobberPlayer(HumanPlayer[ClobberPosition, Move]):
    """A person who plays Clobber at a console."""

    leaving = "Leave the tournament?"
    leaving_termination = Termination.ABORTED
    help = _HELP

    def __init__(self, console: Console, name: str = "human") -> None:
        super().__init__(console, name, MobilityPlayer(0))

    def _introduce(self) -> None:
        turn = "and begin" if self._me == 1 else "and your opponent begins"
        self._say(f"you are {self._label(self._me)} {turn}.")

    def _parse(self, text: str) -> Move:
        return parse_move(text.strip().lower())

    def _label(self, player: int) -> str:
        return f"{Colour(player)} {stone_sign(Colour(player), self._console.glyphs)}"

    def _outcome(self, result: Result) -> str:
        if result.winner is None:
            return "it was aborted"
        by_rules = result.termination is Termination.NO_MOVES
        if result.winner == self._me:
            return "you win, your opponent " + ("has no move" if by_rules else "broke the rules")
        if by_rules:
            return "you lose, you have no move"
        if self._has_resigned:
            return "you lose, you gave up"
        return "you lose, the server did not accept your move or did not get it in time"

    def _draw_board(self, *, with_moves: bool) -> tuple[list[Line], str]:
        text = " ".join(map(str, self._position.legal_moves)) if with_moves else self._last
        return draw(self._position, self._console.glyphs), text
