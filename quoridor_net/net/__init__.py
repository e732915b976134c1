"""Connections: listening, accepting, sending, time limits, closing gently, standard input."""
