"""Runs the Clobber client: ``python -m client.clobber``."""

from quoridor_net.cli.start import start

start(f"{__package__}.command")
