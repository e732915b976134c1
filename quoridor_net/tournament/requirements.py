"""Reasons why entrants do not fit a tournament, without a capital and a full stop."""

from __future__ import annotations

import enum

from quoridor_net.phrases import Phrase


@enum.unique
class RequirementPhrase(Phrase):
    """The reasons."""

    TWO = "a tournament needs at least 2 entrants, not {entrants}"
    FOUR = "four-player games need at least 4 entrants, not {entrants}"
    MATCH = "a match needs exactly 2 entrants, not {entrants}"
    SPRT = "an SPRT needs exactly 2 entrants, not {entrants}"
    ROUNDS = (
        "{entrants} entrants can play at most {count} rounds without meeting twice",
        "{entrants} entrants can play at most {count} round without meeting twice",
    )
    APART = "--apart leaves no opponent for {name}"
    ONE_GAME = (
        "{address} is given more than once, but a server plays one game at a time:"
        " write {address},games={games} if it can play against itself"
    )
    SHARED = (
        "{address} is the address of {holders}, but a server plays one game at a time:"
        " write {address},games={games} for each entrant at it if it can play against itself"
    )
    STANDARD_BOARD = "move servers play on {size}x{size} with {walls} walls: leave out --size and --walls"
    ATHENS = "{address} speaks the Athens protocol, which has two players only"


@enum.unique
class AwaitedPhrase(Phrase):
    """What the start of a tournament waits for."""

    ENGINE = "The engine is being prepared. The first time on a machine, this takes up to a minute."
    ENTRANTS = "Waiting for all entrants to answer."
