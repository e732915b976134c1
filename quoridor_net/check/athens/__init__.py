"""The checker for engines of the Athens protocol."""
