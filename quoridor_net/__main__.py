"""``python -m quoridor_net`` is the ``quoridor`` command."""

from quoridor_net.cli.main import main

main()
