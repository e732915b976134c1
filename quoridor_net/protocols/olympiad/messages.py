"""Parse and encode the messages of the 2006 Clobber protocol.

Encoding is exact. Parsing ignores a CR before the LF, surrounding and repeated spaces, and capitals. No line
has two meanings, so parsing does not depend on the state of the conversation.
"""

from __future__ import annotations

from attrs import frozen

from quoridor_net.clobber.notation import format_spaced, parse_move
from quoridor_net.clobber.values import MAX_SIZE, Move
from quoridor_net.protocols.common.errors import MessageError
from quoridor_net.text import MAX_NAME, UnparsableError, parse_number, printable, read_name, split_words


@frozen
class Play:
    """Step 1: ``play clobber playername``, the client's handshake."""

    name: str

    def __str__(self) -> str:
        return f"play clobber {self.name}"


@frozen
class Settings:
    """Step 2: ``m n b`` starts a game; with ``begins`` (b is 1) the receiver is black and moves first."""

    columns: int
    rows: int
    begins: bool

    def __str__(self) -> str:
        return f"{self.columns} {self.rows} {self.begins:d}"

    @property
    def swapped(self) -> Settings:
        """The settings as seen by a program that takes m for the rows and n for the columns."""
        return Settings(self.rows, self.columns, self.begins)


@frozen
class Played:
    """Steps 3 and 4.3: ``c1 r1 c2 r2``, a move of the sender or of the receiver's opponent."""

    move: Move

    def __str__(self) -> str:
        return format_spaced(self.move)


@frozen
class Error:
    """Step 4.1: ``error``, the receiver's move was illegal and the game is over."""

    def __str__(self) -> str:
        return "error"


@frozen
class End:
    """Step 4.2: ``end``, the game is over because of the opponent's illegal move."""

    def __str__(self) -> str:
        return "end"


Message = Play | Settings | Played | Error | End


def encode(message: Message) -> bytes:
    """Return the line for ``message``: single spaces, one LF."""
    # Only names can contain characters beyond ASCII.
    return f"{message}\n".encode()


def parse_message(line: bytes) -> Message:
    """Return the message that ``line`` (without its LF) contains.

    Raises:
        MessageError: it contains none.
    """
    # Latin-1 maps each byte to a character. Bytes beyond ASCII matter only in names, which restore them.
    text = line.decode("latin-1")
    words = split_words(text)
    match [word.lower() for word in words]:
        case ["play", *_]:
            return _parse_play(words)
        case ["error"]:
            return Error()
        case ["end"]:
            return End()
        case [m, n, b] if f"{m}{n}{b}".isascii() and f"{m}{n}{b}".isdigit():
            return _parse_settings(m, n, b)
    try:
        return Played(parse_move(text))
    except UnparsableError:
        raise MessageError("expected a move like a 1 b 1") from None


def _parse_play(words: list[str]) -> Play:
    if len(words) != 3:
        raise MessageError("expected: play clobber NAME, without spaces in the name")
    if words[1].lower() != "clobber":
        raise MessageError(f"the game must be clobber, not {printable(words[1].encode('latin-1'), 20)}")
    name = read_name(words[2].encode("latin-1"))
    if len(name.encode()) > MAX_NAME:
        raise MessageError(f"a name has at most {MAX_NAME} bytes")
    return Play(name)


def _parse_settings(m: str, n: str, b: str) -> Settings:
    try:
        columns, rows = (parse_number(word, 1, MAX_SIZE) for word in (m, n))
    except UnparsableError:
        raise MessageError(f"a board has 1 to {MAX_SIZE} columns and rows") from None
    if b not in {"0", "1"}:
        raise MessageError("the third number must be 1 (you begin) or 0 (your opponent begins)")
    return Settings(columns, rows, begins=b == "1")
