"""A person who types moves on the console."""

from __future__ import annotations

from quoridor_net.notation import Unparsable
from quoridor_net.players.base import Eliminated, Moved, News, Over, Player, PlayerFault, Seating
from quoridor_net.players.console import Console, EndOfInput
from quoridor_net.players.human_input import Command, read_typed
from quoridor_net.players.human_view import HumanView, capitalised
from quoridor_net.players.scoreboard import both_notations
from quoridor_net.rules import Jumps, Move, Position, Termination


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
            PlayerFault: the person resigns, or there is no more input.
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
                move = self._understood(await self._typed())
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
                # A client of another project may keep another order of play or jump rule.
                view.position.give_turn(player)
                view.position.push(move, Jumps.CLASSROOM)
                view.draw()
            case Eliminated(player) if player == self._seat:
                why = "your move took too long" if self._is_asked else "your last move was refused"
                self._tell(f"you are out of the game, {why}.")
            case Eliminated(player):
                view.last = f"{view.called(player)} is out of the game."
                view.position.eliminate(player)
                view.draw()
            case Over(winner):
                self._tell(self._outcome(winner))

    async def leave(self) -> None:
        """Tell the person if the game ends without a result."""
        if self._begun is not None:
            self._tell("the game was broken off without a result.")

    async def _typed(self) -> str:
        try:
            text = await self._console.ask(self._view.prompt())
        except EndOfInput:
            raise self._resignation("resigned: there is no more input") from None
        self.last_answer = text.strip()
        return text

    def _understood(self, text: str) -> Move | None:
        """Return the move that was typed, or do what was asked for instead of a move."""
        view = self._view
        if not text.strip():
            return None
        try:
            typed = read_typed(text, view.position.size)
        except Unparsable as error:
            self._console.write(f"{capitalised(str(error))}.")
            return None
        match typed:
            case Command.HELP:
                view.help()
            case Command.MOVES:
                view.draw(with_moves=True)
            case Command.BOARD:
                view.draw()
            case Command.RESIGN:
                raise self._resignation("resigned")
            case move:
                return move
        return None

    def _resignation(self, sentence: str) -> PlayerFault:
        self._tell(f"you {sentence}.")
        return PlayerFault(Termination.RESIGNED, sentence)

    def _outcome(self, winner: int | None) -> str:
        if winner is None:
            return "the game is over: a draw."
        is_mine = winner == self._seat
        who = "you win" if is_mine else f"{self._view.called(winner)} wins"
        if self._view.position.ending is Termination.GOAL:
            return f"the game is over: {who} and reached {'your' if is_mine else 'its'} goal."
        return f"the game is over: {who}, everybody else is out."

    def _tell(self, ending: str) -> None:
        if not self._is_told:
            self._is_told = True
            self._view.say(ending)
