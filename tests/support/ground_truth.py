"""Ground truth in ``tests/data``."""

from __future__ import annotations

import tomllib
from pathlib import Path

#: The folder of the ground truth that belongs to the repository.
DATA = Path(__file__).parents[1] / "data"


def real_transcripts() -> list[Path]:
    """Return the byte logs of complete games between real programs of the 2016 class, ordered by name.

    Each line has the time, the direction (C for client, S and a number for server) and the bytes; the order
    is exact within one socket. The programs play by the classroom jump rule. One ends lines with CR LF; one
    appends numbers to names and sends a trailing space.
    """
    return sorted(DATA.joinpath("lan-transcripts").glob("*.txt"))


#: A complete game in the replay format, with jumps straight and aside, and walls.
FULL_GAME = DATA / "replays" / "full-game.qtp"


def rejected_moves() -> list[tuple[int, str, str]]:
    """Return attempts that the rules forbid in :data:`FULL_GAME`: plies played before, command and reason.

    ``tests.support.reference_rules`` found them and their reasons.
    """
    text = DATA.joinpath("replays", "rejected-moves.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return [(int(turn.partition(".")[0]), command, reason) for turn, command, reason in rows]


def quotations() -> dict[str, list[str]]:
    """Return sentences of the documents that the project follows, by document and section."""
    text = DATA.joinpath("quotations.toml").read_text(encoding="utf-8")
    return {
        f"{document}, {section}": sentences
        for document, sections in tomllib.loads(text).items()
        for section, sentences in sections.items()
    }
