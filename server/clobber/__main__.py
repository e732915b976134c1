"""Runs the Clobber tournament server: ``python -m server.clobber``."""

from quoridor_net.cli.start import start

start(f"{__package__}.command")
