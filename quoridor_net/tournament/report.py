"""What a tournament comes to, at any time: tables, strengths, the state of a test."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import Any

from attrs import evolve

from quoridor_net.tournament.formats import Format, Knockout, SprtMatch, Swiss
from quoridor_net.tournament.plan import RULES, Plan
from quoridor_net.tournament.ratings import EloDifference, Ratings, rate
from quoridor_net.tournament.sprt import Verdict
from quoridor_net.tournament.standings import (
    ROUND_ROBIN_TIE_BREAKS,
    SWISS_TIE_BREAKS,
    Crosstable,
    Standing,
    TieBreak,
    crosstable,
    points_of,
)
from quoridor_net.tournament.state import TournamentState

_COLUMNS = ("name", "rank", "points", "played", "won", "drawn", "lost", "forfeited", "byes")


def table_of(state: TournamentState) -> Crosstable:
    """Return the crosstable with the tie-breaks and places of the format.

    Raises:
        PlanError: the settings are not those of a tournament of Quoridor.
    """
    form = _format_of(state)
    tie_breaks = SWISS_TIE_BREAKS if isinstance(form, Swiss) else ROUND_ROBIN_TIE_BREAKS
    byes = [bye.entrant for bye in state.byes]
    table = crosstable(state.entrants, state.results(), byes, tie_breaks, _left(state, form))
    if not isinstance(form, Knockout):
        return table
    places = form.places(state.field())
    # Whoever is not out yet may still win.
    rows = [evolve(row, rank=places.get(row.entrant, 1)) for row in table.rows]
    return evolve(table, rows=tuple(sorted(rows, key=lambda row: row.rank)))


def _left(state: TournamentState, form: Format | None) -> dict[int, bool]:
    """Return the entrants that left, each with whether its games count."""
    is_counted = form is None or not form.is_round_robin
    return {entrant: is_counted or state.has_played_half(entrant) for entrant in state.field().withdrawn}


def ratings_of(state: TournamentState) -> Ratings:
    """Return the strengths of the entrants, by games that tell something about them."""
    return rate(len(state.entrants), state.results())


def verdict_of(state: TournamentState) -> Verdict | None:
    """Return the state of the tournament's SPRT; None if it has none.

    Raises:
        PlanError: the settings are not those of a tournament of Quoridor.
    """
    form = _format_of(state)
    return form.verdict(state.field()) if isinstance(form, SprtMatch) else None


def games_in_all(state: TournamentState) -> int | None:
    """Return how many games there will be if nothing unforeseen happens; None where a test decides.

    Raises:
        PlanError: the settings are not those of a tournament of Quoridor.
    """
    form = _format_of(state)
    if form is None or state.is_over:
        return state.games
    unpaired = form.unpaired(state.field())
    return None if unpaired is None else state.games + unpaired


def _format_of(state: TournamentState) -> Format | None:
    return _format(json.dumps(dict(state.settings))) if state.rules == RULES else None


@lru_cache(maxsize=1)
def _format(settings: str) -> Format:
    """Return the format; displays ask several times a second, and openings take long to read."""
    return Plan.of(json.loads(settings)).format


def document(state: TournamentState) -> dict[str, Any]:
    """Return the whole as one object for JSON, documented in docs/tournament.md.

    Raises:
        PlanError: the settings are not those of a tournament of Quoridor.
    """
    ratings = ratings_of(state)
    table = table_of(state)
    ties = [tie_break for tie_break in table.tie_breaks if tie_break is not TieBreak.WINS]
    entrants = [
        {name: getattr(row, name) for name in _COLUMNS}
        | {"withdrawn": row.has_left, "left": _leaving(state, row)}
        | {tie_break.value: row.value(tie_break) for tie_break in ties}
        | {"elo": interval(ratings.entrants[row.entrant - 1].elo)}
        | {"faults": {str(fault): count for fault, count in row.faults.items()}}
        for row in table.rows
    ]
    verdict = verdict_of(state)
    sprt = None
    if verdict is not None:
        bounds = {"llr": verdict.ratio, "lower": verdict.lower, "upper": verdict.upper}
        sprt = bounds | {"decision": verdict.decision.value}
    uncounted = {row.entrant for row in table.rows if not row.is_counted}
    return {
        "finished": state.is_over,
        "settings": dict(state.settings),
        "entrants": entrants,
        "first_move": interval(ratings.first_move),
        "groups": [[state.entrants[entrant - 1] for entrant in group] for group in ratings.groups],
        "sprt": sprt,
        "games": [
            {
                "number": pairing.number,
                "round": pairing.round,
                "seats": [state.entrants[entrant - 1] for entrant in pairing.seats],
                "points": list(points_of(pairing, result)),
                "termination": str(result.termination),
                "plies": result.plies,
                "sentence": result.sentence,
                "counted": uncounted.isdisjoint(pairing.seats),
                "left": [
                    state.entrants[entrant - 1] for entrant in pairing.seats if state.is_withdrawn(entrant)
                ],
            }
            for pairing, result in state.results()
        ],
    }


def _leaving(state: TournamentState, row: Standing) -> dict[str, Any] | None:
    """Return how far an entrant that left had come; None for the others."""
    if not row.has_left:
        return None
    played, paired = state.games_of(row.entrant)
    return {"played": played, "games": paired, "counted": row.is_counted}


def interval(elo: EloDifference) -> dict[str, float | None]:
    """Return a value with its interval; JSON has no word for infinity."""
    numbers = {"value": elo.value, "low": elo.low, "high": elo.high}
    return {name: round(number, 1) if math.isfinite(number) else None for name, number in numbers.items()}
