"""Runs the move server: ``python -m server --port 5858``."""

from server.command import main

main()
