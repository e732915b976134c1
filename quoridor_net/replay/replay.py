"""A recorded game, whatever it was written in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve, field, frozen

from quoridor_net.replay.setting import Setting
from quoridor_net.rules import Ply, Position, Termination

#: Endings that are seen on the board; metadata cannot replace them.
ON_THE_BOARD = {Termination.GOAL, Termination.LAST_PLAYER, Termination.NO_MOVES}

#: Metadata that tell how a game ended.
OUTCOME_KEYS = ("Result", "Termination")

_WIN = re.compile(r"P([1-4])-win", re.ASCII)


@frozen
class Outcome:
    """How a game ended.

    Attributes:
        winner: number of the winner; None when the game is drawn or void.
        termination: the reason, as in files: one of :class:`~quoridor_net.outcome.Termination`, or another
            word in files of other programs.
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
        """The metadata that tell this outcome."""
        return (("Result", self.result), ("Termination", self.termination))


@frozen
class Replay:
    """A recorded game. Made by the readers of this package, its plies are legal in their order.

    Attributes:
        setting: what it was played with.
        plies: what was played, oldest first; an elimination is a ply without a move.
        metadata: keys and values in order, ``Extension`` lines not among them.
        complete: whether it is played to its end, on the board or by a result that the metadata state.
        reading: how its squares and walls were understood, where that is not the usual way; else empty.
    """

    setting: Setting = field(factory=Setting)
    plies: tuple[Ply, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    complete: bool = False
    reading: str = field(default="", eq=False)

    def position(self, ply: int | None = None) -> Position:
        """Return the position after ``ply`` plies, or the last one.

        Raises:
            ValueError: the game is not that long.
        """
        count = len(self.plies) if ply is None else ply
        if not 0 <= count <= len(self.plies):
            raise ValueError(f"the game has {len(self.plies)} plies, there is no ply {count}")
        position = self.setting.position()
        for played in self.plies[:count]:
            apply(position, played)
        return position

    def positions(self) -> Iterator[Position]:
        """Yield the position before the first ply and after each one; every one is the caller's to keep."""
        position = self.setting.position()
        yield position.copy()
        for played in self.plies:
            apply(position, played)
            yield position.copy()

    def value(self, key: str) -> str | None:
        """Return the first value that the metadata give for ``key``."""
        return next((value for name, value in self.metadata if name == key), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players by player number; ``player1`` and so on where the metadata give none."""
        names = (self.value("Players") or "").split(" vs ")
        if len(names) != self.setting.players or not all(name.strip() for name in names):
            return tuple(f"player{number}" for number in range(1, self.setting.players + 1))
        return tuple(name.strip() for name in names)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the board or else by the metadata; None while neither tells."""
        return outcome_of(self, self.position())

    def completed(self, outcome: Outcome | None) -> Replay:
        """Return this game with ``complete`` as it is and, if it is over, the outcome in its metadata."""
        if outcome is None or self.value("Result") is not None:
            return evolve(self, complete=outcome is not None)
        kept = tuple(line for line in self.metadata if line[0] != "Termination")
        return evolve(self, complete=True, metadata=kept + outcome.metadata)


def apply(position: Position, ply: Ply) -> None:
    """Play ``ply`` in ``position``.

    Raises:
        IllegalMoveError: the rules forbid it.
        ValueError: a player that is not in the game cannot be eliminated.
    """
    if ply.move is None:
        position.eliminate(ply.player)
    else:
        position.push(ply.move)


def outcome_of(replay: Replay, last: Position) -> Outcome | None:
    """Return how a game ended whose last position is known, by it or else by the metadata.

    None when these tell no outcome either, or one that only the board can show or that does not count.
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
