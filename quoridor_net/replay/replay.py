"""Recorded games, independent of their formats."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve, field, frozen

from quoridor_net.replay.setting import Setting
from quoridor_net.rules import Ply, Position, Termination
from quoridor_net.text import count_things

#: Endings that only the board can show, not metadata.
ON_THE_BOARD = {Termination.GOAL, Termination.LAST_PLAYER, Termination.NO_MOVES}

#: Keys of the metadata that contain the outcome.
OUTCOME_KEYS = ("Result", "Termination")

_WIN = re.compile(r"P([1-4])-win", re.ASCII)


@frozen
class Outcome:
    """The end of a game.

    Attributes:
        winner: number of the winner; None if the game is drawn or void.
        termination: the reason as in files: a value of :class:`~quoridor_net.outcome.Termination`, or another
            word from another program.
    """

    winner: int | None
    termination: str

    @property
    def result(self) -> str:
        """The value of the ``Result`` line: ``P1-win``, ``draw`` or ``void``."""
        if self.winner is not None:
            return f"P{self.winner}-win"
        return "void" if self.termination == Termination.ABORTED else "draw"

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The metadata of this outcome."""
        return (("Result", self.result), ("Termination", self.termination))


@frozen
class Replay:
    """A recorded game. If a reader of this package created it, its plies are legal.

    Attributes:
        setting: the start position and rules.
        plies: the plies, oldest first; an elimination is a ply without a move.
        metadata: keys and values in order, without ``Extension`` lines.
        complete: whether the game has ended, on the board or by a result in the metadata.
        reading: an unusual meaning of its squares and walls; empty for the usual one.
    """

    setting: Setting = field(factory=Setting)
    plies: tuple[Ply, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    complete: bool = False
    reading: str = field(default="", eq=False)

    def position(self, ply: int | None = None) -> Position:
        """Return the position after ``ply`` plies; default the last one.

        Raises:
            ValueError: the game has fewer plies.
        """
        count = len(self.plies) if ply is None else ply
        if not 0 <= count <= len(self.plies):
            raise ValueError(f"the game has {count_things(len(self.plies), 'ply')}, there is no ply {count}")
        position = self.setting.position()
        for played in self.plies[:count]:
            apply(position, played)
        return position

    def positions(self) -> Iterator[Position]:
        """Yield the position before the first ply and after each one; the caller may keep and change them."""
        position = self.setting.position()
        yield position.copy()
        for played in self.plies:
            apply(position, played)
            yield position.copy()

    def value(self, key: str) -> str | None:
        """Return the first value of ``key`` in the metadata; None if there is none."""
        return next((value for name, value in self.metadata if name == key), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players by number; ``player1`` and so on if the metadata have none."""
        names = (self.value("Players") or "").split(" vs ")
        if len(names) != self.setting.players or not all(name.strip() for name in names):
            return tuple(f"player{number}" for number in range(1, self.setting.players + 1))
        return tuple(name.strip() for name in names)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome on the board or else in the metadata; None without either."""
        return outcome_of(self, self.position())

    def finish(self, outcome: Outcome | None) -> Replay:
        """Return this game with ``complete`` set and any ``outcome`` added to its metadata."""
        if outcome is None or self.value("Result") is not None:
            return evolve(self, complete=outcome is not None)
        kept = tuple(line for line in self.metadata if line[0] != "Termination")
        return evolve(self, complete=True, metadata=kept + outcome.metadata)


def apply(position: Position, ply: Ply) -> None:
    """Make ``ply`` in ``position``.

    Raises:
        IllegalMoveError: the rules forbid it.
        ValueError: the eliminated player is not in the game.
    """
    if ply.move is None:
        position.eliminate(ply.player)
    else:
        position.push(ply.move)


def outcome_of(replay: Replay, last: Position) -> Outcome | None:
    """Return the outcome of a game with the position ``last``, from the board or else the metadata.

    Return None if the metadata have no outcome, one that only the board can show, or a void one.
    """
    if last.ending is not None:
        return Outcome(last.winner, str(last.ending))
    result, termination = replay.value("Result"), replay.value("Termination")
    if result is None or not termination or termination in ON_THE_BOARD:
        return None
    won = _WIN.fullmatch(result)
    if won is not None and int(won[1]) in last.alive:
        return Outcome(int(won[1]), termination)
    return Outcome(None, termination) if result == "draw" else None
