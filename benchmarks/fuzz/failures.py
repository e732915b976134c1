"""Files of failing inputs, which can be fed again."""

from __future__ import annotations

import hashlib
from pathlib import Path


def keep(folder: Path, target: str, data: bytes) -> Path:
    """Write a failing input to a file; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{target}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


def target_of(path: Path) -> str:
    """Return the name of the target of a failing input."""
    return path.name.rpartition("-")[0]
