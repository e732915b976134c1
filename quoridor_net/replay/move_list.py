"""Parse lists of moves, as sites, programs and people write them, in any notation of moves.

Spaces, line ends, commas, semicolons, quotes and square brackets separate words. Besides moves, a list may
have numbers of rounds or plies (``1.``, ``1...``, ``1``), marks (``!``, ``?!``, ``+``, ``#``, ``$1``),
results (``1-0``, ``1/2-1/2``, ``*``, ``resign``, ``timeout``), and comments in braces or from ``#`` to the
end of the line. A line that begins with ``#`` may be metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from attrs import evolve

from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.replay.reading import Reading
from quoridor_net.replay.record import MAX_PLIES, Place, Record
from quoridor_net.replay.replay import Outcome, Replay
from quoridor_net.replay.text import text_lines
from quoridor_net.rules import Ply, Termination
from quoridor_net.text import UnparsableError, parse_number, quote

_SEPARATORS = r"\s,;\"'\[\]"
# A number, perhaps directly before the first move, or a word.
_WORD = re.compile(rf"[0-9]+(?:\.+|\u2026|[):])|[^{_SEPARATORS}]+", re.ASCII)
_NUMBER = re.compile(r"([0-9]+)(\.*|\u2026|[):])", re.ASCII)
_DOTS = re.compile(r"\.{2,}|\u2026", re.ASCII)
_MARKS = re.compile(r"[!?+#]+|\$[0-9]+", re.ASCII)
_SEPARATOR = re.compile(rf"[{_SEPARATORS}]", re.ASCII)
_COMMENT_START = re.compile(r"[{#]")

_RESULTS = {
    "1-0": "P1-win", "0-1": "P2-win", "1/2-1/2": "draw", "\u00bd-\u00bd": "draw", "*": "",
}  # fmt: skip
_REASONS = {
    "resign": Termination.RESIGNED,
    "resigns": Termination.RESIGNED,
    "resigned": Termination.RESIGNED,
    "timeout": Termination.TOO_SLOW,
}
#: The termination of a drawn game without a stated reason.
AGREED = "agreed"


def parts(text: str) -> Iterator[tuple[str, Place]]:
    """Yield the words of a list, and the comment lines that begin with ``#``.

    Raises:
        ReplayError: a line is too long, or a comment is not closed.
    """
    opened: Place | None = None
    for number, line, _ in text_lines(text):
        if opened is None:
            if line.startswith("#"):
                yield line, Place(number)
                continue
            if not line.strip(" "):
                continue
        if opened is not None:
            closing = line.find("}") + 1
            if not closing:
                continue
            line = " " * closing + line[closing:]  # noqa: PLW2901 - columns do not change
            opened = None
        kept, unclosed = _without_comments(line)
        if unclosed is not None:
            opened = Place(number, *[unclosed + 1] * 3)
        for word in _WORD.finditer(kept):
            yield word[0], Place(number, *[word.start() + 1] * 3)
    if opened is not None:
        raise ReplayError(Fault.SYNTAX, RecordPhrase.OPEN_COMMENT(), opened.line, opened.move)


def _without_comments(line: str) -> tuple[str, int | None]:
    """Return ``line`` with spaces for its comments, and the start of an open comment, None without one.

    A comment is in braces, or goes from # to the end of the line.
    """
    if "{" not in line and "#" not in line:
        return line, None
    kept: list[str] = []
    done = 0
    unclosed = None
    for found in _COMMENT_START.finditer(line):
        start, stop = found.start(), len(line)
        if start < done:
            continue
        if found[0] == "{":
            closing = line.find("}", start)
            if closing < 0:
                unclosed = start
            else:
                stop = closing + 1
        elif not _begins_comment(line, start):
            continue
        kept += [line[done:start], " " * (stop - start)]
        done = stop
    return "".join([*kept, line[done:]]), unclosed


def _begins_comment(line: str, place: int) -> bool:
    """Return whether a # begins a comment. Directly after a move it is a mark, unless other text follows."""
    before, after = line[place - 1 : place], line[place + 1 : place + 2]
    if not before or before == "}" or _SEPARATOR.match(before):
        return True
    return bool(after) and after not in "!?+#" and not _SEPARATOR.match(after)


def strip_marks(word: str) -> str:
    """Return a move without the marks after it."""
    return word.rstrip("!?+#")


def parse_count(word: str) -> tuple[str, bool] | None:
    """Return the digits of the number of a round or ply, and whether it continues a round (``2...``).

    Return None for any other word.
    """
    counted = _NUMBER.fullmatch(word)
    return None if counted is None else (counted[1], counted[2] not in {"", ".", ")", ":"})


class Parser(Protocol):
    """Parses the words of a list that are moves."""

    def __call__(self, word: str, place: Place, record: Record) -> Ply | None:
        """Return the ply of ``word``; None if it needs the next word.

        Raises:
            ReplayError: the word is not a ply.
        """


class MoveListReader:
    """The game of the words read so far."""

    def __init__(self, record: Record, parse: Parser) -> None:
        self.record = record
        self._parse = parse
        # The possible styles of numbering: plies per number, and whether each of these plies has the number.
        self._styles: set[tuple[int, bool]] = set()
        self._numbered = 0
        self._result: tuple[str, Place] | None = None
        self._reason: tuple[Termination, Place] | None = None

    def read(self, text: str) -> Place:
        """Read a list and return its end."""
        place = Place(1)
        for word, place in parts(text):
            if word.startswith("#"):
                self.record.comment(word, place.line)
            else:
                self._take(word, place)
        return Place(place.line)

    def finish(self, end: Place, reading: Reading, *, partial: bool) -> Replay:
        """Return the game; see :meth:`Record.finish`."""
        self._conclude()
        return evolve(self.record.finish(end, partial=partial), reading=str(reading))

    def _take(self, word: str, place: Place) -> None:
        if self._take_result(word.lower().replace("\u2013", "-"), place):
            return
        if self._result is not None or self._reason is not None:
            sentence = RecordPhrase.NOTHING_FOLLOWS(text=quote(word))
            raise ReplayError(Fault.SYNTAX, sentence, place.line, place.move)
        counted = parse_count(word)
        if counted is not None:
            self._check_number(*counted, place)
        elif not _DOTS.fullmatch(word) and not _MARKS.fullmatch(word):
            ply = self._parse(strip_marks(word), place, self.record)
            if ply is not None:
                self.record.add(ply, place)

    def _take_result(self, word: str, place: Place) -> bool:
        """Return whether ``word`` is a result; there are none for four players."""
        if self.record.setting.players != 2:
            return False
        if word in _RESULTS and self._result is None:
            self._result = (_RESULTS[word], place)
        elif word in _REASONS and self._reason is None:
            self._reason = (_REASONS[word], place)
        else:
            return False
        return True

    def _check_number(self, digits: str, is_continued: bool, place: Place) -> None:
        """Check that a move has the right number; ``2...`` continues round 2."""
        plies = len(self.record.plies)
        try:
            number = parse_number(digits, 1, MAX_PLIES)
        except UnparsableError:
            number = 0
        order = len(self.record.position.order)
        fitting = {
            (stride, is_each)
            for stride, is_each in self._styles or {(1, False), (order, False), (order, True)}
            if number == plies // stride + 1
            and (is_continued or is_each or plies % stride == 0)
            and ((stride > 1 and not is_each) or plies - self._numbered <= 1)
        }
        if not fitting:
            sentence = RecordPhrase.WRONG_NUMBER(number=quote(digits), count=plies)
            raise ReplayError(Fault.SYNTAX, sentence, place.line, place.move)
        self._styles, self._numbered = fitting, plies

    def _conclude(self) -> None:
        """Add the result of the list to the metadata, unless the board shows it."""
        position, metadata = self.record.position, self.record.metadata
        result, place = self._result or ("", Place(1))
        if position.ending is not None:
            shown = Outcome(position.winner, str(position.ending)).result
            if result not in {"", shown}:
                sentence = RecordPhrase.OTHER_OUTCOME(key="Result", stated=quote(result), shown=quote(shown))
                raise ReplayError(Fault.CONTRADICTION, sentence, place.line, place.move)
            return
        if self._reason is not None and not result:
            # Only the player to move can resign or run out of time.
            result, place = f"P{3 - (position.turn or 1)}-win", self._reason[1]
        if not result:
            return
        stated = dict(metadata.pairs).get("Result", result)
        if stated != result:
            sentence = RecordPhrase.OTHER_RESULT(result=quote(result), stated=quote(stated))
            raise ReplayError(Fault.CONTRADICTION, sentence, place.line, place.move)
        usual = AGREED if result == "draw" else str(Termination.PUT_OUT)
        reason = usual if self._reason is None else str(self._reason[0])
        for key, value in (("Result", result), ("Termination", reason)):
            if key not in metadata.places:
                metadata.add(key, value, place.line)
