"""Games in the browser: watched, played, replayed. Needs the extra ``web``."""
