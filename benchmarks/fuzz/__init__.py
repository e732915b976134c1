"""Feeds every parser of outside text with random, mutated, grammatical and very long inputs.

``python -m benchmarks.fuzz --inputs 1000000`` or ``--seconds 600``; ``--statistics FILE`` adds the figures to
those of earlier runs. Every target has the same time, and no two inputs of a run are the same. None may raise
what its parser does not document, take longer than 100 ms for 64 KB, or be quoted in a message in anything
but printable ASCII.
"""
