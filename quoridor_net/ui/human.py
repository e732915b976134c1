"""A person as a player: the words they may type in any game, the prompt, and how games begin and end."""

from __future__ import annotations

import abc
import enum
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Generic, Protocol, Self, TypeVar

from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.players.base import Clock, Eliminated, Moved, Over, Player, PlayerEvent, Seating
from quoridor_net.rules.diagram import Line
from quoridor_net.text import UnparsableError, split_words
from quoridor_net.ui.console import Console, EndOfInputError
from quoridor_net.ui.wording import capitalised

P = TypeVar("P", bound="Rules")
M = TypeVar("M")


class Rules(Protocol):
    """A position of either game, as far as it judges moves."""

    def why_illegal(self, move: Any) -> object:
        """Return why ``move`` is illegal; None when it is legal."""

    def copy(self) -> Self:
        """Return an equal position."""


class Request(enum.Enum):
    """What a person may want from a player instead of making a move."""

    HINT = "hint"
    RESIGN = "resign"
    #: There is no more input.
    LEAVE = "leave"


class Command(enum.Enum):
    """What a person may type instead of a move; the value is the word."""

    HELP = "help"
    MOVES = "moves"
    BOARD = "board"
    HINT = "hint"
    UNDO = "undo"
    RESIGN = "resign"


_WORDS = {
    **{command.value: command for command in Command},
    **dict.fromkeys(("?", "h"), Command.HELP),
    "m": Command.MOVES,
    "b": Command.BOARD,
    **dict.fromkeys(("u", "back", "takeback"), Command.UNDO),
    **dict.fromkeys(("q", "quit", "exit"), Command.RESIGN),
}

COMMANDS_HELP = """\
  moves  shows your legal moves  board   draws the board (b)
  hint   proposes a move         resign  gives up (q)
  ?      shows this help"""

_NO_UNDO = "A move cannot be taken back: the others in the network have it already."


def read_command(text: str) -> Command | None:
    """Return the command that ``text`` is, in any case and with any blanks; None if it is none."""
    return _WORDS.get(" ".join(split_words(text)).lower())


class ConsoleInterface(abc.ABC, Generic[P, M]):
    """What a person sees of one game after another at a console, and what they answer.

    What depends on the game is for subclasses.

    Args:
        console: where the person reads and types; games may share one.
    """

    #: What a person is asked at the end of the input.
    leaving = "Give up the game?"
    #: What ``?`` shows.
    help: str

    _position: P

    def __init__(self, console: Console) -> None:
        self._console = console
        self._game = 0
        self._me = 0
        self._names: tuple[str, ...] = ()
        self._last = ""
        self._was_drawn = False
        # Whether a move is being asked for, or was until that was cut short.
        self._is_asked = False
        self._has_resigned = False
        # Whether there is no game whose end is still to be shown.
        self._is_over = True

    def begin(self, seating: Seating[P]) -> None:
        """Introduce a new game."""
        # A line meant for an earlier game must not become a move of this one.
        self._console.forget_typed_ahead()
        self._game = self._console.number_game()
        self._me, self._names, self._position = seating.player, seating.names, seating.position
        self._last, self._was_drawn, self._is_over = "", False, False
        self._is_asked = self._has_resigned = False
        self._introduce()

    @asynccontextmanager
    async def turn(self, position: P) -> AsyncIterator[None]:
        """Wait for the console, and have the board there before the first move."""
        self._position = position
        self._is_asked = True
        if self._console.lock.locked():
            self._say("it is your move, as soon as the other game has its answer.")
        async with self._console.lock:
            # After that, the board is drawn with every change.
            if not self._was_drawn:
                self._draw()
            yield
        self._is_asked = False

    async def ask(self) -> M | Request:
        """Prompt until something is typed that is for the player to act on."""
        while True:
            try:
                text = await self._console.ask(self._prompt())
            except EndOfInputError:
                return Request.LEAVE
            match read_command(text):
                case Command.HELP:
                    self._console.write(self.help)
                case Command.MOVES:
                    self._draw(with_moves=True)
                case Command.BOARD:
                    self._draw()
                case Command.UNDO:
                    self._console.write(_NO_UNDO)
                case Command.HINT:
                    return Request.HINT
                case Command.RESIGN:
                    return Request.RESIGN
                case None if text.strip():
                    try:
                        return self._parse(text)
                    except UnparsableError as error:
                        self._console.write(f"{capitalised(str(error))}; ? helps.")

    async def confirm(self, request: Request) -> bool:
        """Ask once more at a terminal; a script means what it says."""
        question = self.leaving if request is Request.LEAVE else "Give up the game?"
        self._has_resigned = await self._console.confirm(question)
        return self._has_resigned

    def propose(self, move: M) -> None:
        """Write the hint."""
        self._console.write(f"Perhaps {self._named(move)}: the hint looks only one move ahead.")

    def refuse(self, move: M) -> None:
        """Write why ``move`` is illegal."""
        self._console.write(f"You cannot play {self._named(move)}: {self._why_illegal(move)}.")

    def show(self, event: PlayerEvent[M]) -> None:
        """Draw the board after a move, and write how the game ends."""
        match event:
            case Moved(player, move):
                self._last = f"{capitalised(self._called(player))} played {self._named(move)}."
                self._follow(event)
                self._draw()
            case Eliminated():
                self._eliminate(event)
            case Over(winner):
                self._end(f"the game is over: {self._outcome(winner)}.")

    def close(self) -> None:
        """Write that the game ended, unless its end was shown."""
        self._end("the game ended without a winner: it was broken off, or drawn.")

    def _say(self, sentence: str) -> None:
        self._console.write(f"Game {self._game}: {sentence}")

    def _end(self, sentence: str) -> None:
        if not self._is_over:
            self._is_over = True
            self._say(sentence)

    def _draw(self, *, with_moves: bool = False) -> None:
        self._was_drawn = True
        self._console.show(*self._drawn(with_moves=with_moves))

    def _prompt(self) -> str:
        return f"Game {self._game}, your move ({self._label(self._me)}): "

    def _called(self, player: int) -> str:
        return self._label(player)

    def _named(self, move: M) -> str:
        return str(move)

    def _why_illegal(self, move: M) -> str:
        return str(self._position.why_illegal(move))

    @abc.abstractmethod
    def _introduce(self) -> None: ...

    @abc.abstractmethod
    def _label(self, player: int) -> str: ...

    @abc.abstractmethod
    def _parse(self, text: str) -> M: ...

    @abc.abstractmethod
    def _follow(self, event: Moved[M]) -> None: ...

    @abc.abstractmethod
    def _eliminate(self, event: Eliminated) -> None: ...

    @abc.abstractmethod
    def _outcome(self, winner: int | None) -> str:
        """Return a clause about how the game ended."""

    @abc.abstractmethod
    def _drawn(self, *, with_moves: bool) -> tuple[list[Line], str]:
        """Return a drawing of the board, and a text below it; the legal moves are in one of them if asked."""


class HumanPlayer(Player[P, M]):
    """A person who plays either game; returns only legal moves.

    Args:
        interface: where the person sees the game and answers.
        adviser: finds the moves that are proposed as hints.
        name: how the player is called.
        leaving: what the end of the input means.
    """

    def __init__(
        self,
        interface: ConsoleInterface[P, M],
        adviser: Player[P, M],
        name: str,
        leaving: Termination = Termination.RESIGNED,
    ) -> None:
        self.name = name
        self._interface = interface
        self._adviser = adviser
        self._leaving = leaving

    async def begin(self, seating: Seating[P]) -> None:
        """Show the person who plays where."""
        self._interface.begin(seating)

    async def choose(self, position: P, clock: Clock) -> M:
        """Ask until the person answers with a legal move; on the way, give the hints asked for.

        Raises:
            ForfeitError: the person resigns (``resigned``), or there is no more input (``leaving``).
        """
        interface = self._interface
        async with interface.turn(position):
            while True:
                answer = await interface.ask()
                if answer is Request.HINT:
                    interface.propose(await self._adviser.choose(position.copy(), Clock()))
                elif isinstance(answer, Request):
                    if await interface.confirm(answer):
                        if answer is Request.RESIGN:
                            raise ForfeitError(Termination.RESIGNED, "resigned")
                        raise ForfeitError(self._leaving, "resigned: there is no more input")
                elif position.why_illegal(answer) is None:
                    return answer
                else:
                    interface.refuse(answer)

    async def notify(self, event: PlayerEvent[M]) -> None:
        """Show what happened."""
        self._interface.show(event)

    async def leave(self) -> None:
        """Tell the person if the game ends without a result."""
        self._interface.close()
