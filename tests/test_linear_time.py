"""Every public parser over up to 64 KiB of what makes bad parsers slow: none takes more than linear time."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

from quoridor_net.clobber import ClobberPosition
from quoridor_net.clobber.notation import parse_move as parse_clobber_move
from quoridor_net.net.endpoint import parse_endpoint
from quoridor_net.notation import athens, reading, standard
from quoridor_net.notation import lan as lan_notation
from quoridor_net.protocols import lan
from quoridor_net.protocols.athens import (
    CommandError,
    ControllerRole,
    EngineRole,
    Farewell,
    Need,
    parse_boolean_answer,
    parse_genmove_answer,
)
from quoridor_net.protocols.athens.commands import parse_int
from quoridor_net.protocols.athens.engine_role import MoveWanted, PrivateCommand
from quoridor_net.protocols.common.errors import RemoteProtocolError
from quoridor_net.protocols.olympiad.messages import parse_message as parse_clobber_message
from quoridor_net.replay import RecordFormat, parse_game
from quoridor_net.replay.metadata import parse_metadata
from quoridor_net.rules import Position
from quoridor_net.text import UnparsableError, printable
from quoridor_net.tournament import JournalError, read_journal
from quoridor_net.tournament.quoridor.openings import parse_openings

SIZE = 65536

#: Seconds of processor time for a text of that size. Linear parsers take some hundredths.
LIMIT = 1.0

#: How much shorter the texts are that are tried first. Quadratic time shrinks by the square of it: a parser
#: too slow for the whole size is too slow here as well, and linear ones take an eighth of their time.
SHORTER = 8

#: Each is repeated until a text is as long as it should be.
TOKENS = (
    *" \t\r\n\0=?#>$.,;:-/'\"\\[](){}xXaA0919\xa0\xe9",
    *("> ", "= ", "? ", "$ >", "- ", "a ", "0 ", "e2 ", "e2h", "e2 e8 e3 e7 ", "1. ", "1.e2 ", "1a", "(4, "),
    *("(4, 1) ", "[(", "[(3, 1), h] ", "a1", "a1a1", "#a:", "# a: b\n", "#\n", "tcp:a:", "name\n", "b'\\x"),
    *("[   0.000] C->S1 b'HELLO\\n'\n", "C->S1 b'", "HELLO\n", "IAM ", "GAME 1 a b\n", "ATARI 1 (4, 1)\n"),
    *("genmove black\n", "playmove black E8\n", "undo\n", "boardsize 9\n", "P 1 E2\nP 2 E8\n", "W 1 E3 h\n"),
    *("4 4 1\n", "play clobber x\n", "a 1 b 1\n", "true ", "= true\n\n", "=\n\n", "? x\n", "{", "[["),
)
BEFORE = ("", "= ", "TESUJI ", "# Key: ", "[0.0] C->S1 b'", "a1 ")
AFTER = ("", "!", "x\n")


def texts(before: str) -> Iterator[Callable[[int], str]]:
    """Yield what makes the text of a given size."""
    for token in TOKENS:
        for after in ("!",) if before else AFTER:
            yield partial(text_of, before, token, after)


def text_of(before: str, token: str, after: str, size: int) -> str:
    return (before + token * (size // len(token)))[: size - len(after)] + after


class TooSlowError(Exception):
    """A parser took too long for the text that is named."""


@contextmanager
def limit_time(text: str, limit: float = LIMIT) -> Iterator[None]:
    """Stop what takes longer than the limit; regular expressions look for signals while they match."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlowError(f"{text[:40]!r}... {text[-10:]!r}")

    before = signal.signal(signal.SIGVTALRM, stop)
    # An exception in a hook of the garbage collector would be lost.
    gc.disable()
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        gc.enable()


def read_answers(text: str, command: str) -> None:
    role = ControllerRole()
    role.send(command)
    role.receive_data(text.encode("latin-1"))
    while role.next_event() is not Need.DATA:
        pass


def obey(text: str) -> None:
    role = EngineRole("Obedient")
    role.receive_data(text.encode("latin-1"))
    while (event := role.next_event()) is not Need.DATA:
        if isinstance(event, MoveWanted | PrivateCommand):
            role.fail("not now")
        assert not isinstance(event, Farewell)


def read_lines(text: str, parse: Callable[[bytes], object]) -> None:
    parse(text.encode("latin-1"))


PARSERS: dict[str, Callable[[str], object]] = {
    "the answer to genmove": partial(read_answers, command="genmove black"),
    "the answer to winner": partial(read_answers, command="winner"),
    "the answer to list_commands": partial(read_answers, command="list_commands"),
    "the answer to name": partial(read_answers, command="name"),
    "a move in an answer": lambda text: parse_genmove_answer(text, 9),
    "a truth in an answer": parse_boolean_answer,
    "a number": lambda text: parse_int([text]),
    "a message of the LAN": partial(read_lines, parse=lan.parse_message),
    "a message of Clobber": partial(read_lines, parse=parse_clobber_message),
    "a move of Clobber": parse_clobber_move,
    "a position of Clobber": ClobberPosition.parse,
    "a move of the LAN": lan_notation.parse_move,
    "a move of Athens": athens.parse_move,
    "a vertex of Athens": athens.parse_vertex,
    "a move": standard.parse_move,
    "a square": standard.parse_square,
    "a position": Position.from_line,
    "what a person types": reading.parse_move,
    "a server's address": parse_endpoint,
    "openings": lambda text: parse_openings(text, Position()),
    "a line of metadata": parse_metadata,
    "printable text": lambda text: printable(text.encode("latin-1")),
}


def unlucky(parse: Callable[[str], object], text: Callable[[int], str]) -> None:
    """Parse a text that may be wrong in every way that is documented.

    A short one says enough where it is parsed in time; otherwise the whole one decides.
    """
    try:
        try_one(parse, text(SIZE // SHORTER), LIMIT / SHORTER**2)
    except TooSlowError:
        try_one(parse, text(SIZE), LIMIT)


def try_one(parse: Callable[[str], object], text: str, limit: float) -> None:
    try:
        with limit_time(text, limit):
            parse(text)
    except (UnparsableError, ValueError, CommandError, RemoteProtocolError, JournalError):
        pass


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("name", PARSERS)
def test_parsers_take_linear_time(name: str, before: str) -> None:
    for text in texts(before):
        unlucky(PARSERS[name], text)


def test_an_engine_takes_linear_time() -> None:
    for text in texts(""):
        unlucky(obey, text)


@pytest.mark.parametrize("origin", [*RecordFormat, None])
def test_recorded_games_take_linear_time(origin: RecordFormat | None) -> None:
    for text in texts(""):
        unlucky(lambda text: parse_game(text, origin, partial=True), text)


def test_a_journal_takes_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    def read(text: str) -> None:
        path.write_text(text, encoding="utf-8")
        read_journal(path)

    for text in texts(""):
        unlucky(read, text)


@pytest.mark.slow
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("name", PARSERS)
def test_parsers_take_linear_time_for_whole_texts(name: str, before: str) -> None:
    for text in texts(before):
        try_one(PARSERS[name], text(SIZE), LIMIT)


@pytest.mark.slow
@pytest.mark.parametrize("origin", [*RecordFormat, None])
def test_recorded_games_take_linear_time_as_whole_files(origin: RecordFormat | None) -> None:
    for text in texts(""):
        try_one(lambda text: parse_game(text, origin, partial=True), text(SIZE), LIMIT)


def test_one_line_does_not_stop_a_conversation() -> None:
    """Found in a fuzzed game: the referee and a move server waited for this line's reading for ever."""
    role = ControllerRole()
    role.send("genmove black")
    role.receive_data(b"> " * 40 + b"x\n= E8\n")
    with limit_time("> > > x"):
        assert [str(role.next_event())[:5] for _ in range(2)] == ["Noise", "Respo"]
