"""The tournament in a journal that a command looks at."""

from __future__ import annotations

from pathlib import Path

import click

from quoridor_net.tournament.journal import JournalError, read_journal
from quoridor_net.tournament.state import TournamentState


def recorded_state(file: Path) -> TournamentState:
    """Return what is known from a journal.

    Raises:
        click.UsageError: it cannot be read.
    """
    try:
        return read_journal(file)
    except JournalError as error:
        raise click.UsageError(f"{error}.") from None
