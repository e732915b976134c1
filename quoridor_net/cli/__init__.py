"""The ``quoridor`` command: one thin module per subcommand."""
