"""The protocols, sans-I/O: one package for each, and one for the code they share."""
