"""Durations as people read them."""

from __future__ import annotations


def format_duration(seconds: float) -> str:
    """Return ``seconds`` as ``0.04 s``, ``3.2 s``, ``48 s``, ``1:05`` or ``1:02:03``."""
    for digits, limit in ((2, 0.995), (1, 9.95), (0, 59.5)):
        if seconds < limit:
            return f"{seconds:.{digits}f} s"
    return format_clock(round(seconds))


def format_clock(seconds: int) -> str:
    """Return whole ``seconds`` as ``48 s``, ``1:05`` or ``1:02:03``."""
    if seconds < 60:
        return f"{seconds} s"
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
