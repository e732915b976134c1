"""A tournament as one self-contained HTML file: tables, ratings, and every game to replay."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from quoridor_net.tournament.quoridor.archive import read_games
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.results import Results
from quoridor_net.web import tournament_document
from quoridor_net.web.standalone import standalone_page


def html_report(results: Results, journal: Path, title: str) -> str:
    """Return the report of a tournament.

    Args:
        results: results with ratings, read from ``journal``.
        journal: the file with the games.
        title: title of the report.

    Raises:
        PlanError: the settings do not describe a Quoridor tournament.
        JournalError: the journal cannot be read.
        GameError: a game in the journal is damaged.
    """
    state = results.state
    plan = Plan.of(state.settings)
    tournament = {
        "title": title,
        "format": plan.form,
        **tournament_document.tables(results),
        # Zero pace: a report does not predict the end of the tournament.
        **tournament_document.progress(state, 0, 0.0, dt.datetime.now(dt.UTC)),
        **tournament_document.games(results, range(1, state.last_game + 1)),
        "running": [],
        "remarks": [],
    }
    games = {game.pairing.number: game.events(plan) for game in read_games(journal, state)}
    return standalone_page("tournament", title, games, tournament)
