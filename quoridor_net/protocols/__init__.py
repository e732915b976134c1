"""The protocols, without any input or output: a package for each, and what they share."""
