"""Runs it: ``python -m server.clobber``."""

from server.clobber.command import main

main()
