"""The checker of clients of the 2006 Clobber protocol."""
