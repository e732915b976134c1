"""The checker of engines of the Athens protocol."""
