"""What a person sees of one game on the console: the drawn board, what stands beside it, and sentences."""

from __future__ import annotations

import textwrap

from quoridor_net.notation import standard
from quoridor_net.players.base import Seating
from quoridor_net.players.console import Console
from quoridor_net.players.human_input import COMMANDS_HELP
from quoridor_net.players.scoreboard import both_notations, scoreboard, shortened, way_of
from quoridor_net.rules import Move, Orientation, Position, Square, Wall
from quoridor_net.rules.diagram import STANDARD_CELL, Cell, Line, Look, Span, beside, draw

#: Columns of what stands beside the board, and fewer that it can do with below the board.
SIDE_WIDTH = 36
LEAST_WIDTH = 28

#: Columns of a name in a sentence.
NAME_WIDTH = 24

_HELP = f"""\
  a step:  e2  or (4, 1) or 4 1       letters and numbers: below and right
  a wall:  e3h or h (4, 2) or 4 2 h   pairs of numbers: at the top and left
           h lies below e3 and f3, v lies right of e3 and e4
{COMMANDS_HELP}"""


class HumanView:
    """One game, seen by the person who plays in it.

    Args:
        console: where it is shown.
        seating: who plays where.

    Attributes:
        position: the position to show.
        last: what happened last, a sentence.
        was_drawn: whether the board was drawn; after that, it is drawn with every change.
    """

    def __init__(self, console: Console, seating: Seating) -> None:
        self.position: Position = seating.position.copy()
        self.last = ""
        self.was_drawn = False
        self._console = console
        self._seating = seating
        self._game = console.number_game()

    def say(self, sentence: str) -> None:
        """Write a sentence about this game."""
        self._console.write(f"Game {self._game}: {sentence}")

    def introduce(self) -> None:
        """Tell who plays, and which way."""
        me, order = self._seating.player, self._seating.position.order
        *others, last = [self.called(player) for player in order if player != me]
        against = f"{', '.join(others)} and {last}" if others else last
        self.say(f"you are {self.called(me)}, against {against}.")
        self.say(self._own_way())

    def refuse(self, move: Move, why: str) -> None:
        """Tell why the person may not play ``move``."""
        self._console.write(f"You cannot play {both_notations(move)}: {why}.")

    def propose(self, move: Move) -> None:
        """Write a hint."""
        self._console.write(f"Perhaps {both_notations(move)}, which looks one move ahead and no further.")

    def help(self) -> None:
        """Tell what can be typed."""
        self._console.write(f"{capitalised(self._own_way())}\n{_HELP}")

    def draw(self, *, with_moves: bool = False) -> None:
        """Draw the board, and the legal moves if asked."""
        size, width = self.position.size, self._console.width
        steps = [step.square for step in self.position.legal_steps] if with_moves else []
        cell = STANDARD_CELL if STANDARD_CELL.board_width(size) <= width else Cell(1, 1)
        board = draw(self.position, cell, self._console.glyphs, steps)
        if cell.board_width(size) + 2 + SIDE_WIDTH <= width:
            self._console.show(beside(board, self._side(SIDE_WIDTH, with_moves=with_moves)))
        else:
            side = self._side(max(min(width, SIDE_WIDTH), LEAST_WIDTH), with_moves=with_moves)
            self._console.show([*board, *side])
        self.was_drawn = True

    def prompt(self) -> str:
        """Return what stands before the typed text."""
        return f"Game {self._game}, your move ({self._label(self._seating.player)}): "

    def called(self, player: int) -> str:
        """Return how ``player`` is called in sentences."""
        name = shortened(self._seating.names[player - 1], NAME_WIDTH, self._console.glyphs)
        return f"{self._label(player)} {name}"

    def _label(self, player: int) -> str:
        return self._console.glyphs.label(player)

    def _own_way(self) -> str:
        me = self._seating.player
        return f"your pawn is {self._label(me)} and goes {way_of(me, self.position.size)}."

    def _side(self, width: int, *, with_moves: bool) -> list[Line]:
        plies = sum(ply.move is not None for ply in self.position.history)
        played = f", after {plies} {'move' if plies == 1 else 'moves'}"
        lines: list[Line] = [
            (Span(f"Game {self._game}", Look.STRONG), Span(played, Look.FAINT)),
            (),
            *scoreboard(
                self.position, self._seating.names, width, self._console.glyphs, self._seating.player
            ),
        ]
        parts = _legal_moves(self.position) if with_moves else [self.last, capitalised(self._own_way())]
        for part in filter(None, parts):
            lines += [(), *((Span(text),) for text in textwrap.wrap(part, width))]
        return [*lines, (), (Span("? help, hint, board, resign", Look.FAINT),)]


def capitalised(sentence: str) -> str:
    """Return ``sentence`` with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def _legal_moves(position: Position) -> list[str]:
    """Return the legal moves in standard notation, one text for each kind."""
    steps = " ".join(standard.format_move(step) for step in position.legal_steps)
    kinds = [f"Steps: {steps or 'none'}"]
    for orientation in Orientation:
        walls = [wall for wall in position.legal_walls if wall.orientation is orientation]
        kinds.append(f"Walls {orientation}: {' '.join(_runs(walls)) or 'none'}")
    return kinds


def _runs(walls: list[Wall]) -> list[str]:
    """Return the anchors of ``walls``, ordered by rows; neighbours in a row become one run: ``a1-h1``."""
    runs: list[list[Wall]] = []
    for wall in walls:
        if runs and (runs[-1][-1].column + 1, runs[-1][-1].row) == (wall.column, wall.row):
            runs[-1].append(wall)
        else:
            runs.append([wall])
    return [_anchor(run[0]) if len(run) == 1 else f"{_anchor(run[0])}-{_anchor(run[-1])}" for run in runs]


def _anchor(wall: Wall) -> str:
    return standard.format_square(Square(wall.column, wall.row))
