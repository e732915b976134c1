"""Runs the move server: ``python -m server --port 5858``."""

from .command import main

main()
