"""The time limits of tests for other processes, threads, sockets and pages."""

#: Time limit in seconds, far more than a busy machine needs; it expires only if something hangs.
PATIENCE = 500.0

#: Time limit in seconds for the contents of a page, less because a person would not wait longer.
PAGE_PATIENCE = 60.0
