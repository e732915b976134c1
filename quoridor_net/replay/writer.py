"""Write replay files, at once or ply by ply during a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def format_replay(replay: Replay, comments: Sequence[str] = ()) -> str:
    """Return the contents of a replay file.

    Args:
        replay: the game.
        comments: the comment after each ply, empty for none; shorter if the last plies have none.
    """
    lines = []
    for number, ply in enumerate(replay.plies):
        lines.append(format_ply(ply))
        if number < len(comments) and comments[number]:
            lines.append(_format_comment(comments[number]))
    return format_file(replay, lines)


def describe_thinking(seconds: float, left: float | None = None, score: int | None = None) -> str:
    """Return the comment on a move.

    Args:
        seconds: thinking time.
        left: time left on the clock of the player, in seconds; None without a clock.
        score: the player's value of the move, in hundredths of a step; None for none.
    """
    parts = [f"{seconds:.3f} s"]
    if left is not None:
        parts.append(f"{left:.3f} s left")
    if score is not None:
        parts.append(f"score {score / 100:+.2f}")
    return ", ".join(parts)


def _format_comment(comment: str) -> str:
    return f"# {comment}"


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

    def add(self, ply: Ply, comment: str = "") -> None:
        """Write the next ply, which must be legal, and a comment of one line that is not metadata."""
        self._write([format_ply(ply), *([_format_comment(comment)] if comment else [])])

    def end(self, outcome: Outcome) -> None:
        """Write the outcome."""
        self._write(format_metadata(key, value) for key, value in outcome.metadata)

    def _write(self, lines: Iterable[str]) -> None:
        self._file.write("".join(f"{line}\n" for line in lines))
        self._file.flush()
