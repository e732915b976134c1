"""A terminal that hands over every key as it is typed, and how it was before."""

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
    """Have the terminal hand over every key, unseen; however the block ends, the terminal is as before.

    Ctrl-C and Ctrl-Z keep their meaning. While the program is stopped the terminal is as before, too, and
    when it goes on, ``redraw`` is called.

    Args:
        descriptor: the terminal.
        redraw: draws anew what Ctrl-Z and the shell have covered.
        suspend: gives back what else of the terminal is in use.
    """
    if sys.platform != "win32":
        import termios

        before = termios.tcgetattr(descriptor)
        wanted = termios.tcgetattr(descriptor)
        # Without IEXTEN, Ctrl-V and Ctrl-O are keys like others. Ctrl-\ would end the program in this mode.
        wanted[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
        wanted[6][termios.VMIN], wanted[6][termios.VTIME] = 1, 0
        wanted[6][termios.VQUIT] = b"\0"

        def change(mode: list[Any]) -> None:
            # A program in the background that changes its terminal is stopped by the system.
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
            # Where the terminal was hung up there is nothing left to put back.
            with suppress(termios.error):
                change(before)
    else:
        # Never used: can_edit is false.
        yield


def _is_in_foreground(descriptor: int) -> bool:
    """Return whether this program may use the terminal now; so may one that it is not controlled by."""
    is_ours = False
    if sys.platform != "win32":
        try:
            is_ours = os.tcgetpgrp(descriptor) == os.getpgrp()
        except OSError:
            is_ours = os.isatty(descriptor)
    return is_ours


@contextmanager
def _handlers(handlers: dict[signal.Signals, Callable[[int, FrameType | None], None]]) -> Iterator[None]:
    """Have ``handlers`` called for their signals, which only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: heed(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            heed(number, handler)
