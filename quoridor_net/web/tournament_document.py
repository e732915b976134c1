"""The tournament data of a page as JSON objects: docs/reference/web.md, Tournaments."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import asdict

from quoridor_net.outcome import Result
from quoridor_net.phrases import phrase_of
from quoridor_net.tournament.columns import Section
from quoridor_net.tournament.results import Results
from quoridor_net.tournament.state import TournamentState

#: Maximum numbers of finished and planned games in a list; pages request others. Void games and games that
#: will not be played have the same limit as finished ones.
LAST_GAMES = 200
NEXT_GAMES = 50

#: Maximum number of entrants in a crosstable.
MAX_CROSSTABLE = 64

Document = dict[str, Any]


def tables(results: Results | None) -> Document:
    """Return the parts that every result changes; they are empty before the tournament."""
    if results is None:
        return {"standings": [], "sheets": {}, "crosstable": None, "facts": [], "ratings": [], "openings": []}
    entrants = results.entrants()
    return {
        "standings": entrants,
        "sheets": {str(section): _sheet(results, section) for section in Section},
        "crosstable": results.crosstable() if len(entrants) <= MAX_CROSSTABLE else None,
        **results.summary(),
        "openings": [asdict(score) for score in results.openings],
        "facts": [translatable(fact) for fact in results.facts],
        "ratings": [{"name": row["name"], "elo": row["elo"]} for row in entrants if row.get("elo")],
    }


def _sheet(results: Results, section: Section) -> Document:
    """Return a table as shown, with entrants by their index in ``standings`` and words as phrases."""
    sheet = results.sheet(section)
    at = {row.entrant: index for index, row in enumerate(results.table.rows)}
    return {
        "headings": [*map(translatable, sheet.headings)],
        "rows": [
            {"place": place, "at": at[row.entrant], "cells": [phrase_of(cell) or cell for cell in cells]}
            for place, row, cells in sheet.rows
        ],
    }


def translatable(text: str) -> Document:
    """Return a sentence with the data to translate it."""
    return {"sentence": text, "phrase": phrase_of(text)}


def list_games(state: TournamentState) -> list[int]:
    """Return the numbers of listed games: running, finished, planned, void, and not to be played."""
    finished = sorted(state.decided)[-LAST_GAMES:]
    planned = [each.number for each in state.pending if each.number not in state.running][:NEXT_GAMES]
    unplayed = [each.number for each in state.list_cancelled()][-LAST_GAMES:]
    return sorted({*finished, *state.running, *planned, *unplayed, *[*state.void][-LAST_GAMES:]})


def games(
    results: Results | None, numbers: Iterable[int], old: Mapping[int, Result] | None = None
) -> Document:
    """Return a list of games; the reason for a missing result is also given as a phrase.

    Results of a league that its state has forgotten are in ``old``.
    """
    found = () if results is None else results.games(numbers, old)
    return {
        "games": [
            game.document()
            | {"phrase": phrase_of(game.sentence) if game.sentence and not game.points else None}
            for game in found
        ]
    }


def progress(state: TournamentState, played: int, seconds: float, now: dt.datetime) -> Document:
    """Return the progress of the tournament, and its expected end at the pace of the last ``seconds``.

    Args:
        state: state of the tournament.
        played: games finished in that time.
        seconds: time for which this program has run the tournament, in seconds.
        now: current time.
    """
    done, total = state.played, state.games
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
