"""A line editor with cursor keys, history and the keys of shells. It does not access a terminal."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

#: Maximum characters of a line, and maximum lines of the history.
LONGEST = 1000
REMEMBERED = 100

#: The sequence of a key that sends several characters, and an incomplete one.
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;]{0,8}[@-~]|O[@-~])")
_BEGUN = re.compile(r"\x1b(?:\[[0-9;]{0,8}|O)?")


class LineEditor:
    """A converter from the bytes of a terminal to lines.

    Attributes:
        text: the unfinished line.
        cursor: number of characters before the cursor.
        has_ended: whether Ctrl-D on an empty line ended the input. The reader resets it.
    """

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self.has_ended = False
        self._history: list[str] = []
        # Index of the shown line in the history; its length stands for the unfinished line.
        self._shown = 0
        self._begun = ""
        self._waiting = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._keys: dict[str, Callable[[], None]] = {}
        for keys, act in (
            ("\x02 \x1b[D \x1bOD", lambda: self._go(self.cursor - 1)),
            ("\x06 \x1b[C \x1bOC", lambda: self._go(self.cursor + 1)),
            ("\x10 \x1b[A \x1bOA", lambda: self._recall(self._shown - 1)),
            ("\x0e \x1b[B \x1bOB", lambda: self._recall(self._shown + 1)),
            ("\x01 \x1b[H \x1bOH \x1b[1~ \x1b[7~", lambda: self._go(0)),
            ("\x05 \x1b[F \x1bOF \x1b[4~ \x1b[8~", lambda: self._go(len(self.text))),
            ("\x7f \x08", lambda: self._cut(max(self.cursor - 1, 0), self.cursor)),
            ("\x1b[3~", lambda: self._cut(self.cursor, self.cursor + 1)),
            ("\x04", self._end_or_delete),
            ("\x15", lambda: self._cut(0, self.cursor)),
            ("\x0b", lambda: self._cut(self.cursor, len(self.text))),
            ("\x17", self._cut_word),
        ):
            self._keys.update(dict.fromkeys(keys.split(" "), act))

    def receive(self, data: bytes) -> None:
        """Add input; :meth:`next_line` processes it."""
        self._waiting += self._decoder.decode(data)

    def next_line(self) -> str | None:
        """Return the next finished line; None if more input is needed, or the input has ended."""
        while self._waiting and not self.has_ended:
            sequence = _SEQUENCE.match(self._waiting)
            if sequence is None and _BEGUN.fullmatch(self._waiting):
                return None
            key = self._waiting[0] if sequence is None else sequence[0]
            self._waiting = self._waiting[len(key) :]
            if key in "\r\n":
                return self._finish()
            if key in self._keys:
                self._keys[key]()
            elif key.isprintable() and len(self.text) < LONGEST:
                self.text = self.text[: self.cursor] + key + self.text[self.cursor :]
                self.cursor += 1
        return None

    def clear(self) -> None:
        """Drop the unfinished line and all further input; keep the history."""
        self.text, self.cursor, self._waiting = "", 0, ""
        self._shown = len(self._history)
        self._decoder.reset()

    def _finish(self) -> str:
        line = self.text
        if line.strip() and (not self._history or self._history[-1] != line):
            self._history = [*self._history, line][-REMEMBERED:]
        self._shown = len(self._history)
        self.text, self.cursor = "", 0
        return line

    def _go(self, place: int) -> None:
        self.cursor = min(max(place, 0), len(self.text))

    def _recall(self, number: int) -> None:
        if not 0 <= number <= len(self._history):
            return
        if self._shown == len(self._history):
            self._begun = self.text
        self._shown = number
        self.text = self._begun if number == len(self._history) else self._history[number]
        self.cursor = len(self.text)

    def _cut(self, first: int, behind: int) -> None:
        self.text = self.text[:first] + self.text[behind:]
        self.cursor = first

    def _cut_word(self) -> None:
        before = self.text[: self.cursor].rstrip(" ")
        self._cut(before.rfind(" ") + 1, self.cursor)

    def _end_or_delete(self) -> None:
        if self.text:
            self._cut(self.cursor, self.cursor + 1)
        else:
            self.has_ended = True
