"""A fuzzer that feeds every parser of outside text with random, mutated, grammatical and very long inputs.

``python -m benchmarks.fuzz --inputs 1000000`` or ``--seconds 600``; ``--statistics FILE`` adds the figures to
those of earlier runs. Every target gets the same time, and no input of a run is repeated. An input fails if
its parser raises an undocumented exception, takes longer than 100 ms for 64 KB, or quotes it in a message
other than as printable ASCII.
"""
