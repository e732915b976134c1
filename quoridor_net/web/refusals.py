"""Sentences for pages whose request or message is refused."""

from __future__ import annotations

import enum

from attrs import frozen
from starlette.responses import JSONResponse

from quoridor_net.phrases import Phrase, Translatable, phrase_of


@enum.unique
class RefusalPhrase(Phrase):
    """The reasons for a refusal."""

    # Messages and requests.

    TOO_LONG = "This is too long: the limit is {most} bytes."
    NOT_IN_TIME = "The request did not arrive in time. Try again."
    NOT_JSON = "The content type must be application/json."
    NOT_AN_OBJECT = "A message must be a single JSON object."
    TOO_MANY = "Too many messages in a short time."
    NOTHING_TO_SAY = "This connection accepts no messages."
    UNKNOWN_MESSAGE = "Unknown message."
    OTHER_SITE = "The request was refused because it comes from another website."
    NO_GAME = "This game does not exist."
    NO_ENTRANT = "No entrant has this number."
    GAMES_RANGE = "offset and limit must be whole numbers."

    # The engine.

    QUESTION = "A request needs a position and a jump rule (official or classroom)."
    LINES = "Ask for 1 to {most} lines."
    NO_POSITION = "This position is not valid: {reason}."
    COMPILING = "The engine is being prepared. This takes up to a minute."
    NO_ENGINE = "The engine is not available on this machine."
    NO_MEMORY = "There is not enough memory for a search."

    # Recorded games.

    UNREADABLE_LINE = "Line {line}, column {column}: {reason}."
    UNREADABLE_AS = "Line {line}, column {column}, read as {form}: {reason}."
    MANY_PLIES = "the game has more than {most} plies"
    READING = "Other files are being read. Try again in a moment."

    # Games that people start.

    WISH = (
        "Unknown setting."
        " A game has opponent, level, auto_level, side, size, walls, players, jumps and clock."
    )
    OPPONENT = "The opponent must be engine or friend."
    CLOCK = "The clock must be seconds, or seconds+increment as in 300+2."
    LEVEL = "The level must be a number from {least} to {most}."
    AUTO_LEVEL = "auto_level must be true or false."
    SIZE = "The board size must be a number from {least} to {most}."
    WALLS = "The number of walls must be from {least} to {most}."
    SIDE = "The side must be first, second or random."
    PLAYERS = "A game has 2 or 4 players."
    PAIR = "A game with a friend has 2 players."
    JUMPS = "The jump rule must be official or classroom."
    INVITATION = "A request needs the token of an invitation and a key of {least} to {most} characters."
    NO_INVITATION = "This invitation is not valid any more. Ask for another one."
    NO_ROOM = "{most} games are already in progress here. Try again later."

    # Seats.

    NOT_YOUR_TURN = "It is not your turn."
    MOVE = "A move needs a text and the number of plies before it."
    NO_MOVE = "This is not a move: {reason}."
    STALE = "The game has moved on since then."
    EARLY = "The game has not come that far yet."
    ILLEGAL = "This move is illegal: {reason}."
    NO_TAKEBACK = "Moves cannot be taken back in this game."
    NOTHING_TO_TAKE_BACK = "You have no move to take back."
    HINT_UNDER_WAY = "The engine is already looking for a hint."
    NO_HINT = "There are no hints in this game."
    NO_FRIEND = "Nobody else has a seat in this game."
    NO_SUCH_OFFER = "An offer is takeback, draw or rematch."
    NO_OFFER = "This offer is not open any more."
    DECLINED = "Your offer was declined. You can repeat it after the next move."
    NO_DRAW = "You can offer a draw only when the position has occurred before."
    NO_SUCH_SEAT = "This link does not lead to a seat in this game."
    LOOKING_ON = "You are a spectator. Only the holder of the seat's link can do this."
    NO_BOARD = "The board made room for another game. Start a new one."
    NO_REMATCH = "A rematch is not possible now."
    NO_GAME_NOW = "No game is in progress here."

    # Sign-up.

    UNGREETED = "{address} {did}."
    UNFIT = "{address} gave its name, {name}, but then it {did}."
    UNFIT_ANSWER = "{address} gave its name, {name}, but then it {did} (it answered {line})."
    WITH_HINT = "{sentence} {hint}"
    BEGUN = "The tournament has already started."
    TEAM = "Enter a name and an address."
    NAME = "A name must have 1 to {most} visible characters, without commas and equals signs."
    BAD_ADDRESS = "This address is not valid: {reason}."
    RESERVED = "{address} can also mean a program or the engine. Enter the machine's IP address instead."
    NOT_LOCAL = "{address} is the tournament's own machine. Sign up there, or enter your machine's address."
    NAME_TAKEN = "{name} has already signed up. Choose another name."
    ADDRESS_TAKEN = "{address} has already signed up, as {name}."
    MANY_TEAMS = "The list is full: {most} teams have signed up."
    BEING_TRIED = "{address} is already being tested."
    BUSY = "Other servers are being tested. Try again in a moment."
    NO_TEAM = "This team does not exist."
    FEW_TEAMS = "A tournament needs at least 2 confirmed entrants."
    UNFIT_FIELD = "The tournament cannot start: {reason}."
    NOT_LECTURER = "Only the holder of the lecturer's link can do this."


@frozen
class RefusedError(Exception):
    """The refusal of a message or request, which changes nothing.

    Attributes:
        code: machine-readable reason.
        sentence: human-readable reason.
    """

    code: str
    sentence: Translatable

    def __str__(self) -> str:
        return self.sentence


def refusal(sentence: Translatable, status: int) -> JSONResponse:
    """Return the response to a refused request."""
    return JSONResponse({"error": sentence, "phrase": phrase_of(sentence)}, status)
