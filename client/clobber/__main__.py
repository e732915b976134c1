"""Runs it: ``python -m client.clobber``."""

from client.clobber.command import main

main()
