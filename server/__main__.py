"""Runs the move server: ``python -m server --port 5858``."""

from quoridor_net.cli.start import start

start(f"{__package__}.command")
