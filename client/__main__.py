"""Runs the display client: ``python -m client localhost:5858 marcy:9685``."""

from quoridor_net.cli.start import start

start(f"{__package__}.command")
