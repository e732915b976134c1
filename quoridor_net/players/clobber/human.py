"""A person who types moves of Clobber on the console."""

from __future__ import annotations

from quoridor_net.clobber import Colour, Move, Position, parse_move
from quoridor_net.clobber.diagram import draw, stone_sign
from quoridor_net.outcome import ForfeitError
from quoridor_net.players.clobber.base import ClobberPlayer, Moved, News, Over
from quoridor_net.players.clobber.simple import MobilityPlayer
from quoridor_net.players.console import Console, EndOfInputError
from quoridor_net.players.human_input import COMMANDS_HELP, NO_UNDO, Command, read_command
from quoridor_net.rules import Termination
from quoridor_net.text import UnparsableError

_HELP = f"""\
  a move:  a1b1  or  a 1 b 1   your stone on a1 takes the opposing stone beside it, on b1
{COMMANDS_HELP}
A player without a legal move has lost."""


class HumanPlayer(ClobberPlayer):
    """Draws the board after every move, asks for moves, and returns only legal ones.

    Args:
        console: where the person reads and types.
        name: how the player is called.
    """

    def __init__(self, console: Console, name: str = "human") -> None:
        self.name = name
        self._console = console
        self._game = 0
        self._colour = Colour.BLACK
        self._position = Position.start()

    async def begin(self, colour: Colour, position: Position) -> None:
        """Tell the person who begins."""
        self._game = self._console.number_game()
        self._colour, self._position = colour, position
        turn = "and begin" if colour is Colour.BLACK else "and the other begins"
        self._console.write(f"Game {self._game}: you are {self._shown(colour)} {turn}.")
        self._draw()

    async def choose(self, position: Position) -> Move:
        """Ask until a legal move is typed.

        Raises:
            ForfeitError: the person resigns (``resigned``), or there is no more input (``aborted``).
        """
        async with self._console.lock:
            while True:
                text = await self._typed()
                move = await self._understood(text)
                if move is None:
                    continue
                objection = position.why_illegal(move)
                if objection is None:
                    return move
                self._console.write(f"You cannot play {move}: {objection.sentence}.")

    async def notice(self, news: News) -> None:
        """Draw the board after a move, and tell how the game ends."""
        match news:
            case Moved(colour, move):
                self._position.push(move)
                self._console.write(f"{self._shown(colour).capitalize()} played {move}.")
                self._draw()
            case Over(winner, offender):
                self._console.write(f"Game {self._game} is over: {self._outcome(winner, offender)}.")

    async def _typed(self) -> str:
        while True:
            try:
                return await self._console.ask(f"Your move, {self._shown(self._colour)}: ")
            except EndOfInputError:
                if await self._console.confirm("Leave the game?"):
                    raise ForfeitError(Termination.ABORTED, "left: there is no more input") from None

    async def _understood(self, text: str) -> Move | None:
        """Return the move that was typed, or do what was asked for instead of a move."""
        match read_command(text):
            case Command.HELP:
                self._console.write(_HELP)
            case Command.MOVES:
                self._console.write(" ".join(str(move) for move in self._position.legal_moves))
            case Command.BOARD:
                self._draw()
            case Command.HINT:
                move = await MobilityPlayer(0).choose(self._position.copy())
                self._console.write(f"Perhaps {move}, which looks one move ahead and no further.")
            case Command.UNDO:
                self._console.write(NO_UNDO)
            case Command.RESIGN:
                if await self._console.confirm("Give up the game?"):
                    raise ForfeitError(Termination.RESIGNED, "resigned")
            case None:
                return self._move(text)
        return None

    def _move(self, text: str) -> Move | None:
        if not text.strip():
            return None
        try:
            return parse_move(text.strip().lower())
        except UnparsableError as error:
            self._console.write(f"{error}; ? helps.")
        return None

    def _draw(self) -> None:
        history = self._position.history
        self._console.show(draw(self._position, self._console.glyphs, history[-1] if history else None))

    def _shown(self, colour: Colour) -> str:
        return f"{colour} {stone_sign(colour, self._console.glyphs)}"

    def _outcome(self, winner: Colour | None, offender: Colour | None) -> str:
        if winner is None:
            return "it was broken off"
        if offender is None:
            return (
                "you win, the other has no move" if winner is self._colour else "you lose, you have no move"
            )
        if offender is self._colour:
            return "you lose: the server did not take your move, or did not get it in time"
        return "you win: the other broke the rules"
