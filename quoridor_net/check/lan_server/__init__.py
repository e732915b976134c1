"""The checker for move servers of the 2016 protocol."""
