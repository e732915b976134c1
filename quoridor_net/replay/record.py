"""A game being read: check every ply by the rules and report the place of the first error."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import frozen

from quoridor_net.notation import Notation
from quoridor_net.phrases import text_of
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.metadata import Metadata, parse_metadata
from quoridor_net.replay.replay import Outcome, Replay, apply, outcome_of
from quoridor_net.replay.setting import EXTENSION, Setting
from quoridor_net.rules import IllegalMoveError, Ply, Position, Step, explain
from quoridor_net.text import count_things, quote

#: Maximum number of plies in a game; matches end much earlier.
MAX_PLIES = 10_000

# Number of plies after which the position's history is dropped.
_MOST_HISTORY = 1000

_RESULT = re.compile(r"P[1-4]-win|draw|void", re.ASCII)


@frozen
class Place:
    """The place of a ply in a text: lines and columns from 1.

    Attributes:
        line: its line.
        command: its first column.
        player: column of the player.
        move: column of the square or move.
    """

    line: int
    command: int = 1
    player: int = 1
    move: int = 1


class Record:
    """The part of a game read so far.

    Args:
        setting: the default setting, which extensions in comments can change.
        notation: returns the notation of the text for a board size, for errors.
        strict: whether to reject extensions.
    """

    def __init__(
        self, setting: Setting, notation: Callable[[int], Notation], *, strict: bool = False
    ) -> None:
        self.setting = setting
        self.metadata = Metadata()
        self.plies: list[Ply] = []
        # Created on first use; the setting cannot change afterwards.
        self._position: Position | None = None
        # Shares equal plies, to save memory in long games.
        self._known: dict[Ply, Ply] = {}
        self._notation = notation
        self._strict = strict

    @property
    def position(self) -> Position:
        """The position after the plies so far."""
        if self._position is None:
            self._position = self.setting.position()
        return self._position

    def comment(self, text: str, line: int) -> None:
        """Process a comment: metadata, an extension of the format, or neither.

        Raises:
            ReplayError: an extension is unknown, not allowed or too late, or an outcome is repeated.
        """
        key, value = parse_metadata(text) or ("", "")
        if key == EXTENSION:
            self._extend(value, line)
        elif key:
            self.metadata.add(key, value, line)

    def _extend(self, announcement: str, line: int) -> None:
        if self._strict:
            sentence = f"the extension {quote(announcement)} is not part of version 1 of the format"
            raise ReplayError(Fault.EXTENSION, sentence, line, 1)
        if self._position is not None:
            raise ReplayError(Fault.SYNTAX, RecordPhrase.LATE_EXTENSION(), line, 1)
        try:
            self.setting = self.setting.add_extension(announcement)
        except ValueError as error:
            raise ReplayError(Fault.SYNTAX, text_of(error), line, 1) from None

    def add(self, ply: Ply, place: Place) -> None:
        """Make the next ply.

        Raises:
            ReplayError: the game is over, it is another player's turn, or the rules forbid it.
        """
        position = self.position
        if len(self.plies) >= MAX_PLIES:
            sentence = RecordPhrase.LONG_GAME(most=MAX_PLIES)
            raise ReplayError(Fault.SYNTAX, sentence, place.line, place.command)
        if position.turn is None:
            winner = position.winner
            sentence = RecordPhrase.NO_MOVES() if winner is None else RecordPhrase.WON(player=winner)
            raise ReplayError(Fault.GAME_OVER, sentence, place.line, place.command)
        if ply.move is None and ply.player not in position.alive:
            sentence = RecordPhrase.NOT_IN_GAME(player=ply.player)
            raise ReplayError(Fault.ILLEGAL, sentence, place.line, place.player)
        if ply.move is not None and ply.player != position.turn:
            sentence = RecordPhrase.WRONG_TURN(player=position.turn)
            raise ReplayError(Fault.WRONG_TURN, sentence, place.line, place.player)
        try:
            apply(position, ply)
        except IllegalMoveError as error:
            phrase = RecordPhrase.ILLEGAL_STEP if isinstance(ply.move, Step) else RecordPhrase.ILLEGAL_WALL
            reason = explain(error.reason, self._notation(position.size), names_option=True)
            sentence = phrase(reason=reason)
            raise ReplayError(Fault.ILLEGAL, sentence, place.line, place.move, error.reason) from None
        self.plies.append(self._known.setdefault(ply, ply))
        if position.turn and position.ply >= _MOST_HISTORY:
            # No ply is taken back here, and the history takes more memory than the file.
            self._position = Position.from_line(position.to_line(), position.jumps)

    def finish(self, end: Place, *, partial: bool) -> Replay:
        """Return the game, with its outcome in the metadata.

        Args:
            end: the end of the text.
            partial: whether to accept an unfinished game.

        Raises:
            ReplayError: the game is unfinished, or the outcome in the metadata differs from the board's.
        """
        replay = Replay(self.setting, tuple(self.plies), tuple(self.metadata.pairs))
        self._compare_outcome(replay, end)
        replay = replay.finish(outcome_of(replay, self.position))
        if not replay.complete and not partial:
            count = len(self.plies)
            sentence = (
                f"the game is unfinished: after {count_things(count, 'ply')}"
                f" it is the turn of player {self.position.turn}"
            )
            raise ReplayError(Fault.UNFINISHED, sentence, end.line, end.command)
        return replay

    def _compare_outcome(self, replay: Replay, end: Place) -> None:
        if self.position.ending is None:
            return
        for key, shown in Outcome(self.position.winner, str(self.position.ending)).metadata:
            stated = replay.value(key)
            # Skip results in the words of other programs.
            if stated is None or (key == "Result" and not _RESULT.fullmatch(stated)):
                continue
            if stated != shown:
                sentence = RecordPhrase.OTHER_OUTCOME(key=key, stated=quote(stated), shown=repr(shown))
                line = self.metadata.places.get(key, end.line)
                raise ReplayError(Fault.CONTRADICTION, sentence, line, 1)
