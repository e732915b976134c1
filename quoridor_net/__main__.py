"""``python -m quoridor_net`` is the ``quoridor`` command."""

from quoridor_net.cli.start import start

start("quoridor_net.cli.main")
