"""What ``quoridor replay show`` puts on the terminal or into a pipe."""

from __future__ import annotations

import sys

import click
from rich.console import Console

from quoridor_net.notation import standard
from quoridor_net.players.colours import coloured
from quoridor_net.replay import Replay
from quoridor_net.rules import Ply
from quoridor_net.rules.diagram import glyphs_for, plain
from quoridor_net.text import visible
from quoridor_net.ui.replay_view import KEYS, ReplayView


def step_through(game: Replay) -> None:
    """Show the game on a terminal, going where the keys lead."""
    console = Console(highlight=False)
    view = ReplayView(game, glyphs_for(console.encoding))
    with console.screen(hide_cursor=True):
        going = True
        while going:
            console.clear()
            console.print(coloured(view.lines(console.width)), end="\n\n")
            console.print(KEYS, style="dim", end="")
            try:
                going = view.type(click.getchar())
            except (EOFError, KeyboardInterrupt):
                going = False
    console.print(coloured(view.lines(console.width)))


def print_position(game: Replay, ply: int) -> None:
    """Print the position after ``ply`` plies."""
    console = Console(highlight=False)
    view = ReplayView(game, glyphs_for(sys.stdout.encoding))
    view.ply = ply
    lines = view.lines(console.width)
    if console.is_terminal:
        console.print(coloured(lines), crop=False)
    else:
        click.echo("\n".join(plain(lines)))


def print_game(game: Replay) -> None:
    """Print a line for every ply, then the last position."""
    names = [visible(name) for name in game.names]
    for number, ply in enumerate(game.plies, 1):
        click.echo(f"{number:>4} {names[ply.player - 1]}: {_told(ply)}")
    click.echo()
    print_position(game, len(game.plies))


def _told(ply: Ply) -> str:
    return "is out" if ply.move is None else f"{standard.format_move(ply.move)} {ply.move}"
