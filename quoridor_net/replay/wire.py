"""Parse wire transcripts as :class:`quoridor_net.protocols.common.transcript.Transcript` writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from quoridor_net.replay.errors import Fault, ReplayError

Game = TypeVar("Game")

_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def entries(lines: Iterable[tuple[int, str]], form: re.Pattern[str]) -> Iterator[tuple[int, str, bytes]]:
    """Yield line number, direction and bytes of every entry; skip other lines.

    Args:
        lines: the lines of the transcript, with their numbers.
        form: matches the wanted entries; its groups are the direction and the bytes as a Python literal.

    Raises:
        ReplayError: the bytes are not written in ASCII.
    """
    for number, line in lines:
        entry = form.fullmatch(line)
        if entry is None:
            continue
        try:
            data = _ESCAPE.sub(_unescape, entry[2][2:-1]).encode("latin-1")
        except UnicodeEncodeError:
            column = entry.start(2) + 1
            raise ReplayError(Fault.SYNTAX, "bytes must be written in ASCII", number, column) from None
        yield number, entry[1], data


def _unescape(escape: re.Match[str]) -> str:
    name = escape[1]
    return chr(int(name[1:], 16)) if len(name) > 1 else _ESCAPED.get(name, name)


def choose_game(games: Sequence[Game], number: int | None, file: str) -> Game:
    """Return game ``number``, from 1, or the only game if it is None.

    Raises:
        ReplayError: the number is too large, or it is None and there are several games. The message calls
            their source ``file``.
    """
    if number is None and len(games) > 1:
        sentence = f"the {file} contains {len(games)} games: choose one by number"
        raise ReplayError(Fault.SEVERAL, sentence, 1, 1)
    if not 1 <= (number or 1) <= len(games):
        raise ReplayError(Fault.SYNTAX, f"no game {number}: the {file} contains {len(games)}", 1, 1)
    return games[(number or 1) - 1]
