"""A person who types moves on the console."""

from __future__ import annotations

from quoridor_net.outcome import ForfeitError
from quoridor_net.players.base import Eliminated, Moved, News, Over, Player, Seating, follow
from quoridor_net.players.console import Console, EndOfInputError
from quoridor_net.players.human_input import NO_UNDO, Command, read_typed
from quoridor_net.players.human_view import HumanView, capitalised
from quoridor_net.players.scoreboard import both_notations
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, Termination
from quoridor_net.text import UnparsableError


class HumanPlayer(Player):
    """Draws the board after every move, asks for moves, and returns only legal ones.

    Args:
        console: where the person reads and types; games may share one.
        name: how the player is called.
    """

    def __init__(self, console: Console, name: str = "qnt:human") -> None:
        self.name = name
        self._console = console
        self._seat = 0
        self._begun: HumanView | None = None
        # Whether a move is being asked for, or was until that was cut short.
        self._is_asked = False
        # Whether the person was told how the game ended.
        self._is_told = False

    @property
    def _view(self) -> HumanView:
        assert self._begun is not None, "a game begins before anything else happens in it"
        return self._begun

    async def begin(self, seating: Seating) -> None:
        """Tell the person who plays where."""
        # A line meant for an earlier game must not become a move of this one.
        self._console.forget_typed_ahead()
        self._seat = seating.player
        self._begun = HumanView(self._console, seating)
        self._begun.introduce()

    async def choose(self, position: Position) -> Move:
        """Ask until a legal move is typed.

        Raises:
            ForfeitError: the person resigns, or there is no more input; at a terminal, twice.
        """
        view = self._view
        view.position = position.copy()
        self._is_asked = True
        if self._console.lock.locked():
            view.say("it is your move, as soon as the other game has its answer.")
        async with self._console.lock:
            if not view.was_drawn:
                view.draw()
            while True:
                move = await self._understood(await self._typed())
                if move is None:
                    continue
                objection = view.position.why_illegal(move)
                if objection is None:
                    self._is_asked = False
                    return move
                view.refuse(move, objection.sentence)

    async def notice(self, news: News) -> None:
        """Draw the board after a move, and tell how the game ends."""
        view = self._view
        match news:
            case Moved(player, move):
                view.last = f"{view.called(player)} played {both_notations(move)}."
                follow(view.position, news)
                view.draw()
            case Eliminated(player, why) if player == self._seat:
                late = "your move took too long" if self._is_asked else "your last move was refused"
                self._tell_out(why or late)
            case Eliminated(player):
                view.last = f"{view.called(player)} is out of the game."
                view.position.eliminate(player)
                view.draw()
            case Over(winner):
                self._tell(self._outcome(winner))

    async def leave(self) -> None:
        """Tell the person if the game ends without a result."""
        if self._begun is not None:
            self._tell("the game ended without a winner: it was broken off, or drawn.")

    async def _typed(self) -> str:
        while True:
            try:
                text = await self._console.ask(self._view.prompt())
            except EndOfInputError:
                await self._resign("resigned: there is no more input")
                continue
            self.last_answer = text.strip()
            return text

    async def _understood(self, text: str) -> Move | None:
        """Return the move that was typed, or do what was asked for instead of a move."""
        view = self._view
        if not text.strip():
            return None
        try:
            typed = read_typed(text, view.position.size)
        except UnparsableError as error:
            self._console.write(f"{capitalised(str(error))}.")
            return None
        match typed:
            case Command.HELP:
                view.help()
            case Command.MOVES:
                view.draw(with_moves=True)
            case Command.BOARD:
                view.draw()
            case Command.HINT:
                view.propose(await SimplePlayer(0).choose(view.position.copy()))
            case Command.UNDO:
                self._console.write(NO_UNDO)
            case Command.RESIGN:
                await self._resign("resigned")
            case move:
                return move
        return None

    async def _resign(self, sentence: str) -> None:
        """Give up the game, unless a person at a terminal thinks better of it.

        Raises:
            ForfeitError: the game is given up.
        """
        if await self._console.confirm("Give up the game?"):
            # What the client sees of it, and says in its verdict.
            self._tell_out("you resigned, which closes the connection")
            raise ForfeitError(Termination.RESIGNED, sentence)

    def _outcome(self, winner: int | None) -> str:
        if winner is None:
            return "the game is over: a draw."
        is_mine = winner == self._seat
        who = "you win" if is_mine else f"{self._view.called(winner)} wins"
        if self._view.position.ending is Termination.GOAL:
            return f"the game is over: {who} and reached {'your' if is_mine else 'its'} goal."
        return f"the game is over: {who}, everybody else is out."

    def _tell_out(self, why: str) -> None:
        self._tell(f"you are out of the game: {why}.")

    def _tell(self, ending: str) -> None:
        if not self._is_told:
            self._is_told = True
            self._view.say(ending)
