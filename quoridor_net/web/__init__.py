"""Web pages on which to watch, play, replay and report games."""
