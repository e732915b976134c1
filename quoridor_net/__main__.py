"""Run the ``quoridor`` command with ``python -m quoridor_net``."""

from quoridor_net.cli.start import start

start("quoridor_net.cli.main")
