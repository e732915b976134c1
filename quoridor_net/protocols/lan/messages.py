"""Parse and encode the eight messages of the 2016 protocol (section "Protocol").

Encoding is exact, parsing is liberal (docs/decisions.md, Protocol): it accepts CR LF, any whitespace, and
keywords and orientations in either case.
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import astuple, frozen

from quoridor_net.moves import Move
from quoridor_net.notation.lan import parse_move
from quoridor_net.phrases import text_of
from quoridor_net.protocols.common.errors import MessageError
from quoridor_net.text import BLANKS, MAX_NAME, UnparsableError, read_name, split_words
from quoridor_net.verdicts import VerdictPhrase

# The first word of a text, and the rest.
_CUT = re.compile(rf"([^{BLANKS}]*)(?:[{BLANKS}]+([^{BLANKS}].*)?)?", re.DOTALL)


@frozen
class _Line:
    """Base class of messages; ``str`` gives the line: the class name as keyword, then the values."""

    def __str__(self) -> str:
        return " ".join([keyword_of(self), *map(str, astuple(self, recurse=False))])


@frozen
class Hello(_Line):
    """HELLO: the client's initial contact."""


@frozen
class Iam(_Line):
    """IAM <name>: the server's preferred display name, without whitespace."""

    name: str


@frozen
class Game(_Line):
    """GAME <p> <name1> <name2> [<name3> <name4>]: the game is ready; the receiver is player ``p``."""

    player: int
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"GAME {self.player} {' '.join(self.names)}"


@frozen
class Myoushu(_Line):
    """MYOUSHU: the client asks for a move."""


@frozen
class Tesuji(_Line):
    """TESUJI <move-string>: the server's move."""

    move: Move


@frozen
class Atari(_Line):
    """ATARI <p> <move-string>: player ``p`` made this move."""

    player: int
    move: Move


@frozen
class Gote(_Line):
    """GOTE <p>: player ``p`` is no longer in the game."""

    player: int


@frozen
class Kikashi(_Line):
    """KIKASHI <p>: the game is over, player ``p`` won."""

    player: int


Message = Hello | Iam | Game | Myoushu | Tesuji | Atari | Gote | Kikashi


def keyword_of(message: object) -> str:
    """Return the keyword of ``message``, its class name in capitals."""
    return type(message).__name__.upper()


# Both directions are cached, because the same few lines recur in all games.
@lru_cache(maxsize=1024)
def encode(message: Message) -> bytes:
    """Return the line for ``message``: no trailing space, one LF."""
    # Only names can contain characters beyond ASCII.
    return f"{message}\n".encode()


@lru_cache(maxsize=1024)
def parse_message(line: bytes) -> Message:
    """Return the message that ``line`` (without its LF) contains.

    Raises:
        MessageError: it contains none.
    """
    # Latin-1 maps each byte to a character. Bytes beyond ASCII matter only in names, which restore them.
    keyword, rest = _cut(line.decode("latin-1").strip(BLANKS))
    match keyword.upper():
        case "HELLO" | "MYOUSHU" as keyword:
            if rest:
                raise MessageError(VerdictPhrase.NOTHING_MAY_FOLLOW(keyword=keyword))
            return Hello() if keyword == "HELLO" else Myoushu()
        case "IAM":
            return _parse_iam(rest)
        case "GAME":
            return _parse_game(rest)
        case "TESUJI":
            return Tesuji(_move(rest))
        case "ATARI":
            number, move = _cut(rest)
            return Atari(_player(number), _move(move))
        case "GOTE":
            return Gote(_player(rest))
        case "KIKASHI":
            return Kikashi(_player(rest))
    raise MessageError(VerdictPhrase.UNKNOWN_MESSAGE())


def _parse_iam(rest: str) -> Iam:
    words = split_words(rest)
    if len(words) != 1:
        raise MessageError(VerdictPhrase.ONE_NAME(count=len(words)))
    name = read_name(words[0].encode("latin-1"))
    if len(name.encode()) > MAX_NAME:
        raise MessageError(VerdictPhrase.LONG_NAME(most=MAX_NAME))
    return Iam(name)


def _parse_game(rest: str) -> Game:
    number, *names = split_words(rest) or [""]
    player = _player(number)
    if len(names) not in {2, 4}:
        raise MessageError(VerdictPhrase.NAMES(number=len(names)))
    if player > len(names):
        raise MessageError(VerdictPhrase.NO_SUCH_PLAYER(player=player, players=len(names)))
    return Game(player, tuple(read_name(name.encode("latin-1")) for name in names))


def _cut(text: str) -> tuple[str, str]:
    """Return the first word of ``text`` and the rest."""
    match = _CUT.fullmatch(text)
    assert match is not None, "the pattern matches every text"
    return match[1], match[2] or ""


def _player(word: str) -> int:
    if word not in {"1", "2", "3", "4"}:
        raise MessageError(VerdictPhrase.PLAYER_NUMBER())
    return int(word)


def _move(text: str) -> Move:
    try:
        return parse_move(text)
    except UnparsableError as error:
        raise MessageError(text_of(error)) from None
