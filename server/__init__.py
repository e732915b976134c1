"""The move server application: ``python -m server --port 5858``."""
