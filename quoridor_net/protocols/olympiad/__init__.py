"""The 2006 Clobber tournament protocol, sans-I/O: messages, transition tables and both roles."""
