"""The journal of a tournament: one SQLite file, which every table is derived from."""

from quoridor_net.tournament.journal.errors import JournalError
from quoridor_net.tournament.journal.reading import is_vacant, read_journal
from quoridor_net.tournament.journal.writing import Journal

__all__ = ["Journal", "JournalError", "is_vacant", "read_journal"]
