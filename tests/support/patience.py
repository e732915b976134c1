"""The time limit of tests for other processes, threads and sockets."""

#: Time limit in seconds, far more than a busy machine needs; it expires only if something hangs.
PATIENCE = 100.0
