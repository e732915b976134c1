"""Read recorded games in any format, and write them in some."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from quoridor_net.moves import require
from quoridor_net.replay.collection import find_game
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.formats import FORMATS, FormatInfo, RecordFormat, Request, format_of
from quoridor_net.replay.reading import Reading
from quoridor_net.replay.replay import Replay
from quoridor_net.replay.text import read_text
from quoridor_net.rules import Jumps
from quoridor_net.rules.reasons import Illegality
from quoridor_net.text import BLANKS
from quoridor_net.text_file import unify_line_ends

#: Faults that may disappear in another reading of the game.
_BREACHES = {Fault.ILLEGAL, Fault.WRONG_TURN}


def parse_game(
    text: str,
    origin: RecordFormat | None = None,
    *,
    jumps: Jumps | None = None,
    partial: bool = False,
    number: int | None = None,
) -> Replay:
    """Parse a recorded game.

    Args:
        text: the text.
        origin: its format; detected by default.
        jumps: the jump rule if the text has none. The default is the official rule, or the classroom rule for
            games that are legal only under that.
        partial: whether to accept an unfinished game.
        number: the number of the game in a text with several, from 1.

    Raises:
        TypeError: ``text`` is not a string.
        ReplayError: the text is not in the format, or the game breaks the rules.
    """
    require("the text of a game", str, text)
    text = unify_line_ends(text).removeprefix("\ufeff")
    if not text.strip(BLANKS):
        raise ReplayError(Fault.UNFINISHED, RecordPhrase.EMPTY(), 1, 1)
    chosen = find_game(text, number)
    if chosen is not None:
        text, number = chosen, None
    form = origin or format_of(text)

    def read(reading: Reading, rule: Jumps) -> Replay:
        return FORMATS[form].read(text, Request(rule, partial, number, reading))

    try:
        return _read_somehow(read, FORMATS[form], jumps)
    except ReplayError as error:
        error.form = str(form)
        raise


def _read_somehow(read: Callable[[Reading, Jumps], Replay], info: FormatInfo, jumps: Jumps | None) -> Replay:
    """Return the game in the first reading that makes it legal.

    An unusual reading must be evident: in the usual one, a wall lies off the board, or the game breaks the
    rules and is played to its end in the other.

    Raises:
        ReplayError: no reading makes it legal; this is the error of the usual one.
    """
    usual, *others = info.readings
    try:
        return _read_by_rules(usual, read, jumps)
    except ReplayError as error:
        if error.fault not in _BREACHES | {Fault.GAME_OVER}:
            raise
        first = error
    reason = first.reason
    is_off_board = reason is not None and reason.kind is Illegality.OFF_BOARD and bool(reason.walls)
    is_evident = is_off_board or not info.is_settled
    for reading in others:
        try:
            replay = _read_by_rules(reading, read, jumps)
        except ReplayError:
            continue
        if is_evident or replay.position().ending is not None:
            return replay
    raise first


def _read_by_rules(reading: Reading, read: Callable[[Reading, Jumps], Replay], jumps: Jumps | None) -> Replay:
    """Return the game by ``jumps`` or, if that is None, by the official or else the classroom rule."""
    if jumps is not None:
        return read(reading, jumps)
    try:
        return read(reading, Jumps.OFFICIAL)
    except ReplayError as error:
        if error.fault not in _BREACHES:
            raise
        try:
            return read(reading, Jumps.CLASSROOM)
        except ReplayError:
            raise error from None


def read(
    path: str | Path,
    origin: RecordFormat | None = None,
    *,
    jumps: Jumps | None = None,
    partial: bool = False,
    number: int | None = None,
) -> Replay:
    """Read a recorded game from a file; other arguments are those of :func:`parse_game`.

    Raises:
        OSError: the file cannot be read.
        ReplayError: the file is not in the format, or the game breaks the rules.
    """
    return parse_game(read_text(path), origin, jumps=jumps, partial=partial, number=number)


def format_game(replay: Replay, target: RecordFormat = RecordFormat.REPLAY) -> str:
    """Return the text of a game in a format.

    Raises:
        TypeError: ``replay`` is not a :class:`Replay`.
        ReplayError: the format cannot describe this game; ``fault`` is ``INEXPRESSIBLE``.
    """
    require("the game", Replay, replay)
    write = FORMATS[target].write
    if write is None:
        raise ReplayError(Fault.INEXPRESSIBLE, f"the format {target} can only be read")
    return write(replay)
