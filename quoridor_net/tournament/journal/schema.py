"""The schema of a journal; schema.sql explains each table."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from importlib import resources

#: ``QNTJ``, which identifies the file for other programs.
APPLICATION_ID = 0x514E544A

#: Version of the tables.
USER_VERSION = 1

_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables in a new database, all or none.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    tables = resources.files(__package__).joinpath("schema.sql").read_text("utf-8")
    connection.executescript(
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {USER_VERSION};"
        f"BEGIN; {tables} COMMIT;"
    )


def is_ours(connection: sqlite3.Connection) -> bool:
    """Return whether a database has exactly the tables that this program creates.

    A view, a trigger or a computed column could make the simplest query run for ever.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    ours = _find_own_schema()
    return connection.execute(_SCHEMA).fetchmany(len(ours) + 1) == ours


@cache
def _find_own_schema() -> list[tuple[str, str, str, str]]:
    with closing(new_tables()) as made:
        return made.execute(_SCHEMA).fetchall()


def new_tables() -> sqlite3.Connection:
    """Return empty tables in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    create_tables(connection)
    return connection
