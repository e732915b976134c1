"""What can be wrong with a journal."""

from __future__ import annotations


class JournalError(Exception):
    """The file cannot be used as a journal; the message names it and says what is wrong."""


class DamagedPageError(JournalError):
    """The events are whole, and a page of the file that other tables are on is not."""
