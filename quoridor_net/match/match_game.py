"""The referee's state of a game: turn, time, faults and verdict. Nothing here waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from attrs import field, frozen

from quoridor_net import clobber
from quoridor_net.clocks import GameClock
from quoridor_net.events import GameStarted, MoveTimes
from quoridor_net.notation import Notation
from quoridor_net.notation.lan import LAN
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable, place
from quoridor_net.players.base import Clock
from quoridor_net.rules import IllegalMoveError, Position, explain
from quoridor_net.verdicts import VerdictPhrase

DEFAULT_PLY_LIMIT = 1000


class Playable(Protocol):
    """The interface of a position that a match needs. Players are numbered from 1."""

    #: Names of the seats, for verdicts.
    seat_names: ClassVar[tuple[str, ...]]

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def order(self) -> tuple[int, ...]:
        """All players, in order of play."""

    @property
    def alive(self) -> tuple[int, ...]:
        """The players still in the game."""

    @property
    def turn(self) -> int | None:
        """The player to move; None when the game is over."""

    @property
    def ending(self) -> Termination | None:
        """How the game ended; None while it continues."""

    @property
    def winner(self) -> int | None:
        """The winner, if any."""

    def push(self, move: Any) -> None:
        """Make a legal move; raise the game's ``IllegalMoveError`` for any other."""

    def eliminate(self, player: int) -> None:
        """Take a player out of the game."""

    def copy(self) -> Self:
        """Return an independent position."""


P = TypeVar("P", bound=Playable)
M = TypeVar("M")


@frozen
class MatchSettings:
    """Settings of a match.

    Attributes:
        position: start position, which is copied; default the standard start of Quoridor.
        move_time: time limit per move, in seconds; None for no limit.
        ply_limit: number of plies after which an undecided game is drawn.
        delay: pause between a move and the next request, in seconds, so that people can watch.
        ends_at_fault: whether a game for two ends at its first fault, as in the 2006 Clobber protocol:
            nothing but the verdict is sent afterwards. Otherwise all players first learn of the start of the
            game and of all legal moves.
        notation: notation of squares and walls of Quoridor in verdicts; Clobber has only one.
        takes_back: whether players may take moves back. This requires that no player keeps its own copy of
            the game, as programs behind a protocol do.
        clock: time of each player for all its moves together; None for no limit.
        first_move_time: time limit of each player's first move, in seconds. It replaces the other limits, and
            that move does not run the clock; None for no such rule.
        own_clocks: clocks of players that have another one, by number.
        repetition: number of occurrences of a position, with the player to move and the walls left, that
            draws the game; None for no such rule.
        agrees_draws: whether the players may agree to a draw in a position that has occurred before.
    """

    position: Playable | None = None
    move_time: float | None = None
    ply_limit: int = DEFAULT_PLY_LIMIT
    delay: float = 0.0
    ends_at_fault: bool = False
    notation: Notation = LAN
    takes_back: bool = False
    clock: GameClock | None = None
    first_move_time: float | None = None
    own_clocks: Mapping[int, GameClock] = field(factory=dict)
    repetition: int | None = None
    agrees_draws: bool = False

    def clock_of(self, player: int) -> GameClock | None:
        """Return the clock of ``player``; None for no limit."""
        return self.own_clocks.get(player, self.clock)

    def announce(self, names: tuple[str, ...], start: P) -> GameStarted[P]:
        """Return the first event of a game with these players and this start."""
        clocks = tuple(self.clock_of(player) for player in range(1, len(names) + 1))
        return GameStarted(
            names,
            start,
            self.move_time,
            self.ply_limit,
            clocks if any(clocks) else (),
            self.first_move_time,
        )


class MatchGame(Generic[P, M]):
    """The state of one game.

    Args:
        names: the names of the players, by number from 1.
        position: the start position. It belongs to the game.
        settings: settings of the match.

    Attributes:
        position: the position after all announced events. Do not change it.
        plies: number of moves made.
        thinking: the player whose answer is due; None if there is none.
        times: the times of each player's moves, including those taken back, by number from 1.
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
        # Faults not yet announced, oldest first, and the one announced last.
        self._faults: dict[int, ForfeitError] = {}
        self._announced: tuple[int, ForfeitError] | None = None
        # The reason why the game does not count; None if it counts.
        self._void: Translatable | None = None
        clocks = {player: settings.clock_of(player) for player in range(1, position.players + 1)}
        self._clocks = {player: clock for player, clock in clocks.items() if clock is not None}
        self._left = {player: clock.seconds for player, clock in self._clocks.items()}
        # The player and the position before, for each ply that can be taken back.
        self._before: list[tuple[int, P]] = []
        # The positions so far, as lines, if repetitions count; and how often the last one had occurred when
        # the players agreed to a draw.
        self._lines: list[str] = []
        self._agreed_at = 0
        self._note_position()

    @property
    def turn(self) -> int | None:
        """The player to move; None if the game is over, void, drawn or at its ply limit."""
        if (
            self._void is not None
            or self._agreed_at
            or self._is_repeated
            or self.plies >= self._settings.ply_limit
        ):
            return None
        return self.position.turn

    @property
    def _is_repeated(self) -> bool:
        """Whether the position has occurred as often as the settings allow."""
        repetition = self._settings.repetition
        return repetition is not None and self._occurrences >= repetition

    @property
    def _occurrences(self) -> int:
        """How often the position has occurred; 0 if repetitions do not count."""
        return self._lines.count(self._lines[-1]) if self._lines else 0

    def _note_position(self) -> None:
        counts = self._settings.repetition is not None or self._settings.agrees_draws
        if counts and isinstance(self.position, Position):
            self._lines.append(self.position.to_line())

    @property
    def has_fault(self) -> bool:
        """Whether a noted fault is not yet announced, or the game is void."""
        return bool(self._faults) or self._void is not None

    @property
    def is_silenced(self) -> bool:
        """Whether a fault has ended the game, so that only the verdict may be sent."""
        return self._settings.ends_at_fault and self.has_fault and not self._is_decided

    @property
    def _is_decided(self) -> bool:
        """Whether the rules have decided the game, so that no fault can."""
        # If a fault ends the game, an already decided start position is won by the player who showed up.
        return self.position.turn is None and (self.plies > 0 or not self._settings.ends_at_fault)

    def clock(self, player: int) -> Clock:
        """Return the times for ``player`` to plan its next move.

        An allowance for the first move is for programs that get ready during it, not for longer thinking.
        """
        move_time, game_clock = self._settings.move_time, self._clocks.get(player)
        if (first := self._allowance(player)) is not None:
            move_time = first if move_time is None else min(first, move_time)
        if game_clock is None:
            return Clock(move_time)
        return Clock(move_time, self._left[player], game_clock.increment)

    def left(self, player: int) -> float | None:
        """Return the time left on the clock of ``player``, in seconds; None without a clock."""
        return self._left.get(player)

    def limit(self, player: int) -> float | None:
        """Return the time limit for the next move of ``player``, in seconds; None for no limit."""
        if (first := self._allowance(player)) is not None:
            return first
        move_time, left = self._settings.move_time, self._left.get(player)
        if move_time is None or left is None:
            return left if move_time is None else move_time
        return min(move_time, left)

    def _allowance(self, player: int) -> float | None:
        """Return the time limit for the first move of ``player``; None after it, or if the rule is off."""
        return None if self.times[player - 1].moves else self._settings.first_move_time

    def play(self, player: int, move: M, seconds: float, line: str) -> list[int] | None:
        """Make a move, or note a fault if it is illegal.

        Args:
            player: the player to move.
            move: the move.
            seconds: its thinking time.
            line: its answer as received.

        Returns:
            The players passed over because they have no legal move; None after an illegal move.
        """
        if player in self._left and self._allowance(player) is None:
            # An answer found together with its timeout counts, and may be late.
            rest = max(0.0, self._left[player] - seconds)
            self._left[player] = rest + self._clocks[player].increment
        before = self.position.copy() if self._settings.takes_back else None
        try:
            self.position.push(move)
        except (IllegalMoveError, clobber.IllegalClobberMoveError) as error:
            self.note(
                player, ForfeitError(Termination.ILLEGAL_MOVE, self._illegal(error), line, move=error.move)
            )
            return None
        self.plies += 1
        self._note_position()
        self.times[player - 1] = self.times[player - 1].after(seconds)
        if before is not None:
            self._before.append((player, before))
        return self._find_passed_over(player)

    def take_back(self, player: int) -> int:
        """Take back the last move of ``player`` and all since; return the number of plies.

        If there is none, or a player was eliminated since, do nothing and return 0.
        """
        moves = [index for index, (mover, _) in enumerate(self._before) if mover == player]
        if not moves:
            return 0
        plies = len(self._before) - moves[-1]
        self.position = self._before[moves[-1]][1]
        del self._before[moves[-1] :]
        self.plies -= plies
        if self._lines:
            del self._lines[-plies:]
        return plies

    def spend(self, player: int, seconds: float) -> None:
        """Take thinking time that led to no move off the clock of ``player``."""
        if player in self._left and self._allowance(player) is None:
            self._left[player] = max(0.0, self._left[player] - seconds)

    def agree_draw(self) -> None:
        """Draw the game, unless the position occurs for the first time."""
        if self._occurrences > 1:
            self._agreed_at = self._occurrences

    def _find_passed_over(self, mover: int) -> list[int]:
        """Return the players between ``mover`` and the player to move."""
        order, turn = self.position.order, self.position.turn
        start = order.index(mover) + 1
        if turn is None or turn == order[start % len(order)]:
            return []
        following = order[start:] + order[:start]
        return [player for player in following[: following.index(turn)] if player in self.position.alive]

    def note(self, player: int, fault: ForfeitError) -> bool:
        """Keep a fault until it can be announced; return whether the thinking player can stop.

        A player that is asked for a move gets no message until it has answered (docs/decisions.md, Protocol).
        Another player's fault therefore waits for that answer, unless it decides the game.

        A fault that costs the player nothing (``aborted``) makes an undecided game void.
        """
        if player not in self.position.alive or player in self._faults:
            return False
        if fault.termination.is_void:
            if not self.has_fault and not self._is_decided:
                reason = VerdictPhrase.ABSENCE(name=self._name_seat(player), did=fault.sentence)
                self._void = VerdictPhrase.VOID(reason=reason)
            return self.thinking is not None
        self._faults[player] = self._in_context(player, fault)
        others = [other for other in self.position.alive if other not in self._faults]
        return self.thinking is not None and (player == self.thinking or others == [self.thinking])

    def _in_context(self, player: int, fault: ForfeitError) -> ForfeitError:
        """Add the thinking player to the fault of a lost connection, because some programs lose patience."""
        is_lost = fault.termination is Termination.DISCONNECTED and not self._settings.ends_at_fault
        if not is_lost or self.thinking in {None, player}:
            return fault
        sentence = VerdictPhrase.WHILE_THINKING(did=fault.sentence, player=self.thinking or 0)
        return ForfeitError(fault.termination, sentence, fault.line, fault.hint)

    def note_silence(self, player: int) -> None:
        """Note that ``player`` did not answer in time, unless it already has a fault."""
        limit, left = self.limit(player), self._left.get(player)
        assert limit is not None, "without a limit nobody is too slow"
        if self._allowance(player) is not None:
            sentence = VerdictPhrase.NO_FIRST_MOVE(seconds=limit)
        elif limit != left or limit == self._settings.move_time:
            sentence = VerdictPhrase.NO_ANSWER(seconds=limit)
        else:
            sentence = VerdictPhrase.OUT_OF_TIME(clock=str(self._clocks[player]))
        self.note(player, ForfeitError(Termination.TOO_SLOW, sentence))

    def announce(self) -> tuple[int, ForfeitError] | None:
        """Eliminate the player with the oldest fault and return both; None if there is none.

        Faults after the decision do not count.
        """
        if not self._faults or self._is_decided or self._void is not None:
            return None
        player = next(iter(self._faults))
        self._announced = player, self._faults.pop(player)
        self.position.eliminate(player)
        # The eliminated player has left, so no move before this can be taken back.
        self._before.clear()
        return self._announced

    def result(self) -> Result:
        """Return the result of the finished game."""
        position = self.position
        if self._void is not None:
            return Result(None, Termination.ABORTED, self._void, self.plies)
        if position.ending is None and self._agreed_at:
            sentence = VerdictPhrase.AGREED(times=self._agreed_at)
            return Result(None, Termination.REPETITION, sentence, self.plies)
        if position.ending is None and self._is_repeated:
            sentence = VerdictPhrase.REPETITION(times=self._settings.repetition or 0)
            return Result(None, Termination.REPETITION, sentence, self.plies)
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
                winner=self._name_seat(winner), loser=self._name_seat(player), did=fault.sentence
            )
            if position.players == 2:
                return Result(winner, fault.termination, sentence, self.plies, fault.line)
            return Result(winner, ending, sentence, self.plies, fault.line)
        if ending is Termination.GOAL:
            sentence = VerdictPhrase.GOAL(winner=self._name_seat(winner))
        else:
            loser = next(player for player in position.alive if player != winner)
            sentence = VerdictPhrase.BLOCKED(winner=self._name_seat(winner), loser=self._name_seat(loser))
        return Result(winner, ending, sentence, self.plies)

    def _name_seat(self, player: int) -> Translatable:
        return VerdictPhrase.SEAT(name=self.names[player - 1], seat=self.position.seat_names[player - 1])

    def _illegal(self, error: IllegalMoveError | clobber.IllegalClobberMoveError) -> Translatable:
        if isinstance(error, clobber.IllegalClobberMoveError):
            return VerdictPhrase.ILLEGAL_MOVE(move=str(error.move), reason=str(error.reason))
        notation = self._settings.notation
        return VerdictPhrase.ILLEGAL_MOVE(
            move=place(notation.format_move(error.move), str(error.move)),
            reason=explain(error.reason, notation, names_option=True),
        )
