"""How long tests wait for what is not theirs: other processes, threads and sockets."""

#: Seconds after which a test gives up, far more than a busy machine needs: reached only when something hangs.
PATIENCE = 100.0
