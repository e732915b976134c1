"""The games and boards of a site, by number."""

from __future__ import annotations

import abc
import itertools
import secrets
from collections import Counter
from collections.abc import Mapping
from typing import Generic, TypeVar

from quoridor_net.events import Event, GameStarted
from quoridor_net.replay import Replay
from quoridor_net.web.board import Board
from quoridor_net.web.budget import Budget
from quoridor_net.web.live import LiveGame

#: Maximum number of finished games kept after their board is gone or shows another game.
KEPT_GAMES = 64

#: Numbers between which a program draws that of its first game.
FIRST_NUMBERS = range(1000, 1_000_000)


class Games(abc.ABC):
    """The games of a site. Unless a class says otherwise, all are live and none has a board."""

    @abc.abstractmethod
    def find(self, number: int) -> LiveGame | None:
        """Return a game that spectators can follow; None if there is none."""

    async def document(self, number: int) -> str | None:
        """Return the events of a game as one JSON object; None if there is no such game."""
        game = self.find(number)
        return None if game is None else game.document()

    async def replay(self, number: int) -> Replay | None:
        """Return a game so far; None if there is no such game or it has not begun."""
        game = self.find(number)
        return None if game is None else game.replay()

    def board(self, number: int) -> Board | None:
        """Return a board; None if there is none."""
        return None


class LiveGames(Games):
    """Games in progress, each at a board with the same number and without seats.

    Args:
        games: by number, from 1.
    """

    def __init__(self, games: Mapping[int, LiveGame]) -> None:
        self._games = games

    def find(self, number: int) -> LiveGame | None:
        """Return the game, which may still wait for its players; None if there is none."""
        return self._games.get(number)

    def board(self, number: int) -> Board | None:
        """Return the board of the game; None if there is none."""
        live = self._games.get(number)
        return None if live is None else Board(number, live)


B = TypeVar("B", bound=Board)


class Boards(Games, Generic[B]):
    """Boards at which one game after another is played, each with its own number.

    A finished game can be opened until :data:`KEPT_GAMES` others have finished; then the address with the
    most of them loses its oldest one.

    Args:
        first: number of the first game. Programs draw it (:func:`draw_first_number`).
    """

    def __init__(self, first: int = 1) -> None:
        self._budget = Budget()
        self._numbers = itertools.count(first)
        self._boards: dict[int, B] = {}
        # The games that boards show, and the finished ones that they do not show any more, oldest first, with
        # the address of their board.
        self._shown: dict[int, LiveGame] = {}
        self._kept: dict[int, tuple[LiveGame, str]] = {}

    def find(self, number: int) -> LiveGame | None:
        """Return the game, which may still wait for its players; None if there is none."""
        live, _ = self._kept.get(number, (None, ""))
        return self._shown.get(number, live)

    def board(self, number: int) -> B | None:
        """Return a board; None if there is none."""
        return self._boards.get(number)

    def add(self, number: int, board: B) -> None:
        """Add a board."""
        self._boards[number] = board

    def begin_game(self) -> tuple[int, LiveGame]:
        """Return a new game for a board, with its number."""
        number, live = next(self._numbers), LiveGame(self._budget)
        self._shown[number] = live
        return number, live

    def show(self, board: B, event: Event) -> None:
        """Show an event at a board. The start of another game gets a number of its own."""
        if isinstance(event, GameStarted) and board.live.has_begun:
            before, board.before = board.live, board.game
            self._keep(board)
            board.game, board.live = self.begin_game()
            before.hand_over(board.game)
        board.live(event)

    def remove(self, number: int) -> B:
        """Remove a board, and return it; its finished game can still be opened."""
        board = self._boards.pop(number)
        self._keep(board)
        return board

    def _keep(self, board: B) -> None:
        live = self._shown.pop(board.game)
        if not live.is_over:
            return
        self._kept[board.game] = live, board.address
        if len(self._kept) > KEPT_GAMES:
            # Nobody can push out the games of others by finishing many.
            [(greatest, _)] = Counter(address for _, address in self._kept.values()).most_common(1)
            del self._kept[next(n for n, (_, address) in self._kept.items() if address == greatest)]


def draw_first_number() -> int:
    """Return a random number for the first game, so that a link from an earlier run shows no other game."""
    return FIRST_NUMBERS.start + secrets.randbelow(len(FIRST_NUMBERS))
