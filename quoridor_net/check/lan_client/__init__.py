"""The checker of display clients of the 2016 protocol."""
