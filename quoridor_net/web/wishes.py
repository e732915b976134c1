"""The settings of games that people start in the browser."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from quoridor_net.clocks import GameClock, parse_clock
from quoridor_net.players.auto_level import STRONGEST, WEAKEST, next_level
from quoridor_net.players.spec import LEVEL_FOR_PEOPLE
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, TURN_ORDER, Jumps, Position, default_walls
from quoridor_net.text import UnparsableError
from quoridor_net.web.refusals import RefusalPhrase, RefusedError

#: Maximum number of walls of a player for which a board is drawn.
MAX_WALLS = 999

#: The kinds of opponents.
ENGINE, FRIEND = "engine", "friend"

#: The longest clock, in seconds, and the longest text of a clock.
MAX_CLOCK = 86400.0
MAX_CLOCK_TEXT = 24


@frozen
class Wish:
    """The settings of a new game.

    Attributes:
        level: level of the engine.
        side: the person's turn: ``first``, ``second`` or ``random``.
        size: squares on a side of the board.
        walls: walls of each player; None for the default number.
        players: 2 or 4; all but one are engines.
        jumps: the jump rule.
        opponent: ``engine`` or ``friend``, who gets a link to the other seat.
        clock: time of each player, as in ``300+2``; None for no limit.
        auto_level: whether the level of the next game follows the result.
    """

    level: int = LEVEL_FOR_PEOPLE
    side: str = "first"
    size: int = 9
    walls: int | None = None
    players: int = 2
    jumps: Jumps = Jumps.OFFICIAL
    opponent: str = ENGINE
    clock: str | None = None
    auto_level: bool = False

    def as_object(self) -> Mapping[str, Any]:
        """Return the settings as a JSON object."""
        return {
            "level": self.level,
            "side": self.side,
            "size": self.size,
            "walls": self.walls,
            "players": self.players,
            "jumps": str(self.jumps),
            "opponent": self.opponent,
            "clock": self.clock,
            "auto_level": self.auto_level,
        }

    def position(self) -> Position:
        """Return the start position."""
        walls = default_walls(self.size, self.players) if self.walls is None else self.walls
        return Position(self.size, self.players, walls, self.jumps)

    def game_clock(self) -> GameClock | None:
        """Return the clock of each player; None for no limit."""
        return None if self.clock is None else parse_clock(self.clock)

    def draw_lots(self) -> Wish:
        """Return the same game with a side drawn by lot if it is random."""
        side = random.choice(("first", "second")) if self.side == "random" else self.side
        return evolve(self, side=side)

    def seat(self) -> int:
        """Return the person's player number, drawn by lot if the side is random."""
        order = TURN_ORDER[self.players]
        if self.side == "random":
            return int(random.choice(order))
        return int(order[0] if self.side == "first" else order[1])

    def swap_sides(self) -> Wish:
        """Return the same game with first and second side swapped."""
        return evolve(self, side={"first": "second", "second": "first"}.get(self.side, self.side))

    def follow_result(self, person: int, winner: int | None) -> Wish:
        """Return the game after one with this result, at another level if that follows the results.

        Args:
            person: player number of the person.
            winner: player number of the winner; None for a draw.
        """
        return evolve(self, level=next_level(self.level, person, winner)) if self.auto_level else self


def parse_wish(message: Mapping[str, Any], usual: Wish) -> Wish:
    """Parse the settings of a game from a JSON object, with missing ones taken from ``usual``.

    Raises:
        RefusedError: the settings are not valid.
    """
    told = dict(usual.as_object()) | {name: value for name, value in message.items() if value is not None}
    # None means the default for these, not the usual value.
    told |= {name: None for name in ("walls", "clock") if name in message and message[name] is None}
    if told.keys() != usual.as_object().keys():
        raise RefusedError("malformed", RefusalPhrase.WISH())
    _check_number(told["level"], RefusalPhrase.LEVEL, WEAKEST, STRONGEST)
    _check_number(told["size"], RefusalPhrase.SIZE, MIN_SIZE, MAX_SIZE)
    if told["walls"] is not None:
        _check_number(told["walls"], RefusalPhrase.WALLS, 0, MAX_WALLS)
    if told["side"] not in ("first", "second", "random"):
        raise RefusedError("malformed", RefusalPhrase.SIDE())
    if type(told["players"]) is not int or told["players"] not in TURN_ORDER:
        raise RefusedError("malformed", RefusalPhrase.PLAYERS())
    if told["jumps"] not in [str(rule) for rule in Jumps]:
        raise RefusedError("malformed", RefusalPhrase.JUMPS())
    if told["opponent"] not in (ENGINE, FRIEND):
        raise RefusedError("malformed", RefusalPhrase.OPPONENT())
    if told["opponent"] == FRIEND and told["players"] != 2:
        raise RefusedError("malformed", RefusalPhrase.PAIR())
    if type(told["auto_level"]) is not bool:
        raise RefusedError("malformed", RefusalPhrase.AUTO_LEVEL())
    if told["clock"] is not None:
        _check_clock(told["clock"])
    return Wish(**told | {"jumps": Jumps(told["jumps"])})


def _check_number(value: object, phrase: RefusalPhrase, least: int, most: int) -> None:
    # In Python, booleans are integers too.
    if type(value) is not int or not least <= value <= most:
        raise RefusedError("malformed", phrase(least=least, most=most))


def _check_clock(value: object) -> None:
    clock = None
    if isinstance(value, str) and len(value) <= MAX_CLOCK_TEXT:
        with suppress(UnparsableError):
            clock = parse_clock(value)
    if clock is None or clock.seconds > MAX_CLOCK or clock.increment > MAX_CLOCK:
        raise RefusedError("malformed", RefusalPhrase.CLOCK())
