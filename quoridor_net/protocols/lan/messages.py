"""The eight messages of the 2016 protocol (section "Protocol"), as values; their text and back.

Written exactly, read liberally (docs/decisions.md, Protocol): CR LF, any blanks, keywords and
orientations in either case.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import frozen

from quoridor_net.moves import Move
from quoridor_net.notation.lan import format_move, parse_move
from quoridor_net.protocols.common.errors import MessageError
from quoridor_net.protocols.common.names import MAX_NAME, clean_name
from quoridor_net.text import BLANKS, UnparsableError, split_words

# The first word of a text, and what follows it.
_CUT = re.compile(rf"([^{BLANKS}]*)[{BLANKS}]*(.*)", re.DOTALL)


@frozen
class Hello:
    """HELLO: the client's initial contact."""

    def __str__(self) -> str:
        return "HELLO"


@frozen
class Iam:
    """IAM <name>: the server's preferred display name, without whitespace."""

    name: str

    def __str__(self) -> str:
        return f"IAM {self.name}"


@frozen
class Game:
    """GAME <p> <name1> <name2> [<name3> <name4>]: the game is ready; the receiver is player ``p``."""

    player: int
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"GAME {self.player} {' '.join(self.names)}"


@frozen
class Myoushu:
    """MYOUSHU: the client asks for a move."""

    def __str__(self) -> str:
        return "MYOUSHU"


@frozen
class Tesuji:
    """TESUJI <move-string>: the server's move."""

    move: Move

    def __str__(self) -> str:
        return f"TESUJI {format_move(self.move)}"


@frozen
class Atari:
    """ATARI <p> <move-string>: player ``p`` made this move."""

    player: int
    move: Move

    def __str__(self) -> str:
        return f"ATARI {self.player} {format_move(self.move)}"


@frozen
class Gote:
    """GOTE <p>: player ``p`` is no longer in the game."""

    player: int

    def __str__(self) -> str:
        return f"GOTE {self.player}"


@frozen
class Kikashi:
    """KIKASHI <p>: the game is over, player ``p`` won."""

    player: int

    def __str__(self) -> str:
        return f"KIKASHI {self.player}"


Message = Hello | Iam | Game | Myoushu | Tesuji | Atari | Gote | Kikashi


def encode(message: Message) -> bytes:
    """Return the line for ``message``: no trailing blank, one LF."""
    return f"{message}\n".encode("ascii")


def parse_message(line: bytes) -> Message:
    """Return the message that ``line`` (without its LF) contains.

    Raises:
        MessageError: it contains none.
    """
    # One character for each byte: those beyond ASCII mean nothing, and can be shown as what they were.
    keyword, rest = _cut(line.decode("latin-1").strip(BLANKS))
    parse = _PARSERS.get(keyword.upper())
    if parse is None:
        raise MessageError("unknown message")
    return parse(rest)


def _parse_hello(rest: str) -> Hello:
    _expect_nothing("HELLO", rest)
    return Hello()


def _parse_iam(rest: str) -> Iam:
    words = split_words(rest)
    if len(words) != 1:
        raise MessageError(f"IAM needs exactly one name without blanks, not {len(words)} words")
    if len(words[0]) > MAX_NAME:
        raise MessageError(f"a name has at most {MAX_NAME} characters")
    return Iam(clean_name(words[0]))


def _parse_game(rest: str) -> Game:
    number, *names = split_words(rest) or [""]
    player = _player(number)
    if len(names) not in {2, 4}:
        raise MessageError(f"GAME needs 2 or 4 names, not {len(names)}")
    if player > len(names):
        raise MessageError(f"there is no player {player} in a game of {len(names)}")
    return Game(player, tuple(clean_name(name) for name in names))


def _parse_myoushu(rest: str) -> Myoushu:
    _expect_nothing("MYOUSHU", rest)
    return Myoushu()


def _parse_tesuji(rest: str) -> Tesuji:
    return Tesuji(_move(rest))


def _parse_atari(rest: str) -> Atari:
    number, move = _cut(rest)
    return Atari(_player(number), _move(move))


def _parse_gote(rest: str) -> Gote:
    return Gote(_player(rest))


def _parse_kikashi(rest: str) -> Kikashi:
    return Kikashi(_player(rest))


_PARSERS: dict[str, Callable[[str], Message]] = {
    "HELLO": _parse_hello,
    "IAM": _parse_iam,
    "GAME": _parse_game,
    "MYOUSHU": _parse_myoushu,
    "TESUJI": _parse_tesuji,
    "ATARI": _parse_atari,
    "GOTE": _parse_gote,
    "KIKASHI": _parse_kikashi,
}


def _cut(text: str) -> tuple[str, str]:
    """Return the first word of ``text`` and what follows it."""
    match = _CUT.fullmatch(text)
    assert match is not None, "the pattern fits every text"
    return match[1], match[2]


def _expect_nothing(keyword: str, rest: str) -> None:
    if rest:
        raise MessageError(f"nothing may follow {keyword}")


def _player(word: str) -> int:
    if word not in {"1", "2", "3", "4"}:
        raise MessageError("expected a player number from 1 to 4")
    return int(word)


def _move(text: str) -> Move:
    try:
        return parse_move(text)
    except UnparsableError as error:
        raise MessageError(str(error)) from None
