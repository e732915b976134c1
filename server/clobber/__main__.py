"""Runs it: ``python -m server.clobber``."""

from .command import main

main()
