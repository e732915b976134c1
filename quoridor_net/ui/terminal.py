"""The display for people: a board that changes in place, in colour if the terminal supports it.

During a game it fills the window, on the alternate screen of the terminal. After a change of the window's
size, the next refresh fills it again. After the game, the final picture is printed to the normal screen, with
the winner below it in large letters.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TextIO

import trio
from rich.console import Console
from rich.live import Live

from quoridor_net.match import Event, GameEnded, GameStarted, Listener
from quoridor_net.rules.diagram import ASCII, Cell, glyphs_for
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui.banner import banner
from quoridor_net.ui.match_view import Scene, match_view
from quoridor_net.ui.theme import PipedConsole, colour_lines

#: Time between checks of the clock and of the window size, in seconds.
TICK = 0.25


class TerminalDisplay:
    """A display that shows one match after another on a terminal.

    By default rich draws from its own thread. Here a trio task calls :meth:`tick` instead, so that nothing is
    drawn while an event is processed.

    Args:
        console: the terminal.
        note: returns a note to show during the game; empty for none.
        picture: the picture of boards.
    """

    def __init__(
        self,
        console: Console,
        note: Callable[[], str] = str,
        picture: BoardPicture = BoardPicture.STANDARD,
    ) -> None:
        self._console = console
        self._picture = picture
        self._glyphs = glyphs_for(console.encoding)
        self._scene: Scene | None = None
        self._live = Live(
            console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        # The values, besides the events, that the picture on the screen depends on.
        self._shown: tuple[int, int, int, str] | None = None
        self._note = note

    def listen(self, event: Event) -> None:
        """Process an event and show it."""
        if isinstance(event, GameStarted):
            self._scene = Scene(event, self._picture)
            self._live.start()
        elif self._scene is not None:
            self._scene.take(event, trio.current_time())
        if isinstance(event, GameEnded):
            self.close()
        else:
            self._refresh()

    def tick(self) -> None:
        """Update the clock, and adapt to a changed window size."""
        if self._shown != self._dependencies():
            self._refresh()

    def close(self) -> None:
        """Restore the screen and print the final picture; do nothing if called again."""
        if not self._live.is_started or self._scene is None:
            return
        self._live.stop()
        width, height = self._console.size
        least = Cell().board_height(self._scene.position.size)
        lines = match_view(self._scene, trio.current_time(), width, max(height - 1, least), self._glyphs)
        if self._scene.result is not None:
            is_ascii = self._glyphs is ASCII
            large = banner(self._scene.result, self._scene.names, width, height, is_ascii)
            # Last, so that it is visible even in a small window.
            lines += [(), *large] if large else []
        self._console.print(colour_lines(lines), crop=False)

    def _refresh(self) -> None:
        if not self._live.is_started or self._scene is None:
            return
        self._shown = self._dependencies()
        self._scene.note = self._shown[-1]
        width, height = self._console.size
        lines = match_view(self._scene, trio.current_time(), width, height, self._glyphs)
        self._live.update(colour_lines(lines), refresh=True)

    def _dependencies(self) -> tuple[int, int, int, str]:
        asked = None if self._scene is None else self._scene.asked
        seconds = 0 if asked is None else int(trio.current_time() - asked.since)
        return (*self._console.size, seconds, self._note())


@asynccontextmanager
async def open_terminal(
    file: TextIO, note: Callable[[], str] = str, picture: BoardPicture = BoardPicture.STANDARD
) -> AsyncIterator[Listener]:
    """Show matches on the terminal ``file`` until the context ends.

    Exceptions of the body propagate unchanged.
    """
    display = TerminalDisplay(PipedConsole(file=file, highlight=False), note, picture)
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_tick_on, display)
        try:
            yield display.listen
        except Exception as error:
            failure = error
        finally:
            nursery.cancel_scope.cancel()
            display.close()
    if failure is not None:
        raise failure


async def _tick_on(display: TerminalDisplay) -> None:
    while True:
        await trio.sleep(TICK)
        display.tick()
