"""A person at the console: commands of all games, the prompt, and the start and end of games."""

from __future__ import annotations

import abc
import enum
from typing import Any, Protocol, Self, TypeVar

import trio

from quoridor_net.events import GameEnded, MatchEvent, MoveMade, MovesTakenBack, PlayerOut
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.rules.diagram import Line
from quoridor_net.text import UnparsableError, split_words
from quoridor_net.ui.console import Console, EndOfInputError
from quoridor_net.ui.wording import capitalise, format_clock
from quoridor_net.verdicts import VerdictPhrase


class JudgedPosition(Protocol):
    """The part of a position that judges moves, in either game."""

    def why_illegal(self, move: Any) -> object:
        """Return why ``move`` is illegal; None if it is legal."""

    def copy(self) -> Self:
        """Return an equal position."""


P = TypeVar("P", bound=JudgedPosition)
M = TypeVar("M")


class HumanCommand(enum.Enum):
    """The commands that a person may type instead of a move; values are the words."""

    HELP = "help"
    MOVES = "moves"
    BOARD = "board"
    HINT = "hint"
    UNDO = "undo"
    RESIGN = "resign"


_WORDS = {
    **{command.value: command for command in HumanCommand},
    **dict.fromkeys(("?", "h"), HumanCommand.HELP),
    "m": HumanCommand.MOVES,
    "b": HumanCommand.BOARD,
    **dict.fromkeys(("u", "back", "takeback"), HumanCommand.UNDO),
    **dict.fromkeys(("q", "quit", "exit"), HumanCommand.RESIGN),
}

COMMANDS_HELP = """\
  moves  shows your legal moves  board   draws the board (b)
  hint   proposes a move         resign  gives up (q)
  ?      shows this help"""

_NO_UNDO = "A move cannot be taken back, because the other players have already received it."


def read_command(text: str) -> HumanCommand | None:
    """Return the command in ``text``, ignoring case and spaces; None if it is not a command."""
    return _WORDS.get(" ".join(split_words(text)).lower())


class HumanPlayer(Player[P, M]):
    """A person who plays one game after another at a console; subclasses implement the game.

    Args:
        console: the console, which several games may share.
        name: name of the player.
        adviser: finds hints.

    Attributes:
        adviser: finds hints.
    """

    #: Question at the end of the input, and the termination after a yes.
    leaving = "Give up the game?"
    leaving_termination = Termination.RESIGNED
    #: Sentence for a person who resigns; empty if the other side reports it.
    farewell = ""
    #: Remark on the quality of a hint.
    hint_remark = ": the hint looks only one move ahead"
    #: Text shown for ``?``.
    help: str

    _position: P

    def __init__(self, console: Console, name: str, adviser: Player[P, M]) -> None:
        self.name = name
        self._console = console
        self.adviser = adviser
        self._game = 0
        self._me = 0
        self._names: tuple[str, ...] = ()
        self._last = ""
        self._was_drawn = False
        self._clock, self._asked_at = Clock(), 0.0
        self._has_resigned = False
        # Whether the end of the last game was shown.
        self._is_over = True

    async def begin(self, seating: Seating[P]) -> None:
        """Introduce a new game."""
        # A line meant for an earlier game must not become a move of this one.
        self._console.forget_typed_ahead()
        self._game = self._console.number_game()
        self._me, self._names, self._position = seating.player, seating.names, seating.position
        self._last, self._was_drawn, self._is_over = "", False, False
        self._has_resigned = False
        self._introduce()

    async def choose(self, position: P, clock: Clock) -> M:
        """Wait for the console, and prompt until a legal move is typed.

        Raises:
            ForfeitError: the person resigns, or there is no more input.
        """
        self._position = position
        self._clock, self._asked_at = clock, trio.current_time()
        if self._console.lock.locked():
            self._say("it is your turn. Answer the other game first.")
        async with self._console.lock:
            # Later, every change draws the board.
            if not self._was_drawn:
                self._draw()
            move = None
            while move is None:
                move = await self._answer()
        return move

    async def _answer(self) -> M | None:
        """Return the next typed line as a legal move; None after anything else."""
        try:
            text = await self._console.ask(self._prompt())
        except EndOfInputError:
            fault = ForfeitError(self.leaving_termination, VerdictPhrase.INPUT_ENDED())
            await self._give_up(self.leaving, fault)
            return None
        match read_command(text):
            case HumanCommand.HELP:
                self._console.write(self.help)
            case HumanCommand.MOVES:
                self._draw(with_moves=True)
            case HumanCommand.BOARD:
                self._draw()
            case HumanCommand.UNDO:
                self._take_back()
            case HumanCommand.HINT:
                hint = await self.adviser.choose(self._position.copy(), Clock())
                self._console.write(f"Perhaps {self._format_move(hint)}{self.hint_remark}.")
            case HumanCommand.RESIGN:
                await self._give_up(
                    "Give up the game?", ForfeitError(Termination.RESIGNED, VerdictPhrase.RESIGNED())
                )
            case None if text.strip():
                return self._legal_move(text)
        return None

    def _legal_move(self, text: str) -> M | None:
        try:
            move = self._parse(text)
        except UnparsableError as error:
            self._console.write(f"{capitalise(str(error))}. Type ? for help.")
            return None
        if self._position.why_illegal(move) is None:
            return move
        self._console.write(f"You cannot play {self._format_move(move)}: {self._why_illegal(move)}.")
        return None

    def _take_back(self) -> None:
        self._console.write(_NO_UNDO)

    async def _give_up(self, question: str, fault: ForfeitError) -> None:
        """Ask for confirmation at a terminal, and raise ``fault`` after a yes or in a script."""
        self._has_resigned = await self._console.confirm(question)
        if self._has_resigned:
            if self.farewell:
                self._end(self.farewell)
            raise fault

    async def notify(self, event: MatchEvent[P, M]) -> None:
        """Draw the board after a move, and write the result of the game."""
        match event:
            case MoveMade(player, move):
                self._last = f"{capitalise(self._describe_player(player))} played {self._format_move(move)}."
                self._position = event.position
                self._draw()
            case PlayerOut():
                self._eliminate(event)
            case MovesTakenBack():
                # The board is drawn with the next prompt.
                self._was_drawn = False
            case GameEnded(result):
                self._end(f"the game is over: {self._outcome(result)}.")

    async def leave(self) -> None:
        """Write that the game ended, unless that was already shown."""
        self._end("the game ended without a winner: it was aborted or drawn.")

    def _say(self, sentence: str) -> None:
        self._console.write(f"Game {self._game}: {sentence}")

    def _end(self, sentence: str) -> None:
        if not self._is_over:
            self._is_over = True
            self._say(sentence)

    def _draw(self, *, with_moves: bool = False) -> None:
        self._was_drawn = True
        self._console.show(*self._draw_board(with_moves=with_moves))

    def _prompt(self) -> str:
        return f"Game {self._game}, your move ({self._label(self._me)}){self._tell_time_left()}: "

    def _tell_time_left(self) -> str:
        """Return the time left on the player's clock, as a part of a prompt; empty without a clock."""
        left = self._clock.after(trio.current_time() - self._asked_at).game_time
        return "" if left is None else f", {format_clock(int(left))} left"

    def _describe_player(self, player: int) -> str:
        return self._label(player)

    def _format_move(self, move: M) -> str:
        return str(move)

    def _why_illegal(self, move: M) -> str:
        return str(self._position.why_illegal(move))

    @abc.abstractmethod
    def _introduce(self) -> None: ...

    @abc.abstractmethod
    def _label(self, player: int) -> str: ...

    @abc.abstractmethod
    def _parse(self, text: str) -> M: ...

    def _eliminate(self, event: PlayerOut[P]) -> None:
        self._position = event.position

    @abc.abstractmethod
    def _outcome(self, result: Result) -> str:
        """Return a clause about how the game ended."""

    @abc.abstractmethod
    def _draw_board(self, *, with_moves: bool) -> tuple[list[Line], str]:
        """Return a drawing of the board and a text below it; either may list the legal moves."""
