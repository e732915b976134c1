"""The page "Errors and verdicts" lists the lines that a move server prints about its clients."""

from __future__ import annotations

import re

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked

from quoridor_net.net.places import MAX_WAITING
from quoridor_net.players.simple import SimplePlayer
from server.listener import MoveServer
from server.session import IDLE_TIME, ServerSettings
from tests.docs.pages import DOCS, section

GAME = b"HELLO\nGAME 1 ann:bot bob:bot\n"
#: Moves after which two pawns face each other.
FACING = (
    b"".join(b"ATARI 1 (4, %d)\nATARI 2 (4, %d)\n" % (row, 8 - row) for row in range(1, 4))
    + b"ATARI 1 (4, 4)\n"
)
CASES = {
    "begun": [GAME],
    "won": [GAME, b"GOTE 2\nKIKASHI 1\n"],
    "lost": [GAME, b"KIKASHI 2\n"],
    "last": [GAME, b"GOTE 2\n"],
    "out": [GAME, b"GOTE 1\n"],
    "closed": [b"HELLO\n"],
    "nonsense": [b"HELLO\nSALUTE\n"],
    "full": [b"HELLO\n"],
    "silent": [],
    "crowd": [],
    "slow": [b"HELLO\n"],
    "idle": [GAME],
    "order": [GAME, b"ATARI 2 (4, 7)\n"],
    "order of questions": [GAME, b"ATARI 1 (4, 1)\nMYOUSHU\n"],
    "jump": [GAME, FACING, b"ATARI 2 (3, 4)\n"],
    "strange winner": [GAME, b"KIKASHI 2\n"],
    "impossible": [GAME, b"ATARI 1 (4, 4)\n"],
}


@pytest.mark.parametrize("case", CASES)
async def test_every_line_of_a_server_is_documented(case: str, autojump_clock: MockClock) -> None:
    listed = section(DOCS / "verdicts.md", "What a move server does about a client")
    rows = re.findall(r"^\| `(\[1\] .*?)(?: …)?` \|", listed, re.MULTILINE)
    lines = await collect_lines(case)
    assert [line for line in lines if not any(line.startswith(row) for row in rows)] == []
    assert any(line.startswith(rows[list(CASES).index(case)]) for line in lines)


async def collect_lines(case: str) -> list[str]:
    """Return the lines that a server prints while a client sends those of ``case`` and leaves."""
    lines: list[str] = []
    settings = ServerSettings("ann:bot", SimplePlayer, games=1, report=lines.append, alarm=lines.append)
    server = MoveServer(settings)
    async with trio.open_nursery() as nursery:
        if case == "full":
            busy, end = memory_stream_pair()
            nursery.start_soon(server.serve_connection, end)
            await busy.send_all(GAME)
            await wait_all_tasks_blocked()
        ours, theirs = memory_stream_pair()
        nursery.start_soon(server.serve_connection, theirs)
        if case == "crowd":
            for _ in range(MAX_WAITING):
                nursery.start_soon(server.serve_connection, memory_stream_pair()[1])
        for sent in CASES[case]:
            await ours.send_all(sent)
            await wait_all_tasks_blocked()
        if case in {"silent", "slow", "idle"}:
            # Slightly off, because two tasks that wake at the same time run in any order.
            await trio.sleep(IDLE_TIME + 1)
        if case == "idle":
            other, end = memory_stream_pair()
            nursery.start_soon(server.serve_connection, end)
            await other.send_all(b"HELLO\n")
            await wait_all_tasks_blocked()
        if case != "full":
            await ours.aclose()
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return [
        re.sub(r"^\[\d+\]", "[1]", line)
        for line in lines
        if not line.endswith("] the server is shutting down")
    ]
