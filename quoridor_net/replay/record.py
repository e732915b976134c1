"""A game being read: checks every ply by the rules and says where the first mistake is."""

from __future__ import annotations

import re

from attrs import frozen

from quoridor_net.notation.base import Notation
from quoridor_net.replay.errors import Fault, ReplayError
from quoridor_net.replay.game import OUTCOME_KEYS, Outcome, Replay, apply, outcome_of
from quoridor_net.replay.metadata import Metadata
from quoridor_net.replay.setting import Setting
from quoridor_net.rules import IllegalMoveError, Ply, Position, Step, explain
from quoridor_net.text import quoted

#: Plies of a game at most; matches end after far fewer.
MAX_PLIES = 10_000

# Plies after which the history of the position is dropped.
_MOST_HISTORY = 1000

_RESULT = re.compile(r"P[1-4]-win|draw|void", re.ASCII)


@frozen
class Place:
    """Where in a text a ply is told: lines and columns from 1.

    Attributes:
        line: its line.
        command: column where it begins.
        player: column of the player.
        move: column of the square or the move.
    """

    line: int
    command: int = 1
    player: int = 1
    move: int = 1


class Record:
    """The plies read so far.

    Args:
        setting: what the game is played with.
        notation: the notation of the text, for errors.
    """

    def __init__(self, setting: Setting, notation: Notation) -> None:
        self.setting = setting
        self.position: Position = setting.position()
        self.plies: list[Ply] = []
        # Long games repeat themselves: equal plies are one object.
        self._known: dict[Ply, Ply] = {}
        self._notation = notation

    def add(self, ply: Ply, place: Place) -> None:
        """Play the next ply.

        Raises:
            ReplayError: the game is over, it is another player's turn, or the rules forbid it.
        """
        position = self.position
        if len(self.plies) >= MAX_PLIES:
            sentence = f"the game is too long: it has more than {MAX_PLIES} plies"
            raise ReplayError(Fault.SYNTAX, sentence, place.line, place.command)
        if position.turn is None:
            raise ReplayError(
                Fault.GAME_OVER, f"the game is over: {ending(position)}", place.line, place.command
            )
        if ply.move is None and ply.player not in position.alive:
            sentence = f"player {ply.player} is not in the game any more"
            raise ReplayError(Fault.ILLEGAL, sentence, place.line, place.player)
        if ply.move is not None and ply.player != position.turn:
            sentence = f"wrong turn: it is the turn of player {position.turn}"
            raise ReplayError(Fault.WRONG_TURN, sentence, place.line, place.player)
        try:
            apply(position, ply)
        except IllegalMoveError as error:
            what = "pawn move" if isinstance(ply.move, Step) else "wall"
            reason = explain(error.reason, self._notation, names_option=True)
            raise ReplayError(
                Fault.ILLEGAL, f"illegal {what}: {reason}", place.line, place.move, error.reason
            ) from None
        self.plies.append(self._known.setdefault(ply, ply))
        if position.turn and position.ply >= _MOST_HISTORY:
            # Nothing is taken back here, and a history takes more memory than the file.
            self.position = Position.from_line(position.to_line(), position.jumps)

    def finish(
        self,
        metadata: Metadata,
        end: Place,
        *,
        partial: bool,
    ) -> Replay:
        """Return the game.

        Args:
            metadata: what is known about it; the outcome is added if they do not give it.
            end: where the text ends.
            partial: whether it may be unfinished.

        Raises:
            ReplayError: it is unfinished and must not be, or the metadata tell another outcome than the
                board.
        """
        replay = Replay(self.setting, tuple(self.plies), tuple(metadata.pairs))
        self._compare_outcome(replay, metadata, end)
        replay = replay.completed(outcome_of(replay, self.position))
        if not replay.complete and not partial:
            count = len(self.plies)
            sentence = (
                f"the game is not played to its end: after {count} {'ply' if count == 1 else 'plies'}"
                f" it is the turn of player {self.position.turn}"
            )
            raise ReplayError(Fault.UNFINISHED, sentence, end.line, end.command)
        return replay

    def _compare_outcome(self, replay: Replay, metadata: Metadata, end: Place) -> None:
        if self.position.ending is None:
            return
        seen = Outcome(self.position.winner, str(self.position.ending))
        for key, shown in zip(OUTCOME_KEYS, (seen.result, seen.termination), strict=True):
            stated = replay.value(key)
            # Words of other programs cannot be compared.
            if stated is None or (key == "Result" and not _RESULT.fullmatch(stated)):
                continue
            if stated != shown:
                sentence = f"{key} is {quoted(stated)}, but on the board it is {shown!r}"
                raise ReplayError(Fault.CONTRADICTION, sentence, metadata.places.get(key, end.line), 1)


def ending(position: Position) -> str:
    """Return how a game that is over on the board ended, for people."""
    return "nobody can move" if position.winner is None else f"player {position.winner} has won"
