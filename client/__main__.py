"""Runs the display client: ``python -m client localhost:5858 marcy:9685``."""

from .command import main

main()
