"""Tournaments of Quoridor: settings, entrants, openings, clusters and recorded games."""
