"""Work that the processes of a test run share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: each process does the work there.
    fcntl = None  # type: ignore[assignment]


def do_once(note: Path, run: str, work: Callable[[], object]) -> None:
    """Do ``work`` unless the file ``note`` says that it was done in this ``run``; an empty run is never done.

    Only one process at a time does it, and the others wait. Work that fails is done again.
    """
    note.parent.mkdir(exist_ok=True)
    with note.open("a+", encoding="ascii") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if run and file.read() == run:
            return
        work()
        file.seek(0)
        file.truncate()
        file.write(run)
