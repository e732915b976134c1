"""Games in the browser: watched, played, replayed, reported."""
