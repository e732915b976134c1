"""What a recorded game is played with, and how a replay announces what version 1 does not know.

Version 1 (qtp-replay-2026 section 5) means two players on the standard board. Everything else is announced
by metadata lines ``# Extension: <name> <value>``, which strict readers refuse: ``players 4``, ``size 11``,
``walls 8``, ``jumps classroom``, ``start <position line>``.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from quoridor_net.phrases import text_of
from quoridor_net.replay.errors import RecordPhrase
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, STANDARD_SIZE, STANDARD_WALLS, Jumps, Position
from quoridor_net.text import BLANKS, UnparsableError, parse_number, quote

#: The metadata key of an announcement.
EXTENSION = "Extension"

_MAX_WALLS = 9999

_TO_SPACE = str.maketrans(dict.fromkeys(BLANKS, " "))


@frozen
class Setting:
    """What a game starts from.

    Attributes:
        players: 2 or 4.
        size: squares on a side.
        walls: walls each player starts with; None for the standard number.
        jumps: the jump rule.
        start: the one-line form of the first position when it is not the usual start; it says players, size
            and walls itself.
    """

    players: int = 2
    size: int = STANDARD_SIZE
    walls: int | None = None
    jumps: Jumps = Jumps.OFFICIAL
    start: str | None = None

    @classmethod
    def of(cls, position: Position) -> Setting:
        """Return the setting of the game that led to ``position``: the history is taken back."""
        first = position.root()
        walls = first.walls_left(1)
        if first == Position(first.size, first.players, walls, first.jumps):
            standard = walls == STANDARD_WALLS[first.players]
            return cls(first.players, first.size, None if standard else walls, first.jumps)
        return cls(first.players, first.size, None, first.jumps, first.to_line())

    def position(self) -> Position:
        """Return the first position."""
        if self.start is not None:
            return Position.from_line(self.start, self.jumps)
        # Files that say nothing of walls have the same number on every board.
        walls = STANDARD_WALLS[self.players] if self.walls is None else self.walls
        return Position(self.size, self.players, walls, self.jumps)

    def announcements(self) -> Iterator[str]:
        """Yield the values of the ``Extension`` lines that announce this setting; none for version 1."""
        if self.start is not None:
            yield f"start {self.start.strip()}"
        else:
            if self.players != 2:
                yield f"players {self.players}"
            if self.size != STANDARD_SIZE:
                yield f"size {self.size}"
            if self.walls is not None and self.walls != STANDARD_WALLS[self.players]:
                yield f"walls {self.walls}"
        if self.jumps is not Jumps.OFFICIAL:
            yield f"jumps {self.jumps}"

    def announced(self, announcement: str) -> Setting:
        """Return this setting with one more announcement.

        Raises:
            ValueError: there is no such extension; the message says what was expected.
        """
        name, _, value = announcement.partition(" ")
        match name:
            case "players":
                return evolve(self, players=4 if value == "4" else _number(announcement, value, 2, 2))
            case "size":
                return evolve(self, size=_number(announcement, value, MIN_SIZE, MAX_SIZE))
            case "walls":
                return evolve(self, walls=_number(announcement, value, 0, _MAX_WALLS))
            case "jumps" if value in list(Jumps):
                return evolve(self, jumps=Jumps(value))
            case "jumps":
                raise ValueError(RecordPhrase.UNKNOWN_JUMPS(text=quote(value)))
            case "start":
                return self._starting(value)
        raise ValueError(RecordPhrase.UNKNOWN_EXTENSION(name=quote(name)))

    def _starting(self, line: str) -> Setting:
        try:
            position = Position.from_line(line, self.jumps)
        except UnparsableError as error:
            raise ValueError(RecordPhrase.NO_START(text=quote(line), reason=text_of(error))) from None
        start = line.translate(_TO_SPACE).strip()
        return evolve(self, start=start, players=position.players, size=position.size, walls=None)


def _number(announcement: str, text: str, least: int, most: int) -> int:
    try:
        return parse_number(text, least, most)
    except UnparsableError:
        text = quote(announcement)
        if least == most:
            raise ValueError(RecordPhrase.EXTENSION_PLAYERS(text=text)) from None
        raise ValueError(RecordPhrase.EXTENSION_RANGE(text=text, least=least, most=most)) from None
