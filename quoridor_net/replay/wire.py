"""Lines of wire transcripts, as :class:`quoridor_net.protocols.common.transcript.Transcript` writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from quoridor_net.replay.errors import Fault, ReplayError

Game = TypeVar("Game")

_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def entries(lines: Iterable[tuple[int, str]], form: re.Pattern[str]) -> Iterator[tuple[int, str, bytes]]:
    """Yield line number, direction and bytes of every entry; other lines are skipped.

    Args:
        lines: the transcript, with the numbers of its lines.
        form: the entries that are wanted; its groups are the direction and the bytes as Python writes them.

    Raises:
        ReplayError: the bytes are not written in ASCII.
    """
    for number, line in lines:
        entry = form.fullmatch(line)
        if entry is None:
            continue
        try:
            data = _ESCAPE.sub(_unescaped, entry[2][2:-1]).encode("latin-1")
        except UnicodeEncodeError:
            column = entry.start(2) + 1
            raise ReplayError(Fault.SYNTAX, "bytes are written in ASCII", number, column) from None
        yield number, entry[1], data


def _unescaped(escape: re.Match[str]) -> str:
    name = escape[1]
    return chr(int(name[1:], 16)) if len(name) > 1 else _ESCAPED.get(name, name)


def choose_game(games: Sequence[Game], number: int | None, file: str) -> Game:
    """Return game ``number``, counted from 1; None for the only one.

    Raises:
        ReplayError: there is no such game, or there are several; ``file`` is what tells them.
    """
    if number is None and len(games) > 1:
        raise ReplayError(Fault.SEVERAL, f"the {file} tells {len(games)} games: say which", 1, 1)
    if not 1 <= (number or 1) <= len(games):
        raise ReplayError(Fault.SYNTAX, f"there is no game {number}: the {file} tells {len(games)}", 1, 1)
    return games[(number or 1) - 1]
