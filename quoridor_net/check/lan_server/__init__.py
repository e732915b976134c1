"""The checker of move servers of the 2016 protocol."""
