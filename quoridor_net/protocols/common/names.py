"""Names of players on the wire."""

from __future__ import annotations

import re

#: Longest name that a peer may have: four of them still fit in one line.
MAX_NAME = 200

_NOT_VISIBLE = re.compile(r"[^!-~]")


def clean_name(name: str) -> str:
    """Return ``name`` with everything that is not visible ASCII replaced by ``?``."""
    return _NOT_VISIBLE.sub("?", name)
