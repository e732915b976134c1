"""Feeds every parser of outside text with random, mutated, grammatical and very long inputs.

``python -m benchmarks.fuzz --inputs 1000000`` or ``--seconds 600``. No input may raise what its parser does
not document, take longer than 100 ms for 64 KB, or be quoted in a message in anything but printable ASCII.
``python -m benchmarks.fuzz.guided`` feeds the same targets with inputs that coverage guides.
"""
