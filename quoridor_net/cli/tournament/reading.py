"""Reading of a journal by a command."""

from __future__ import annotations

from pathlib import Path

import click

from quoridor_net.tournament.journal import JournalError, read_journal
from quoridor_net.tournament.quoridor.plan import RULES, Plan, PlanError
from quoridor_net.tournament.state import TournamentState


def read_state(file: Path) -> TournamentState:
    """Return the state of the tournament in a journal.

    Raises:
        click.UsageError: it cannot be read, or its settings are invalid.
    """
    try:
        state = read_journal(file)
        if state.rules == RULES:
            Plan.of_state(state)
    except JournalError as error:
        raise click.UsageError(f"{error}.") from None
    except PlanError as error:
        raise click.UsageError(f"{file}: {error}.") from None
    return state
