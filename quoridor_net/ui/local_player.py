"""A person who plays one game of Quoridor at this terminal, without a network."""

from __future__ import annotations

from quoridor_net.events import Event, MovesTakenBack, PlayerOut
from quoridor_net.players import Seating, TakeBackError
from quoridor_net.rules import Position
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui.console import Console
from quoridor_net.ui.human_quoridor import HumanQuoridorPlayer
from quoridor_net.ui.wording import capitalise

_UNDO = "\n  undo   takes your last move back (u)"
_COMMANDS = f"""\
  moves  shows your legal moves  board   draws the board (b)
  hint   proposes a move         resign  gives up (q){_UNDO}
  ?      shows this help"""


class LocalPlayer(HumanQuoridorPlayer):
    """The person of ``quoridor play``, who sees a board that stays in place and may take moves back.

    Args:
        console: the console.
        name: name of the player.
        takes_back: whether the match allows taking moves back.
        introduction: a sentence about the opponent, shown until the first moves were made; may be empty.

    Attributes:
        adviser: finds hints.
    """

    # The command prints the result.
    farewell = ""
    hint_remark = ""

    def __init__(
        self, console: Console, name: str = "human", *, takes_back: bool, introduction: str = ""
    ) -> None:
        super().__init__(console, name, BoardPicture.STANDARD)
        self._takes_back = takes_back
        self._introduction = introduction
        self._remark = ""
        self.commands = _COMMANDS if takes_back else _COMMANDS.replace(_UNDO, "")
        self.keys = f"? help, hint, {'undo' if takes_back else 'moves'}, resign"

    def remark(self, sentence: str) -> None:
        """Show ``sentence`` beside the board from the next drawing on; an empty one removes it."""
        self._remark = sentence

    async def begin(self, seating: Seating[Position]) -> None:
        """Introduce the game, also to the adviser."""
        await self.adviser.begin(Seating(seating.player, seating.names, seating.position.copy()))
        await super().begin(seating)

    async def notify(self, event: Event) -> None:
        """Draw the board after a move."""
        if isinstance(event, MovesTakenBack):
            self._last = "You took your last move back."
        await super().notify(event)

    async def leave(self) -> None:
        """Release the resources of the adviser."""
        await self.adviser.leave()

    def _take_back(self) -> None:
        if not self._takes_back:
            super()._take_back()
        elif any(ply.player == self._me for ply in self._position.history):
            raise TakeBackError
        else:
            self._console.write("You have no move to take back.")

    def _eliminate(self, event: PlayerOut[Position]) -> None:
        if event.player != self._me:
            super()._eliminate(event)
        elif self._position.players > 2:
            self._say("you are out of the game. The others play on.")

    def _say(self, sentence: str) -> None:
        self._console.write(capitalise(sentence))

    def _end(self, sentence: str) -> None:
        self._is_over = True

    def _draw(self, *, with_moves: bool = False) -> None:
        self._console.clear()
        super()._draw(with_moves=with_moves)

    def _introduce(self) -> None:
        super()._introduce()
        if self._introduction:
            self._say(self._introduction)

    def _title(self) -> str:
        return "Quoridor"

    def _texts(self) -> list[str]:
        is_beginning = self._position.ply < self._position.players
        return [*super()._texts(), self._introduction if is_beginning else "", self._remark]

    def _prompt(self) -> str:
        return f"Your move ({self._label(self._me)}){self._tell_time_left()}: "
