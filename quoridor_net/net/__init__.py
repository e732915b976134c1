"""Connections: listening, accepting, sending and answering in time, closing gently, standard input."""
