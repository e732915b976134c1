"""Bytes from a peer, made fit to be shown."""

from __future__ import annotations


def printable(data: bytes, limit: int = 80) -> str:
    """Return ``data`` as printable ASCII of at most ``limit`` characters, whatever it contains.

    Control characters and bytes beyond ASCII are written as escapes, so that no peer can steer the terminal
    of the person who reads them.
    """
    shown = repr(data[: limit + 1])[2:-1]
    if len(data) > limit or len(shown) > limit:
        shown = shown[: limit - 3] + "..."
    return shown
