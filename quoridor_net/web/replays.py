"""Recorded games in the browser: reading dropped files, and saving games as files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import trio
from starlette.requests import Request
from starlette.responses import Response

from quoridor_net.match import Event
from quoridor_net.match.encoding import as_object
from quoridor_net.match.replaying import events_of
from quoridor_net.replay import Fault, RecordFormat, Replay, ReplayError, format_game, parse_game
from quoridor_net.replay.text import decode
from quoridor_net.web.budget import run_in_thread
from quoridor_net.web.games import Games
from quoridor_net.web.live import LiveGame, encode
from quoridor_net.web.messages import read_body
from quoridor_net.web.refusals import RefusalPhrase, RefusedError, refusal

#: Maximum size of a file, in bytes.
MAX_FILE = 1024 * 1024

#: Maximum number of plies of a shown game, because each becomes an event with its position.
MAX_PLIES = 2000

#: Maximum time that a file waits to be read, in seconds, because waiting files occupy memory.
TURN_TIME = 10.0

#: One file at a time, so that reading hardly delays running games.
_readers = trio.CapacityLimiter(1)


class RecordedGame(Games):
    """A recorded game as the only one of a site.

    Args:
        replay: the game; None on a site that only reads dropped files.
    """

    def __init__(self, replay: Replay | None = None) -> None:
        self._replay = replay
        self._document = None if replay is None else document_of(replay)

    def find(self, number: int) -> LiveGame | None:
        """Return None, because a recorded game has no further events."""
        return None

    async def document(self, number: int) -> str | None:
        """Return the events of the game, number 1, as one JSON object."""
        return self._document if number == 1 else None

    async def replay(self, number: int) -> Replay | None:
        """Return the game, number 1."""
        return self._replay if number == 1 else None


def document_of(replay: Replay) -> str:
    """Return the events of a recorded game as one JSON object."""
    return encode({"events": list(map(as_object, events_of(replay)))})


def document_in_thread(events: Iterable[Event]) -> str:
    """Return events as one JSON object; called in a thread of trio.

    Raises:
        trio.Cancelled: the waiting task was cancelled.
    """
    found: list[Mapping[str, Any]] = []
    for event in events:
        # A long game on a large board takes seconds, so stop early if the browser has left.
        trio.from_thread.check_cancelled()
        found.append(as_object(event))
    return encode({"events": found})


async def read_replay(request: Request) -> Response:
    """Respond to an uploaded file with the events of its game."""
    try:
        data = await read_body(request, MAX_FILE)
    except RefusedError as error:
        return refusal(error.sentence, 413)
    try:
        # Read in a thread, because a long game must not delay the moves of others.
        with trio.move_on_after(TURN_TIME):
            document = await run_in_thread(partial(_read, data), _readers)
            return Response(document, media_type="application/json")
    except ReplayError as error:
        place = {"line": error.line, "column": error.column}
        if error.form:
            sentence = RefusalPhrase.UNREADABLE_AS(**place, form=error.form, reason=error.sentence)
        else:
            sentence = RefusalPhrase.UNREADABLE_LINE(**place, reason=error.sentence)
        return refusal(sentence, 400)
    return refusal(RefusalPhrase.READING(), 503)


def _read(data: bytes) -> str:
    replay = parse_game(decode(data), partial=True)
    if len(replay.plies) > MAX_PLIES:
        raise ReplayError(Fault.SYNTAX, RefusalPhrase.MANY_PLIES(most=MAX_PLIES), 1, 1)
    return document_in_thread(events_of(replay))


def file_of(replay: Replay, number: int) -> Response:
    """Return a game as a replay file for download."""
    name = f'attachment; filename="game-{number}.qtp"'
    text = format_game(replay, RecordFormat.REPLAY)
    return Response(text, media_type="text/plain", headers={"content-disposition": name})
