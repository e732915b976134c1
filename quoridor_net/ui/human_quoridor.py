"""Quoridor for a person at the console: board, panel and sentences."""

from __future__ import annotations

from quoridor_net.events import PlayerOut
from quoridor_net.notation import Notation
from quoridor_net.notation.reading import parse_move
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Orientation, Position, Square, Wall, explain
from quoridor_net.rules.diagram import Line, Look, Span
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.text import count_things
from quoridor_net.ui.console import Console
from quoridor_net.ui.human import COMMANDS_HELP, HumanPlayer
from quoridor_net.ui.layout import arrange_scrolling, scoreboard
from quoridor_net.ui.wording import capitalise, fold, shorten

#: Maximum number of columns of the panel beside the board.
WIDTH = 36

#: Columns of a name in a sentence.
NAME_WIDTH = 24

#: How to type moves, in the notation of the picture first.
_MOVES_HELP = {
    BoardPicture.LAN: """\
  step:  (4, 1) or 4 1
  wall:  h (4, 2) or 4 2 h, below (4, 2) and (5, 2);
         v (4, 2) or 4 2 v, right of (4, 2) and (4, 3)
  Standard notation works, too: e2, e3h, e3v.""",
    BoardPicture.STANDARD: """\
  step:  e2
  wall:  e3h, above e3 and f3;
         e3v, right of e3 and e4
  The notation of 2016 works, too: (4, 1), h (4, 2).""",
}


#: Why a person is out of the game, by the fault.
_REASONS = {
    Termination.TOO_SLOW: "your move took too long",
    Termination.DISCONNECTED: "this server is shutting down",
}


class HumanQuoridorPlayer(HumanPlayer[Position, Move]):
    """A person who plays Quoridor at a console.

    Args:
        console: the console.
        name: name of the player.
        picture: the picture of the board, whose notation the sentences use: that of 2016 or the standard one.
    """

    # The client only sees the closed connection, and says so in its verdict.
    farewell = "you are out of the game: you resigned, which closes the connection."
    #: The commands in the help, and in the panel.
    commands = COMMANDS_HELP
    keys = "? help, hint, board, resign"

    def __init__(self, console: Console, name: str, picture: BoardPicture) -> None:
        super().__init__(console, name, SimplePlayer(0))
        self._picture = picture

    def _eliminate(self, event: PlayerOut[Position]) -> None:
        if event.player == self._me:
            reason = _REASONS.get(event.fault.termination, "your last move was refused")
            self._end(f"you are out of the game: {reason}.")
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
        goal = self._picture.goal(self._me, self._position.size)
        way = f"your pawn is {self._label(self._me)} and goes {goal}."
        self._say(way)
        self._way = capitalise(way)
        self.help = f"{self._way}\n{_MOVES_HELP[self._picture]}\n{self.commands}"

    @property
    def _notation(self) -> Notation:
        return self._picture.notation(self._position.size)

    def _parse(self, text: str) -> Move:
        return parse_move(text, self._position.size, "standard")

    def _format_move(self, move: Move) -> str:
        return self._notation.format_move(move)

    def _why_illegal(self, move: Move) -> str:
        reason = self._position.why_illegal(move)
        assert reason is not None, "only illegal moves are refused"
        return explain(reason, self._notation, names_option=True)

    def _describe_player(self, player: int) -> str:
        name = shorten(self._names[player - 1], NAME_WIDTH, self._console.glyphs)
        return f"{self._label(player)} {name}"

    def _label(self, player: int) -> str:
        return self._console.glyphs.label(player, self._picture)

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
        parts = _legal_moves(position, self._notation) if with_moves else self._texts()
        # One line is left for the prompt.
        return arrange_scrolling(
            position,
            lambda room, _: self._panel(min(room, WIDTH), parts),
            width,
            height - 1,
            self._console.glyphs,
            self._picture,
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
            *scoreboard(self._position, self._names, width, self._console.glyphs, self._picture, self._me),
        ]
        for part in filter(None, parts):
            lines += [(), *((Span(text),) for text in fold(part, width))]
        return [*lines, (), (Span(self.keys, Look.FAINT),)]

    def _title(self) -> str:
        return f"Game {self._game}"


def _legal_moves(position: Position, notation: Notation) -> list[str]:
    """Return the legal moves in ``notation``, one text for each kind."""
    steps = " ".join(_squeeze(notation.format_move(step)) for step in position.legal_steps)
    kinds = [f"Steps: {steps or 'none'}"]
    for orientation in Orientation:
        walls = [wall for wall in position.legal_walls if wall.orientation is orientation]
        kinds.append(f"Walls {orientation}: {' '.join(_runs(walls, notation)) or 'none'}")
    return kinds


def _runs(walls: list[Wall], notation: Notation) -> list[str]:
    """Return the anchors of ``walls``, ordered by rows; neighbours in a row become one run: ``a1-h1``."""

    def anchor(wall: Wall) -> str:
        return _squeeze(notation.format_square(Square(wall.column, wall.row)))

    runs: list[list[Wall]] = []
    for wall in walls:
        if runs and (runs[-1][-1].column + 1, runs[-1][-1].row) == (wall.column, wall.row):
            runs[-1].append(wall)
        else:
            runs.append([wall])
    return [anchor(run[0]) if len(run) == 1 else f"{anchor(run[0])}-{anchor(run[-1])}" for run in runs]


def _squeeze(text: str) -> str:
    """Return ``text`` without spaces, at which a line could break: ``(4,1)``."""
    return text.replace(" ", "")
