"""A person at the console of a Clobber client."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import closing

import pytest
import trio

from quoridor_net.clobber import ClobberPosition, Move
from quoridor_net.outcome import ForfeitError
from quoridor_net.players import Clock, Seating
from quoridor_net.rules import Termination
from quoridor_net.ui.console import Console
from quoridor_net.ui.human_clobber import HumanClobberPlayer
from tests.support.terminal import Terminal


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setenv("COLUMNS", "80")
    with closing(Terminal()) as terminal:
        yield terminal


async def type_move(text: str) -> tuple[Move, str]:
    """Return the move that ``text`` makes on a board of two squares by two, and what was written."""
    reader, writer = os.pipe()
    os.write(writer, text.encode())
    os.close(writer)
    output = io.StringIO()
    player = HumanClobberPlayer(Console(reader, output))
    position = ClobberPosition.start(2, 2)
    await player.begin(Seating(1, (), position.copy()))
    try:
        return await player.choose(position, Clock()), output.getvalue()
    finally:
        os.close(reader)


async def test_commands_are_those_of_quoridor() -> None:
    move, text = await type_move("?\nm\nb\nhint\nundo\nnonsense\na1c1\na1b1\n")
    assert str(move) == "a1b1"
    for wanted in (
        "hint   proposes a move",
        "A player without a legal move has lost.",
        "Perhaps ",
        "A move cannot be taken back",
        "Type ? for help.",
    ):
        assert wanted in text


async def test_a_script_resigns_at_once() -> None:
    with pytest.raises(ForfeitError) as caught:
        await type_move("q\n")
    assert caught.value.termination is Termination.RESIGNED
    with pytest.raises(ForfeitError) as caught:
        await type_move("")
    assert caught.value.termination is Termination.ABORTED


@pytest.mark.parametrize(
    ("giving_up", "question"),
    [(b"resign\n", "Give up the game? y/n:"), (b"\x04", "Leave the tournament? y/n:")],
)
async def test_giving_up_needs_confirmation(terminal: Terminal, giving_up: bytes, question: str) -> None:
    player = HumanClobberPlayer(terminal.console)
    await player.begin(Seating(1, (), ClobberPosition.start(2, 2)))
    moves: list[Move] = []

    async def choose() -> None:
        moves.append(await player.choose(ClobberPosition.start(2, 2), Clock()))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(choose)
        for typed, prompt in (
            (giving_up, "Game 1, your move (black ●):"),
            (b"n\n", question),
            (b"a1b1\n", "Game 1, your move (black ●):"),
        ):
            await terminal.see(prompt)
            terminal.type(typed)
    assert [str(move) for move in moves] == ["a1b1"]
