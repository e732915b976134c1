"""The record of commands in journals that this user entered or approved, which run without a question.

A journal from another person can contain any command and claim any origin. So the record is kept outside of
journals, as a checksum of each command and the path of its journal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from quoridor_net.system import find_state_folder


def trust(journal: Path, commands: Iterable[str]) -> None:
    """Record commands that this user entered for the journal or approved.

    If that fails, for instance without a home folder, the user is asked again next time.
    """
    known = _read_known()
    new = [mark for command in commands if (mark := _mark(journal, command)) not in known]
    if not new:
        return
    with suppress(OSError, RuntimeError):
        path = _record()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with path.open("a", encoding="ascii") as file:
            file.write("".join(f"{mark}\n" for mark in new))


def find_unknown(journal: Path, commands: Iterable[str]) -> list[str]:
    """Return the commands that this user neither entered nor approved for the journal at this path."""
    known = _read_known()
    return [command for command in commands if _mark(journal, command) not in known]


def _mark(journal: Path, command: str) -> str:
    return hashlib.sha256(json.dumps([str(journal.resolve()), command]).encode()).hexdigest()


def _read_known() -> frozenset[str]:
    try:
        return frozenset(_record().read_text("ascii").split())
    except (OSError, RuntimeError, ValueError):
        return frozenset()


def _record() -> Path:
    """Return the path of the record.

    Raises:
        RuntimeError: the home folder is unknown.
    """
    return find_state_folder() / "commands"
