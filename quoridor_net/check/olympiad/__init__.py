"""The checker for clients of the 2006 Clobber protocol."""
