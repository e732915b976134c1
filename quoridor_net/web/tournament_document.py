"""What a page shows of a tournament, as objects for JSON: docs/reference/web.md, Tournaments."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

from quoridor_net.tournament.ratings import rate
from quoridor_net.tournament.report import interval, table_of
from quoridor_net.tournament.schedule import Pairing
from quoridor_net.tournament.standings import Crosstable, GameResult, Standing, TieBreak, points_of
from quoridor_net.tournament.state import TournamentState

#: Finished and planned games that are in every list of games; a page asks for others.
LAST_GAMES = 200
NEXT_GAMES = 50

#: Entrants up to whose number everybody is shown against everybody.
MAX_CROSSTABLE = 64

_COLUMNS = ("name", "rank", "points", "played", "won", "drawn", "lost", "forfeited", "byes")

Document = dict[str, Any]


def standings(table: Crosstable) -> list[Document]:
    """Return the rows of the table, best first, with their tie-breaks."""
    return [_row(row, table.tie_breaks) for row in table.rows]


def _row(row: Standing, tie_breaks: Iterable[TieBreak]) -> Document:
    # The wins have a column of their own.
    ties = {str(tie.value): row.value(tie) for tie in tie_breaks if tie is not TieBreak.WINS}
    leaving = {"left": row.has_left, "counted": row.is_counted}
    return {name: getattr(row, name) for name in _COLUMNS} | leaving | ties


def crosstable(table: Crosstable) -> Document | None:
    """Return names, best first, and what each scored against each; None where that is more than a page."""
    rows = table.rows
    if len(rows) > MAX_CROSSTABLE:
        return None
    cells = [
        [None if row is other else list(table.cell(row.entrant, other.entrant)) for other in rows]
        for row in rows
    ]
    return {"names": [row.name for row in rows], "cells": cells}


def listed_games(state: TournamentState) -> list[Document]:
    """Return the games that are in every list: running ones, the last finished and the next planned ones."""
    finished = sorted(state.decided)[-LAST_GAMES:]
    planned = [each.number for each in state.pending if each.number not in state.running][:NEXT_GAMES]
    numbers = sorted({*finished, *state.running, *planned})
    return list(games(state, (state.pairing(number) for number in numbers)))


def games(state: TournamentState, pairings: Iterable[Pairing]) -> Iterable[Document]:
    """Yield what is known of each game."""
    for pairing in pairings:
        result = state.decided.get(pairing.number)
        is_running = pairing.number in state.running
        status = "finished" if result is not None else "running" if is_running else "planned"
        yield {
            "number": pairing.number,
            "round": pairing.round,
            "seats": [state.entrants[entrant - 1] for entrant in pairing.seats],
            "points": None if result is None else list(points_of(pairing, result)),
            "termination": None if result is None else str(result.termination),
            "plies": state.running.get(pairing.number) if result is None else result.plies,
            "status": status,
        }


def tables(state: TournamentState) -> Document:
    """Return the parts that every result changes; empty ones before the tournament."""
    if not state.has_started:
        return {"standings": [], "crosstable": None}
    table = table_of(state)
    return {"standings": standings(table), "crosstable": crosstable(table)}


def ratings(entrants: Sequence[str], results: Iterable[GameResult]) -> list[Document]:
    """Return the strength of each entrant, in Elo; where it is not known, with ``null``."""
    rated = rate(len(entrants), results)
    return [
        {"name": name, "elo": interval(each.elo)} for name, each in zip(entrants, rated.entrants, strict=True)
    ]


def progress(state: TournamentState, played: int, seconds: float, now: dt.datetime) -> Document:
    """Return how far the tournament is, and when it will end if it goes on as in the last ``seconds``.

    Args:
        state: of the tournament.
        played: games that came to their end meanwhile.
        seconds: since this program plays.
        now: the time.
    """
    done, total = len(state.decided), state.games
    left = total - done
    is_known = played > 0 and seconds > 0 and not state.is_over
    end = now + dt.timedelta(seconds=seconds / played * left) if is_known else None
    return {
        "finished": state.is_over,
        "done": done,
        "total": total,
        "per_minute": round(60 * played / seconds, 2) if is_known else None,
        "expected_end": None if end is None else end.isoformat(timespec="seconds"),
    }
