"""Write a match to a replay file while it is played."""

from __future__ import annotations

import datetime as dt
import logging
import os
import uuid

from quoridor_net.events import Event, GameEnded, GameStarted, MoveMade, MovesTakenBack, PlayerOut
from quoridor_net.output import Writable, discard_unwritten
from quoridor_net.replay import Outcome, ReplayWriter, Setting
from quoridor_net.replay.writer import describe_thinking
from quoridor_net.rules import Ply, Position
from quoridor_net.text import visible

_LOG = logging.getLogger(__name__)


class ReplayListener:
    """A listener that records one match. Each ply is in the file before the next is requested.

    In a game of two, only the metadata contain a fault, because version 1 of the format has no command for
    it. In a game of four, an elimination is recorded among the plies.

    In a game with time limits, a comment after each move gives the thinking time, the time left on the clock
    and, from the project's engine, the score.

    Moves taken back are removed from the file, which must then be a regular file and not a pipe.

    If the file cannot be written, for example on a full disk, the recording ends with a warning in the log;
    the game continues.

    Args:
        file: the file to write; the caller closes it.
        game_id: the value of ``Game-ID``; random by default.
        date: the value of ``Date``; default today.
    """

    def __init__(self, file: Writable, game_id: str | None = None, date: dt.date | None = None) -> None:
        self._file = file
        self._is_open = True
        self._writer = ReplayWriter(file)
        self._game_id = game_id or uuid.uuid4().hex[:12]
        self._date = date or dt.datetime.now(tz=dt.UTC).date()
        self._names: tuple[str, ...] = ()
        self._is_timed = False
        # The comments on all moves so far, including those before the first one.
        self._comments: list[str] = []

    def __call__(self, event: Event) -> None:
        """Record ``event``."""
        if not self._is_open:
            return
        try:
            self._write(event)
        except OSError as error:
            self._is_open = False
            name = visible(str(getattr(self._file, "name", "the replay file")))
            _LOG.warning("cannot write %s: %s. The game is not recorded.", name, error.strerror)
            discard_unwritten(self._file)

    def _write(self, event: Event) -> None:
        match event:
            case GameStarted():
                self._names = event.names
                limits = (event.move_time, event.first_move_time, *event.clocks)
                self._is_timed = any(limit is not None for limit in limits)
                self._comments = [""] * len(event.position.history)
                self._begin(event.position)
            case MoveMade():
                comment = describe_thinking(event.seconds, event.left, event.score) if self._is_timed else ""
                self._comments.append(comment)
                self._writer.add(Ply(event.player, event.move), comment)
            case MovesTakenBack():
                os.lseek(self._file.fileno(), 0, os.SEEK_SET)
                os.ftruncate(self._file.fileno(), 0)
                self._begin(event.position)
            case PlayerOut() if event.position.players > 2:
                self._comments.append("")
                self._writer.add(Ply(event.player, None))
            case GameEnded():
                self._writer.end(Outcome(event.result.winner, str(event.result.termination)))

    def _begin(self, position: Position) -> None:
        """Write the metadata, the setting and all moves so far."""
        metadata = (
            ("Game-ID", self._game_id),
            ("Date", self._date.isoformat()),
            ("Players", " vs ".join(self._names)),
        )
        self._writer.begin(Setting.of(position), metadata)
        del self._comments[len(position.history) :]
        for ply, comment in zip(position.history, self._comments, strict=True):
            self._writer.add(ply, comment)
