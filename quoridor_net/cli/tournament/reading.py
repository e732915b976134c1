"""Reading of a journal by a command."""

from __future__ import annotations

from pathlib import Path

import click

from quoridor_net.advice import format_command
from quoridor_net.tournament.journal import JournalError, read_journal
from quoridor_net.tournament.journal.errors import DamagedPageError, UnwritableError
from quoridor_net.tournament.quoridor.plan import RULES, Plan, PlanError
from quoridor_net.tournament.state import TournamentState


def read_state(file: Path) -> TournamentState:
    """Return the state of the tournament in a journal.

    Raises:
        click.ClickException: it cannot be read, or its settings are invalid.
    """
    try:
        state = read_journal(file)
        if state.rules == RULES:
            Plan.of_state(state)
    except JournalError as error:
        raise refusal_of(error, file) from None
    except PlanError as error:
        raise click.UsageError(f"{file}: {error}.") from None
    return state


def refusal_of(error: JournalError, file: Path) -> click.ClickException:
    """Return the error of a command that cannot use its journal; only a wrong file is wrong usage."""
    match error:
        case UnwritableError():
            return click.ClickException(f"{error}.")
        case DamagedPageError():
            command = format_command("tournament", "verify", str(file))
            return click.UsageError(f"{error}. For details: {command}")
    return click.UsageError(f"{error}.")
