"""One game as its referee sees it: whose turn it is, time, faults and the verdict. Nothing here waits."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from attrs import frozen

from quoridor_net import clobber
from quoridor_net.events import MoveTimes
from quoridor_net.notation import Notation
from quoridor_net.notation.lan import LAN
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable, place
from quoridor_net.players.base import Clock
from quoridor_net.rules import IllegalMoveError, explain
from quoridor_net.verdicts import VerdictPhrase

DEFAULT_PLY_LIMIT = 1000


class Playable(Protocol):
    """The position of a game, as far as a match needs it. Players are numbered from 1."""

    #: What players are called in verdicts.
    seat_names: ClassVar[tuple[str, ...]]

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def order(self) -> tuple[int, ...]:
        """All players, in order of play."""

    @property
    def alive(self) -> tuple[int, ...]:
        """The players still in the game."""

    @property
    def turn(self) -> int | None:
        """Whose turn it is; None when the game is over."""

    @property
    def ending(self) -> Termination | None:
        """How the game ended; None while it goes on."""

    @property
    def winner(self) -> int | None:
        """Who has won, if anybody."""

    def push(self, move: Any) -> None:
        """Play a legal move; raises the game's ``IllegalMoveError`` for any other."""

    def eliminate(self, player: int) -> None:
        """Take a player out of the game."""

    def copy(self) -> Self:
        """Return an independent position."""


P = TypeVar("P", bound=Playable)
M = TypeVar("M")


@frozen
class MatchSettings:
    """How a match is played.

    Attributes:
        position: the position to start from; a standard start of Quoridor unless given. It is copied.
        move_time: seconds a player has for each move; None for no limit.
        game_time: seconds a player has for all its moves together; None for no limit.
        ply_limit: the game is drawn when so many plies were made without a decision.
        delay: seconds from a move to the next request, so that people can watch.
        ends_at_fault: a game for two ends with its first fault as the referee of the 2006 Clobber protocol
            ends it: from then on nothing but the verdict is sent. Otherwise everybody learns of the beginning
            of the game and of all legal moves first.
        notation: how verdicts name squares and walls of Quoridor; Clobber has only one notation.
        takes_back: whether players may take moves back: only where all of them follow no game of their own,
            as programs behind a protocol do.
    """

    position: Playable | None = None
    move_time: float | None = None
    ply_limit: int = DEFAULT_PLY_LIMIT
    delay: float = 0.0
    game_time: float | None = None
    ends_at_fault: bool = False
    notation: Notation = LAN
    takes_back: bool = False


class MatchGame(Generic[P, M]):
    """The state of one game.

    Args:
        names: the names of the players, by number from 1.
        position: the position to start from. It belongs to the game.
        settings: how to play.

    Attributes:
        position: the position after everything that was announced. Not to be changed.
        plies: how many moves were made.
        thinking: the player that was asked for a move and did not answer yet.
        times: how long the moves of each player took, those taken back included, by number from 1.
    """

    def __init__(self, names: tuple[str, ...], position: P, settings: MatchSettings) -> None:
        if position.players != len(names):
            raise ValueError(f"{len(names)} players cannot play a game for {position.players}")
        self.names = names
        self.position = position
        self.plies = 0
        self.thinking: int | None = None
        self.times = [MoveTimes()] * len(names)
        self._settings = settings
        # Faults that were not announced yet, oldest first, and the one that was announced last.
        self._faults: dict[int, ForfeitError] = {}
        self._announced: tuple[int, ForfeitError] | None = None
        # Why the game does not count, if it does not.
        self._void: Translatable | None = None
        game_time = math.inf if settings.game_time is None else settings.game_time
        self._time_left = dict.fromkeys(range(1, position.players + 1), game_time)
        # Who moved, and the position before, for each ply that can be taken back.
        self._before: list[tuple[int, P]] = []

    @property
    def turn(self) -> int | None:
        """Whose turn it is; None when the game is over, void, or has reached its ply limit."""
        if self._void is not None or self.plies >= self._settings.ply_limit:
            return None
        return self.position.turn

    @property
    def has_fault(self) -> bool:
        """Whether a fault was noted and not announced yet, or the game is void."""
        return bool(self._faults) or self._void is not None

    @property
    def is_silenced(self) -> bool:
        """Whether nothing but the verdict may be sent: a fault has ended the game."""
        return self._settings.ends_at_fault and self.has_fault and not self._is_decided

    @property
    def _is_decided(self) -> bool:
        """Whether the rules have decided the game, so that no fault can."""
        # One that was over before its first move goes to whoever came to it, where a fault ends games.
        return self.position.turn is None and (self.plies > 0 or not self._settings.ends_at_fault)

    def clock(self, player: int) -> Clock:
        """Return the time that ``player`` has for its next move."""
        time_left = self._time_left[player]
        return Clock(self._settings.move_time, None if math.isinf(time_left) else max(0.0, time_left))

    def play(self, player: int, move: M, seconds: float, line: str) -> list[int] | None:
        """Make the move that ``player`` chose in ``seconds``, or note that it is illegal.

        Args:
            player: whose turn it is.
            move: the move.
            seconds: how long the player thought.
            line: its answer as it was given.

        Returns:
            The players that are passed over, since they have no legal move; None after an illegal move.
        """
        self._time_left[player] -= seconds
        before = self.position.copy() if self._settings.takes_back else None
        try:
            self.position.push(move)
        except (IllegalMoveError, clobber.IllegalClobberMoveError) as error:
            self.note(
                player, ForfeitError(Termination.ILLEGAL_MOVE, self._illegal(error), line, move=error.move)
            )
            return None
        self.plies += 1
        self.times[player - 1] += MoveTimes(1, seconds, seconds)
        if before is not None:
            self._before.append((player, before))
        return self._passed_over(player)

    def take_back(self, player: int) -> int:
        """Take back the last move of ``player`` and all since; return how many plies that were.

        It is 0, and nothing happens, when there is none, or somebody went out of the game since.
        """
        moves = [index for index, (mover, _) in enumerate(self._before) if mover == player]
        if not moves:
            return 0
        plies = len(self._before) - moves[-1]
        self.position = self._before[moves[-1]][1]
        del self._before[moves[-1] :]
        self.plies -= plies
        return plies

    def _passed_over(self, mover: int) -> list[int]:
        """Return the players between ``mover`` and the player to move."""
        position = self.position
        if position.turn is None:
            return []
        order = [player for player in position.order if player == mover or player in position.alive]
        start = order.index(mover) + 1
        following = order[start:] + order[:start]
        return following[: following.index(position.turn)]

    def note(self, player: int, fault: ForfeitError) -> bool:
        """Keep a fault until it can be announced; return whether the player that thinks need not go on.

        Nothing is sent to a player that was asked until it answered (docs/decisions.md, Protocol), so the
        fault of a player that is not on turn waits for that answer, unless it decides the game.

        A fault that costs the player nothing (``aborted``) makes the game void, unless it is decided already.
        """
        if player not in self.position.alive or player in self._faults:
            return False
        if fault.termination.is_void:
            if not self.has_fault and not self._is_decided:
                reason = VerdictPhrase.ABSENCE(name=self._called(player), did=fault.sentence)
                self._void = VerdictPhrase.VOID(reason=reason)
            return self.thinking is not None
        self._faults[player] = self._in_context(player, fault)
        others = [other for other in self.position.alive if other not in self._faults]
        return self.thinking is not None and (player == self.thinking or others == [self.thinking])

    def _in_context(self, player: int, fault: ForfeitError) -> ForfeitError:
        """Return a lost connection with who was thinking: some programs do not wait for long."""
        is_lost = fault.termination is Termination.DISCONNECTED and not self._settings.ends_at_fault
        if not is_lost or self.thinking in {None, player}:
            return fault
        sentence = VerdictPhrase.WHILE_THINKING(did=fault.sentence, player=self.thinking or 0)
        return ForfeitError(fault.termination, sentence, fault.line, fault.hint)

    def note_silence(self, player: int) -> None:
        """Note that ``player`` did not answer in the time it had, unless a fault of its own was noted."""
        move_time = self._settings.move_time
        if move_time is not None and move_time <= self._time_left[player]:
            sentence = VerdictPhrase.NO_ANSWER(seconds=move_time)
        else:
            sentence = VerdictPhrase.OUT_OF_TIME(seconds=self._settings.game_time or 0.0)
        self.note(player, ForfeitError(Termination.TOO_SLOW, sentence))

    def announce(self) -> tuple[int, ForfeitError] | None:
        """Take the player with the oldest fault out of the game and return both; None when there is none.

        Faults that come after the decision do not count.
        """
        if not self._faults or self._is_decided or self._void is not None:
            return None
        player = next(iter(self._faults))
        self._announced = player, self._faults.pop(player)
        self.position.eliminate(player)
        # Whoever is out has left.
        self._before.clear()
        return self._announced

    def result(self) -> Result:
        """Return how the game, which is over, ended."""
        position = self.position
        if self._void is not None:
            return Result(None, Termination.ABORTED, self._void, self.plies)
        if position.ending is None:
            limit = self._settings.ply_limit
            return Result(None, Termination.PLY_LIMIT, VerdictPhrase.PLY_LIMIT(count=limit), self.plies)
        if position.winner is None:
            return Result(None, position.ending, VerdictPhrase.NO_MOVES(), self.plies)
        winner, ending = int(position.winner), position.ending
        if ending is Termination.LAST_PLAYER:
            assert self._announced is not None, "only a fault leaves one player"
            player, fault = self._announced
            sentence = VerdictPhrase.FAULT(
                winner=self._called(winner), loser=self._called(player), did=fault.sentence
            )
            if position.players == 2:
                return Result(winner, fault.termination, sentence, self.plies, fault.line)
            return Result(winner, ending, sentence, self.plies, fault.line)
        if ending is Termination.GOAL:
            sentence = VerdictPhrase.GOAL(winner=self._called(winner))
        else:
            loser = next(player for player in position.alive if player != winner)
            sentence = VerdictPhrase.BLOCKED(winner=self._called(winner), loser=self._called(loser))
        return Result(winner, ending, sentence, self.plies)

    def _called(self, player: int) -> Translatable:
        return VerdictPhrase.SEAT(name=self.names[player - 1], seat=self.position.seat_names[player - 1])

    def _illegal(self, error: IllegalMoveError | clobber.IllegalClobberMoveError) -> Translatable:
        if isinstance(error, clobber.IllegalClobberMoveError):
            return VerdictPhrase.ILLEGAL_MOVE(move=str(error.move), reason=str(error.reason))
        notation = self._settings.notation
        return VerdictPhrase.ILLEGAL_MOVE(
            move=place(notation.format_move(error.move), str(error.move)),
            reason=explain(error.reason, notation, names_option=True),
        )
