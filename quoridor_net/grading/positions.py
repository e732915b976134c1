"""Positions of a graded game as its author needs them: drawn, and as the lines to send to the program."""

from __future__ import annotations

from quoridor_net.grading.grade import Mistake
from quoridor_net.moves import STANDARD_SIZE
from quoridor_net.notation import athens
from quoridor_net.protocols.lan.messages import Atari, Game, Hello, Myoushu, encode
from quoridor_net.rules.diagram import draw, explain_drawing, plain
from quoridor_net.rules.picture import BoardPicture

#: Names of the players in the lines of a position.
_NAMES = ("one:bot", "two:bot")


def draw_mistake(mistake: Mistake, picture: BoardPicture) -> list[str]:
    """Return the lines of a drawing with both moves."""
    drawing = draw(mistake.position, refused=mistake.played, picture=picture, suggested=mistake.better)
    return [line for line in plain(drawing) if line.strip()]


def explain_mistake(mistake: Mistake, picture: BoardPicture) -> str:
    """Return the legend of the drawing, as a sentence."""
    write = picture.notation(STANDARD_SIZE).format_move
    played, better = (
        f"the move played, {write(mistake.played)}",
        f"the better move, {write(mistake.better)}",
    )
    return f"{explain_drawing(mistake.position, picture, played, better)}."


def lines_to(mistake: Mistake, picture: BoardPicture) -> list[str]:
    """Return the lines that bring a program to the position and ask it for its move."""
    player, plies = mistake.game.seat, mistake.game.plies[: mistake.ply - 1]
    moves = [(ply.player, ply.move) for ply in plies if ply.move is not None]
    if picture is BoardPicture.ATHENS:
        played = [athens.format_play(mover, move) for mover, move in moves]
        genmove = f"genmove {athens.COLOUR_OF_PLAYER[player]}"
        return [f"boardsize {STANDARD_SIZE}", "clear_board", *played, genmove]
    messages = [Hello(), Game(player, _NAMES), *(Atari(mover, move) for mover, move in moves), Myoushu()]
    return [encode(message).decode("ascii").rstrip() for message in messages]
