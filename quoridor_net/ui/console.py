"""The console on which people play: it writes text, reads lines, and shows one prompt at a time."""

from __future__ import annotations

import math
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, TextIO

import trio
from trio.abc import ReceiveStream

from quoridor_net.net.stdio import open_input
from quoridor_net.protocols.common.line_buffer import LineBuffer, LineTooLongError
from quoridor_net.rules.diagram import UNICODE, Glyphs, Line, glyphs_for, plain
from quoridor_net.text import columns_of
from quoridor_net.ui.line_editor import LineEditor
from quoridor_net.ui.terminal_mode import can_edit, key_by_key
from quoridor_net.ui.wording import fold

if TYPE_CHECKING:
    from rich.console import Console as RichConsole

#: Default columns and lines, without a terminal.
USUAL_SIZE = (80, 24)


class EndOfInputError(Exception):
    """The end of the input: the end of a script, or Ctrl-D in a terminal."""


def wrap(text: str, width: int) -> str:
    """Return ``text`` with lines longer than ``width`` broken between words.

    Continuation lines keep the indentation, and lines that fit stay unchanged.
    """
    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines += [line] if columns_of(line) <= width else fold(line, width, indent)
    return "\n".join(lines)


def standard_input() -> int:
    """Return the descriptor of standard input, or of the null device if the program has none."""
    # If descriptor 0 was closed when the program started, it may belong to a connection by now.
    return os.open(os.devnull, os.O_RDONLY) if sys.stdin is None else 0


class Console:
    """Standard input and output, shared by all games of a process that people play at a terminal.

    Writing blocks like ``print``. Each prompt uses one line; lines typed ahead, or read from a pipe or file,
    are kept for later prompts. On a terminal, input for a cancelled prompt is dropped, because it was meant
    for a game that no longer asks. There, lines can be edited, and earlier ones recalled.

    Args:
        descriptor: input; default standard input. The caller closes it.
        output: output; default standard output.

    Attributes:
        lock: held by the game that has the prompt; others wait for it.
    """

    def __init__(self, descriptor: int | None = None, output: TextIO | None = None) -> None:
        self._descriptor = standard_input() if descriptor is None else descriptor
        self._output = sys.stdout if output is None else output
        self._types_visibly = os.isatty(self._descriptor)
        self._source: ReceiveStream | None = None
        self._lines = LineBuffer()
        self._editor = LineEditor()
        self._prompt: str | None = None
        self._games = 0
        self._rich: RichConsole | None = None
        self.lock = trio.StrictFIFOLock()

    @property
    def _edits(self) -> bool:
        return self.is_terminal and can_edit(self._descriptor)

    @property
    def is_terminal(self) -> bool:
        """Whether text goes to a terminal."""
        return self._output.isatty()

    @property
    def glyphs(self) -> Glyphs:
        """The characters that the output can show."""
        encoding = self._output.encoding
        return UNICODE if encoding is None else glyphs_for(encoding)

    @property
    def size(self) -> tuple[int, float]:
        """Columns and lines of the terminal; without one, 80 columns and infinitely many lines."""
        if not self.is_terminal:
            return USUAL_SIZE[0], math.inf
        columns, lines = shutil.get_terminal_size(USUAL_SIZE)
        return columns, lines

    def number_game(self) -> int:
        """Return the number of a new game, from 1, which tells concurrent games apart."""
        self._games += 1
        return self._games

    def write(self, text: str) -> None:
        """Write ``text`` and a line end, above the prompt if one is open."""
        self.show([], text)

    def show(self, drawing: Sequence[Line], text: str = "") -> None:
        """Write a drawing, in colour where possible, and a text below it, above the prompt if one is open."""
        prompt = self._prompt
        if prompt is not None:
            self._erase_prompt()
        if drawing:
            self._draw(drawing)
        if text:
            # Programs that read a pipe need whole lines.
            shown = wrap(text, self.size[0]) if self.is_terminal else text
            self._output.write(f"{shown}\n")
        if prompt is not None:
            self._open_prompt(prompt)
        self._output.flush()

    def clear(self) -> None:
        """Clear a terminal; do nothing for other outputs."""
        if self.is_terminal:
            self._on_screen().clear()

    async def ask(self, prompt: str) -> str:
        """Show ``prompt`` and return the next line, without its line end.

        Only the task that holds the lock may call this. Cancelling it removes the prompt. The mode of the
        terminal is restored in any case.

        Raises:
            EndOfInputError: the input has ended.
        """
        mode = key_by_key(self._descriptor, self._redraw) if self._edits else nullcontext()
        with mode:
            return await self._read_answer(prompt)

    async def confirm(self, question: str) -> bool:
        """Return whether a person answers yes to ``question``, or ends the input again.

        A script is not asked, because its commands are deliberate.
        """
        if not self._types_visibly:
            return True
        try:
            return (await self.ask(f"{question} y/n: ")).strip().lower() in {"y", "yes"}
        except EndOfInputError:
            return True

    async def _read_answer(self, prompt: str) -> str:
        self._open_prompt(prompt)
        self._output.flush()
        try:
            await trio.lowlevel.checkpoint()
            line = await (self._edit_line() if self._edits else self._next_line())
        except EndOfInputError:
            self._close_prompt("\n")
            raise
        except trio.Cancelled:
            self._erase_prompt()
            self._output.flush()
            self._forget()
            raise
        # Without an echo, the output shows the line instead.
        self._close_prompt("\n" if self._types_visibly else f"{line}\n")
        return line

    async def _edit_line(self) -> str:
        while True:
            line = self._editor.next_line()
            if line is not None:
                self._draw_row(line, len(line))
                return line
            self._redraw()
            if self._editor.has_ended:
                self._editor.has_ended = False
                raise EndOfInputError
            data = await self._read()
            if not data:
                raise EndOfInputError
            self._editor.receive(data)

    async def _next_line(self) -> str:
        while True:
            try:
                line = self._lines.next_line()
            except LineTooLongError as error:
                line = error.start
            if line is not None:
                return line.decode("utf-8", "replace").rstrip("\r")
            data = await self._read()
            if data:
                self._lines.receive(data)
                continue
            if not self._lines.unfinished:
                raise EndOfInputError
            # The last line of a script counts even without its line end.
            self._lines.receive(b"\n")

    async def _read(self) -> bytes:
        if self._source is None:
            self._source = open_input(self._descriptor)
        return bytes(await self._source.receive_some())

    def _open_prompt(self, prompt: str) -> None:
        self._prompt = prompt
        if self._edits:
            self._redraw()
        else:
            self._output.write(prompt)

    def _redraw(self) -> None:
        """Draw the prompt and the unfinished line."""
        if self._prompt is not None:
            self._draw_row(self._editor.text, self._editor.cursor)

    def _draw_row(self, text: str, cursor: int) -> None:
        prompt = self._prompt or ""
        room = max(self.size[0] - 1 - len(prompt), 1)
        first = max(cursor - room, 0)
        # Carriage returns and spaces rather than control sequences, because they work on every terminal.
        self._output.write(f"\r{prompt}{text[first : first + room]:<{room}}\r{prompt}{text[first:cursor]}")
        self._output.flush()

    def _close_prompt(self, rest: str) -> None:
        self._prompt = None
        self._output.write(rest)
        self._output.flush()

    def _erase_prompt(self) -> None:
        self._prompt = None
        if not self.is_terminal:
            self._output.write("\n")
            return
        # Spaces, for the same reason as in _draw_row.
        self._output.write("\r" + " " * (self.size[0] - 1) + "\r")

    def forget_typed_ahead(self) -> None:
        """Drop input that a person typed while no prompt was open. The lines of a script are kept."""
        if self._prompt is None:
            self._forget()

    def _forget(self) -> None:
        if self._types_visibly:
            self._lines = LineBuffer()
            self._editor.clear()
            if sys.platform != "win32" and can_edit(self._descriptor):
                import termios

                # Input that is no longer on the screen must not become part of another answer.
                termios.tcflush(self._descriptor, termios.TCIFLUSH)

    def _draw(self, drawing: Sequence[Line]) -> None:
        if not self.is_terminal:
            self._output.write("\n".join(plain(drawing)) + "\n")
            return
        from quoridor_net.ui.theme import colour_lines

        self._on_screen().print(colour_lines(drawing))

    def _on_screen(self) -> RichConsole:
        from rich.console import Console as RichConsole

        if self._rich is None:
            self._rich = RichConsole(file=self._output, highlight=False)
        return self._rich
