"""Ways of writing moves, one module for each: lan, athens, standard."""
