"""A tournament as one HTML file that needs nothing else: tables, strengths, and every game to replay."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from quoridor_net.tournament.quoridor.archive import recorded_games
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.results import Results
from quoridor_net.web import tournament_document
from quoridor_net.web.standalone import standalone_page


def html_report(results: Results, journal: Path, title: str) -> str:
    """Return the report of a tournament.

    Args:
        results: of the tournament, with ratings, as it was read from ``journal``.
        journal: where its games are.
        title: what it is called.

    Raises:
        PlanError: the settings are not those of a tournament of Quoridor.
        JournalError: the journal cannot be read.
        GameError: a game in it is damaged.
    """
    state = results.state
    plan = Plan.of(state.settings)
    tournament = {
        "title": title,
        "format": plan.form,
        **tournament_document.tables(results),
        # Nobody waits for its end here.
        **tournament_document.progress(state, 0, 0.0, dt.datetime.now(dt.UTC)),
        **tournament_document.games(results, range(1, state.last_game + 1)),
        "running": [],
        "remarks": [],
    }
    games = {game.pairing.number: game.events(plan) for game in recorded_games(journal, state)}
    return standalone_page("tournament", title, games, tournament)
