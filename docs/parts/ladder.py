"""The reference players of gradings, with their ratings."""

from __future__ import annotations

from docs.parts.markdown import table
from quoridor_net.players.ladder import LADDER


def write_ladder() -> str:
    """Return the table of the ladder, weakest player first."""
    rows = (
        (rung.name, f"`{rung.spec}`", "" if rung.level is None else str(rung.level), f"{rung.elo:+}")
        for rung in LADDER
    )
    return table(("Player", "Spec", "Level", "Elo"), rows)
