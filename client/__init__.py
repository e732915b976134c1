"""The display client application: ``python -m client localhost:5858 marcy:9685``."""
