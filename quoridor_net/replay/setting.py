"""The start position and rules of a recorded game, and the extensions that describe them.

Version 1 of the format (qtp-replay-2026 section 5) has only two players on the standard board. Metadata lines
``# Extension: <name> <value>`` describe other settings, and strict readers reject them: ``players 4``,
``size 11``, ``walls 8``, ``jumps classroom``, ``start <position line>``.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from quoridor_net.phrases import text_of
from quoridor_net.replay.errors import RecordPhrase
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, STANDARD_SIZE, STANDARD_WALLS, Jumps, Position
from quoridor_net.text import BLANKS, UnparsableError, parse_number, quote

#: The metadata key of an extension.
EXTENSION = "Extension"

_MAX_WALLS = 9999

_TO_SPACE = str.maketrans(dict.fromkeys(BLANKS, " "))


@frozen
class Setting:
    """The start position and rules of a game.

    Attributes:
        players: 2 or 4.
        size: number of squares on a side.
        walls: number of walls of each player at the start; None for the standard number.
        jumps: the jump rule.
        start: the line of an unusual start position, which includes players, size and walls; None for the
            usual start.
    """

    players: int = 2
    size: int = STANDARD_SIZE
    walls: int | None = None
    jumps: Jumps = Jumps.OFFICIAL
    start: str | None = None

    @classmethod
    def of(cls, position: Position) -> Setting:
        """Return the setting of the game that led to ``position``, from its history."""
        first = position.root()
        walls = first.walls_left(1)
        if first == Position(first.size, first.players, walls, first.jumps):
            standard = walls == STANDARD_WALLS[first.players]
            return cls(first.players, first.size, None if standard else walls, first.jumps)
        return cls(first.players, first.size, None, first.jumps, first.to_line())

    def position(self) -> Position:
        """Return the start position."""
        if self.start is not None:
            return Position.from_line(self.start, self.jumps)
        # Without walls in the file, the number does not depend on the board size.
        walls = STANDARD_WALLS[self.players] if self.walls is None else self.walls
        return Position(self.size, self.players, walls, self.jumps)

    def announcements(self) -> Iterator[str]:
        """Yield the values of the ``Extension`` lines for this setting; none for version 1."""
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

    def add_extension(self, announcement: str) -> Setting:
        """Return this setting with one more extension.

        Raises:
            ValueError: the extension is unknown or its value is wrong; the message says what was expected.
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
                return self._add_start(value)
        raise ValueError(RecordPhrase.UNKNOWN_EXTENSION(text=quote(name)))

    def _add_start(self, line: str) -> Setting:
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
