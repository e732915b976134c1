"""Ground truth in ``tests/data``, and files outside the repository that may be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

#: The folder of the ground truth that belongs to the repository.
DATA = Path(__file__).parents[1] / "data"
_SHARED = Path(__file__).parents[2].parent / "shared"


def real_transcripts() -> list[Path]:
    """Return the byte logs of complete games between real programs of the 2016 class, ordered by name.

    Each line has the time, the direction (C for client, S and a number for server) and the bytes; the order
    is exact within one socket. The programs play by the classroom jump rule. One ends lines with CR LF; one
    appends numbers to names and sends a trailing space.
    """
    return sorted(DATA.joinpath("lan-transcripts").glob("*.txt"))


def ground_truth(*parts: str) -> Path:
    """Return the path of a data file outside the repository, or skip the test."""
    return _beside("data", *parts)


def document(name: str) -> Path:
    """Return the path of a document that the project follows, or skip the test."""
    return _beside("specs", name)


def _beside(*parts: str) -> Path:
    path = _SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{'/'.join(parts)} is missing (looked in ../shared)")
    return path
