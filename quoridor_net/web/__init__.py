"""Games in the browser: watched, played, replayed, reported. Serving them needs the extra ``web``."""
