"""Positions of a graded game as its author needs them: drawn, and as the lines to send to the program."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from quoridor_net.grading.grade import Mistake
from quoridor_net.moves import STANDARD_SIZE
from quoridor_net.notation import Notation, athens
from quoridor_net.notation.lan import LAN
from quoridor_net.protocols.lan.messages import Atari, Game, Hello, Myoushu, encode
from quoridor_net.rules import Ply
from quoridor_net.rules.diagram import (
    ATHENS_COORDINATES,
    LAN_COORDINATES,
    PLAYERS,
    Coordinates,
    draw,
    explain_drawing,
    plain,
)

#: Names of the players in the lines of a position.
_NAMES = ("one:bot", "two:bot")


@frozen
class Dialect:
    """How a protocol names squares and sends a game.

    Attributes:
        coordinates: the names of columns and rows around a board.
        is_lan: whether it is the 2016 protocol; otherwise it is the Athens protocol.
    """

    coordinates: Coordinates
    is_lan: bool

    def lines_to_send(self, player: int, plies: Sequence[Ply]) -> list[str]:
        """Return the lines that set up a position of two players and ask ``player`` for its move."""
        if self.is_lan:
            reports = [Atari(ply.player, ply.move) for ply in plies if ply.move is not None]
            messages = [Hello(), Game(player, _NAMES), *reports, Myoushu()]
            return [encode(message).decode("ascii").rstrip() for message in messages]
        moves = [athens.format_play(ply.player, ply.move) for ply in plies if ply.move is not None]
        genmove = f"genmove {athens.COLOUR_OF_PLAYER[player]}"
        return [f"boardsize {STANDARD_SIZE}", "clear_board", *moves, genmove]


def dialect_of(notation: Notation) -> Dialect:
    """Return the dialect of the protocol with a notation."""
    is_lan = notation == LAN
    return Dialect(LAN_COORDINATES if is_lan else ATHENS_COORDINATES, is_lan)


def draw_mistake(mistake: Mistake, notation: Notation) -> list[str]:
    """Return the lines of a drawing with both moves."""
    drawing = draw(
        mistake.position,
        refused=mistake.played,
        suggested=mistake.better,
        coordinates=dialect_of(notation).coordinates,
    )
    return [line for line in plain(drawing) if line.strip()]


def explain_mistake(mistake: Mistake, notation: Notation) -> str:
    """Return the legend of the drawing, as a sentence."""
    write = notation.format_move
    played = f"the move played, {write(mistake.played)}"
    names = PLAYERS if dialect_of(notation).is_lan else ("black", "white")
    better = f"the better move, {write(mistake.better)}"
    return f"{explain_drawing(mistake.position, played, better, names)}."


def lines_to(mistake: Mistake, notation: Notation) -> list[str]:
    """Return the lines that bring a program to the position and ask it for its move."""
    plies = mistake.game.plies[: mistake.ply - 1]
    return dialect_of(notation).lines_to_send(mistake.game.seat, plies)
