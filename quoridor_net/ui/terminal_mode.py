"""A terminal mode in which programs receive every key at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from quoridor_net.net.signals import heed


def can_edit(descriptor: int) -> bool:
    """Return whether ``descriptor`` is a terminal whose mode can be changed on this system."""
    try:
        import termios  # noqa: F401 - Windows has none
    except ImportError:
        return False
    return os.isatty(descriptor)


@contextmanager
def key_by_key(
    descriptor: int, redraw: Callable[[], None], suspend: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """Read every key at once and without echo; restore the terminal when the block ends.

    Ctrl-C and Ctrl-Z keep their meaning. The terminal is also restored while the program is stopped, and
    ``redraw`` is called when it continues.

    Args:
        descriptor: the terminal.
        redraw: redraws the screen after Ctrl-Z and the output of the shell.
        suspend: restores other state of the terminal before the program stops.
    """
    if sys.platform != "win32":
        import termios

        before = termios.tcgetattr(descriptor)
        wanted = termios.tcgetattr(descriptor)
        # Without IEXTEN, Ctrl-V and Ctrl-O are ordinary keys. VQUIT is off, because Ctrl-\ would end the
        # program without restoring the terminal.
        wanted[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
        wanted[6][termios.VMIN], wanted[6][termios.VTIME] = 1, 0
        wanted[6][termios.VQUIT] = b"\0"

        def change(mode: list[Any]) -> None:
            # The system stops a background program that changes its terminal.
            if _is_in_foreground(descriptor):
                termios.tcsetattr(descriptor, termios.TCSANOW, mode)

        def stop(_number: int, _frame: FrameType | None) -> None:
            suspend()
            change(before)
            heed(signal.SIGTSTP, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTSTP)

        def go_on(_number: int, _frame: FrameType | None) -> None:
            heed(signal.SIGTSTP, stop)
            change(wanted)
            redraw()

        change(wanted)
        try:
            with _handlers({signal.SIGTSTP: stop, signal.SIGCONT: go_on}):
                yield
        finally:
            # A terminal that was hung up cannot be restored.
            with suppress(termios.error):
                change(before)
    else:
        # Never reached, because can_edit returns False.
        yield


def _is_in_foreground(descriptor: int) -> bool:
    """Return whether this program may use the terminal now.

    A program that the terminal does not control may always use it.
    """
    is_ours = False
    if sys.platform != "win32":
        try:
            is_ours = os.tcgetpgrp(descriptor) == os.getpgrp()
        except OSError:
            is_ours = os.isatty(descriptor)
    return is_ours


@contextmanager
def _handlers(handlers: dict[signal.Signals, Callable[[int, FrameType | None], None]]) -> Iterator[None]:
    """Install ``handlers`` for their signals; do nothing outside of the main thread, which cannot."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: heed(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            heed(number, handler)
