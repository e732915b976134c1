"""Runs it: ``python -m client.clobber``."""

from .command import main

main()
