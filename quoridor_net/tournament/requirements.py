"""What tournaments need of their entrants, in sentences without a capital and a full stop."""

from __future__ import annotations

import enum

from quoridor_net.phrases import Phrase


@enum.unique
class RequirementPhrase(Phrase):
    """The sentences."""

    TWO = "a tournament needs at least 2 entrants, not {entrants}"
    FOUR = "games of four need at least 4 entrants, not {entrants}"
    MATCH = "a match is between 2 entrants, not {entrants}"
    SPRT = "an SPRT is between 2 entrants, not {entrants}"
    ROUNDS = (
        "{entrants} entrants play at most {count} rounds without meeting again",
        "{entrants} entrants play at most {count} round without meeting again",
    )
    ONE_GAME = (
        "{address} is given more than once, and a server plays one game at a time:"
        " write {endpoint},games={games} if it can play with itself"
    )
    STANDARD_BOARD = "move servers play on {size}x{size} with {walls} walls: leave out --size and --walls"
    ATHENS = "{address} speaks the Athens protocol, which is for two players"
