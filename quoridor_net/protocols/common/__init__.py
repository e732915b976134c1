"""What every text protocol here shares: line buffer, table-driven role, errors, transcripts."""
