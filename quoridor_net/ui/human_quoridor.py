"""Quoridor for a person at the console: board, panel and sentences."""

from __future__ import annotations

from quoridor_net.events import PlayerOut
from quoridor_net.notation import standard
from quoridor_net.notation.lan import LAN
from quoridor_net.notation.reading import parse_move
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Orientation, Position, Square, Wall, explain
from quoridor_net.rules.diagram import Line, Look, Span
from quoridor_net.ui.console import Console
from quoridor_net.ui.human import COMMANDS_HELP, HumanPlayer
from quoridor_net.ui.layout import arrange_scrolling, scoreboard
from quoridor_net.ui.wording import both_notations, capitalise, count_things, fold, shorten, way_of

#: Maximum number of columns of the panel beside the board.
WIDTH = 36

#: Columns of a name in a sentence.
NAME_WIDTH = 24

MOVES_HELP = """\
  step:  e2  or (4, 1) or 4 1
  wall:  e3h or h (4, 2) or 4 2 h, below e3 and f3;
         e3v or v (4, 2) or 4 2 v, right of e3 and e4
  Letters and numbers: at the bottom and the right.
  Pairs of numbers: at the top and the left."""


class HumanQuoridorPlayer(HumanPlayer[Position, Move]):
    """A person who plays Quoridor at a console."""

    # The client only sees the closed connection, and says so in its verdict.
    farewell = "you are out of the game: you resigned, which closes the connection."
    #: The commands in the help, and in the panel.
    commands = COMMANDS_HELP
    keys = "? help, hint, board, resign"

    def __init__(self, console: Console, name: str) -> None:
        super().__init__(console, name, SimplePlayer(0))

    def _eliminate(self, event: PlayerOut[Position]) -> None:
        if event.player == self._me:
            late = "your move took too long" if self._is_asked else "your last move was refused"
            is_cut_off = event.fault.termination is Termination.DISCONNECTED
            self._end(f"you are out of the game: {event.fault.sentence if is_cut_off else late}.")
            return
        self._last = f"{self._describe_player(event.player)} is out of the game."
        self._position = event.position
        self._draw()

    def _introduce(self) -> None:
        *others, last = [
            self._describe_player(player) for player in self._position.order if player != self._me
        ]
        against = f"{', '.join(others)} and {last}" if others else last
        self._say(f"you are {self._describe_player(self._me)}, against {against}.")
        way = f"your pawn is {self._label(self._me)} and goes {way_of(self._me, self._position.size)}."
        self._say(way)
        self._way = capitalise(way)
        self.help = f"{self._way}\n{MOVES_HELP}\n{self.commands}"

    def _parse(self, text: str) -> Move:
        return parse_move(text, self._position.size, "standard")

    def _format_move(self, move: Move) -> str:
        return both_notations(move)

    def _why_illegal(self, move: Move) -> str:
        reason = self._position.why_illegal(move)
        assert reason is not None, "only illegal moves are refused"
        return explain(reason, LAN, names_option=True)

    def _describe_player(self, player: int) -> str:
        name = shorten(self._names[player - 1], NAME_WIDTH, self._console.glyphs)
        return f"{self._label(player)} {name}"

    def _label(self, player: int) -> str:
        return self._console.glyphs.label(player)

    def _outcome(self, result: Result) -> str:
        if result.winner is None:
            return "a draw"
        is_mine = result.winner == self._me
        who = "you win" if is_mine else f"{self._describe_player(result.winner)} wins"
        if result.termination is Termination.GOAL:
            return f"{who} and reached {'your' if is_mine else 'its'} goal"
        return f"{who}, everybody else is out"

    def _draw_board(self, *, with_moves: bool) -> tuple[list[Line], str]:
        position, (width, height) = self._position, self._console.size
        steps = [step.square for step in position.legal_steps] if with_moves else []
        parts = _legal_moves(position) if with_moves else self._texts()
        # One line is left for the prompt.
        return arrange_scrolling(
            position,
            lambda room, _: self._panel(min(room, WIDTH), parts),
            width,
            height - 1,
            self._console.glyphs,
            steps,
        ), ""

    def _texts(self) -> list[str]:
        """Return the sentences of the panel."""
        return [self._last, self._way]

    def _panel(self, width: int, parts: list[str]) -> list[Line]:
        plies = sum(ply.move is not None for ply in self._position.history)
        played = f", after {count_things(plies, 'move')}"
        lines: list[Line] = [
            (Span(self._title(), Look.STRONG), Span(played, Look.FAINT)),
            (),
            *scoreboard(self._position, self._names, width, self._console.glyphs, self._me),
        ]
        for part in filter(None, parts):
            lines += [(), *((Span(text),) for text in fold(part, width))]
        return [*lines, (), (Span(self.keys, Look.FAINT),)]

    def _title(self) -> str:
        return f"Game {self._game}"


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
