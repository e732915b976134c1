"""Foreign engines as processes and connections: start, limit, watch, reuse and kill them."""
