"""Record the lines of a game, and check the promises of the protocol."""

from __future__ import annotations

import ast
import io
import re
from collections import defaultdict
from functools import lru_cache

from attrs import define, field, frozen

from quoridor_net.protocols.common.transcript import Transcript

_LINE = re.compile(r"\[ *\d+\.\d+\] (?:(C->S)(\d)|S(\d)->C) (b.*)")


@frozen
class Wired:
    """One line on the wire: to or from server ``server``."""

    to_server: bool
    server: int
    data: bytes


@define
class WireLog:
    """Records the lines that a client sends and receives."""

    file: io.StringIO = field(factory=io.StringIO)

    def transcript(self) -> Transcript:
        """Return the transcript for a client."""
        return Transcript(self.file, lambda: 0.0)

    @property
    def lines(self) -> list[Wired]:
        """All recorded lines."""
        return read_transcript(self.file.getvalue())

    def sent(self, server: int) -> list[str]:
        """Return the lines sent to ``server``."""
        return [wired.data.decode() for wired in self.lines if wired.to_server and wired.server == server]

    def check(self) -> None:
        """Check the promises of the protocol; raise AssertionError for a broken one."""
        check_promises(self.lines)


def read_transcript(text: str) -> list[Wired]:
    """Return the lines of a transcript."""
    found = []
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is not None:
            found.append(Wired(match[1] is not None, int(match[2] or match[3]), _bytes_of(match[4])))
    return found


# Cached, because the servers of a game get the same lines, and tests look at them several times.
@lru_cache(maxsize=4096)
def _bytes_of(literal: str) -> bytes:
    data: bytes = ast.literal_eval(literal)
    return data


def check_promises(lines: list[Wired]) -> None:
    """Check the promises of docs/decisions.md, Protocol, about all messages from the client."""
    last_word: dict[int, bytes] = {}
    numbers: dict[int, str] = {}
    asked: dict[int, bool] = defaultdict(bool)
    for wired in lines:
        if not wired.to_server:
            asked[wired.server] = False
            continue
        server, data = wired.server, wired.data
        assert server not in last_word, f"{data!r} was sent to server {server} after {last_word[server]!r}"
        assert data.isascii() or data.startswith(b"GAME "), f"not ASCII: {data!r}"
        assert data.endswith(b"\n"), f"no line end: {data!r}"
        assert data[:-1] == b" ".join(data.split()), f"wrong spaces: {data!r}"
        keyword, *words = data.decode().split()
        if keyword == "GAME":
            numbers[server] = words[0]
        if keyword == "MYOUSHU":
            assert not asked[server], f"server {server} was asked again before it answered"
            asked[server] = True
        if keyword == "ATARI":
            assert not asked[server], f"server {server} got {data!r} before it answered"
        if keyword == "KIKASHI" or (keyword == "GOTE" and words[0] == numbers[server]):
            last_word[server] = data
