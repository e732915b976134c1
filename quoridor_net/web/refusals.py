"""What pages are told when something cannot be done."""

from __future__ import annotations

import enum

from attrs import frozen
from starlette.responses import JSONResponse

from quoridor_net.phrases import Phrase, Translatable, phrase_of


@enum.unique
class RefusalPhrase(Phrase):
    """The sentences."""

    # Messages and requests.

    TOO_LONG = "This is too long: at most {most} bytes are read."
    NOT_IN_TIME = "This did not come in time."
    NOT_JSON = "The content type is not application/json."
    NOT_AN_OBJECT = "A message is one JSON object."
    TOO_MANY = "These are too many messages."
    NOTHING_TO_SAY = "Nothing is to be said here."
    UNKNOWN_MESSAGE = "This message is unknown."
    OTHER_SITE = "This comes from another site."
    NO_GAME = "There is no such game."
    GAMES_RANGE = "Offset and limit are numbers."

    # The engine.

    QUESTION = "A question has a position, and official or classroom jumps."
    LINES = "There are 1 to {most} lines."
    NO_POSITION = "There is no such position: {reason}."
    COMPILING = "The engine is being made ready, which takes up to a minute."
    NO_ENGINE = "The engine cannot be had on this machine."
    NO_MEMORY = "No memory is left for a search."

    # Recorded games.

    UNREADABLE_LINE = "Line {line}, column {column}: {reason}."
    UNREADABLE_AS = "Line {line}, column {column}, read as {form}: {reason}."
    MANY_PLIES = "the game has more than {most} plies"
    READING = "Other files are being read: try again in a moment."

    # Games against the engine.

    WISH = "A game has level, side, size, walls, players and jumps."
    LEVEL = "The level is a number from {least} to {most}."
    SIZE = "The size is a number from {least} to {most}."
    WALLS = "The number of walls is a number from {least} to {most}."
    SIDE = "The side is first, second or random."
    PLAYERS = "There are 2 or 4 players."
    JUMPS = "The jumps are official or classroom."
    NO_ROOM = "{most} games are being played here already: try again later."

    # Seats.

    NOT_YOUR_TURN = "It is not your turn."
    MOVE = "A move has a text, and the number of plies before it."
    NO_MOVE = "This is no move: {reason}."
    STALE = "The game has gone on since."
    EARLY = "The game is not there yet."
    ILLEGAL = "This move is illegal: {reason}."
    NO_TAKEBACK = "Moves cannot be taken back in this game."
    NOTHING_TO_TAKE_BACK = "There is no move of yours to take back."
    HINT_UNDER_WAY = "A hint is being looked for."
    NO_SUCH_SEAT = "This link leads to no seat of this game."
    LOOKING_ON = "You look on: only the holder of the seat's link can do that."
    NO_REMATCH = "There is no other game to be had now."
    NO_GAME_NOW = "No game is being played here now."

    # Sign-up.

    UNGREETED = "{address} {did}."
    UNFIT = "{address} gave its name, {name}, but then it {did}."
    UNFIT_ANSWER = "{address} gave its name, {name}, but then it {did} (it answered {line})."
    WITH_HINT = "{sentence} {hint}"
    BEGUN = "The tournament has begun."
    TEAM = "Give a name and an address."
    NAME = "A name has 1 to {most} characters that can be seen, no comma and no =."
    BAD_ADDRESS = "This address is wrong: {reason}."
    RESERVED = "{address} cannot be told from a program here: give the number of the machine instead."
    NAME_TAKEN = "{name} has signed up already: take another name."
    ADDRESS_TAKEN = "{address} has signed up already, as {name}."
    MANY_TEAMS = "{most} teams have signed up already."
    BEING_TRIED = "{address} is being tried already."
    BUSY = "Other servers are being tried: try again in a moment."
    NO_TEAM = "There is no such team."
    FEW_TEAMS = "A tournament needs at least 2 entrants that are confirmed."
    UNFIT_FIELD = "The tournament cannot begin: {reason}."
    NOT_LECTURER = "Only the holder of the lecturer's link can do that."


@frozen
class RefusedError(Exception):
    """A message or a request changes nothing.

    Attributes:
        code: a word for programs.
        sentence: the reason for people.
    """

    code: str
    sentence: Translatable

    def __str__(self) -> str:
        return self.sentence


def refusal(sentence: Translatable, status: int) -> JSONResponse:
    """Return the answer to a request that is refused."""
    return JSONResponse({"error": sentence, "phrase": phrase_of(sentence)}, status)
