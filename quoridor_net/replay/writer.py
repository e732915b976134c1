"""Write replay files, at once or ply by ply during a game."""

from __future__ import annotations

from collections.abc import Iterable

from quoridor_net.output import Writable
from quoridor_net.replay.grammar import format_ply
from quoridor_net.replay.metadata import format_metadata
from quoridor_net.replay.replay import OUTCOME_KEYS, Outcome, Replay
from quoridor_net.replay.setting import EXTENSION, Setting
from quoridor_net.rules import Ply


def _header(setting: Setting, metadata: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines before the first move."""
    lines = [format_metadata(key, value) for key, value in metadata if key not in OUTCOME_KEYS]
    return lines + [format_metadata(EXTENSION, value) for value in setting.announcements()]


def format_file(replay: Replay, moves: Iterable[str]) -> str:
    """Return the contents of a file with these lines of moves; the outcome comes last."""
    ending = [format_metadata(key, value) for key, value in replay.metadata if key in OUTCOME_KEYS]
    lines = [*_header(replay.setting, replay.metadata), *moves, *ending]
    return "".join(f"{line}\n" for line in lines)


def format_replay(replay: Replay) -> str:
    """Return the contents of a replay file."""
    return format_file(replay, map(format_ply, replay.plies))


class ReplayWriter:
    """Writes one game as it is played. Lines are flushed at once, so that a crash leaves a readable file.

    Args:
        file: the file to write; the caller closes it.
    """

    def __init__(self, file: Writable) -> None:
        self._file = file

    def begin(self, setting: Setting, metadata: Iterable[tuple[str, str]] = ()) -> None:
        """Write the metadata and setting, before the first move."""
        self._write(_header(setting, metadata))

    def add(self, ply: Ply) -> None:
        """Write the next ply, which must be legal."""
        self._write([format_ply(ply)])

    def end(self, outcome: Outcome) -> None:
        """Write the outcome."""
        self._write(format_metadata(key, value) for key, value in outcome.metadata)

    def _write(self, lines: Iterable[str]) -> None:
        self._file.write("".join(f"{line}\n" for line in lines))
        self._file.flush()
