"""Code shared by all text protocols: line buffer, table-driven role, errors, transcripts."""
