"""Ground truth: what lies in ``tests/data``, and what stays outside the repository and may be absent."""

from __future__ import annotations

from pathlib import Path

import pytest

#: The folder of the ground truth that belongs to the repository.
DATA = Path(__file__).parents[1] / "data"
_SHARED = Path(__file__).parents[2].parent / "shared"


def real_transcripts() -> list[Path]:
    """Return the byte logs of complete games that real programs of the 2016 class played, ordered by name.

    Each line has the time, the direction (C client, S and a number a server) and the bytes; the order is
    exact within one socket. The programs play by the classroom jump rule; one ends lines with
    CR LF, one counts up names and leaves a trailing blank.
    """
    return sorted(DATA.joinpath("lan-transcripts").glob("*.txt"))


def ground_truth(*parts: str) -> Path:
    """Return the path of what stays outside, or skip the test."""
    return _beside("data", *parts)


def document(name: str) -> Path:
    """Return the path of a document that the project follows, or skip the test."""
    return _beside("specs", name)


def _beside(*parts: str) -> Path:
    path = _SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{'/'.join(parts)} is not beside this repository (../shared)")
    return path
