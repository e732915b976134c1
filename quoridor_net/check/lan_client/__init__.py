"""The checker for display clients of the 2016 protocol."""
