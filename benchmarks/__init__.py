"""Programs that measure. Each prints a table; ratios are taken within one run."""
