"""The ``quoridor`` command, one thin module for each subcommand."""
