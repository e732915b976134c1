"""Read games of barricade.gg: JSON with ``historyCsv``, a list with the letter of walls first."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import evolve

from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.json_text import parse_json, place_at, text_in
from quoridor_net.replay.replay import Replay
from quoridor_net.replay.setting import Setting
from quoridor_net.rules import MAX_SIZE, MIN_SIZE, STANDARD_SIZE
from quoridor_net.text import UnparsableError, parse_number

_KEY = "historyCsv"
_VALUE = re.compile(rf'"{_KEY}"\s*:\s*"')

_RESULTS = {"1": "1-0", "2": "0-1"}


def is_barricade(text: str) -> bool:
    """Return whether ``text`` looks like such a record in JSON."""
    return text.lstrip()[:1] == "{" and f'"{_KEY}"' in text


def read_barricade(text: str, read: Callable[[str, Setting], Replay]) -> Replay:
    """Return the game of such a record.

    Args:
        text: the record.
        read: reads its list of moves, for a game with this setting.
    """
    data = parse_json(text)
    history = text_in(data, _KEY)
    value = _VALUE.search(text)
    if not history or value is None:
        raise ReplayError(Fault.SYNTAX, RecordPhrase.NO_RECORD(reason=f"no {_KEY}"), 1, 1)
    place = place_at(text, value.end())
    try:
        size = parse_number(text_in(data, "boardSize") or str(STANDARD_SIZE), MIN_SIZE, MAX_SIZE)
    except UnparsableError as error:
        sentence = RecordPhrase.NO_RECORD(reason=f"boardSize: {error}")
        raise ReplayError(Fault.SYNTAX, sentence, 1, 1) from None
    result = _RESULTS.get(text_in(data, "winner"), "")
    try:
        replay = read(f"{history} {result} {_reason(text_in(data, 'finishedReason'))}", Setting(size=size))
    except ReplayError as error:
        raise evolve(error, line=place.line, column=place.move + error.column - 1) from None
    names = [text_in(data, f"player{player}Username") for player in (1, 2)]
    players = (("Players", " vs ".join(names)),) if all(names) else ()
    return evolve(replay, metadata=(*players, *replay.metadata))


def _reason(word: str) -> str:
    """Translate the site's reason for an ending into a word of lists; empty if there is none."""
    lower = word.lower()
    return "resign" if "resign" in lower else "timeout" if "time" in lower else ""
