"""How fast the rules library counts move sequences: ``python -m benchmarks.perft``.

The ratio compares the rate with that of the start position, whose sequences need the least path searching.
"""

from __future__ import annotations

import time

from quoridor_net.notation.position_line import parse_position
from quoridor_net.rules import Jumps

#: What is counted: a name, a position and a depth that takes about a second.
POSITIONS = (
    ("start, two players", " /  / e1 e9 / 10 10 / 1", 3),
    ("start, four players", " /  / e1 e9 a5 i5 / 5 5 5 5 / 1", 3),
    ("pawns face to face", " /  / e5 e6 / 10 10 / 2", 3),
    ("three walls", "a1e5a8 /  / e4 e5 / 8 9 / 1", 3),
    ("fifteen walls", "b1g1c3a5d5h5h6d7f7 / c1b2e2h3g5a7 / e1 e9 / 2 3 / 2", 3),
    ("5x5, three walls each", " /  / c1 c5 / 3 3 / 1 / 5", 4),
    ("3x3, one wall each", " /  / b1 b3 / 1 1 / 1 / 3", 7),
)


def main() -> None:
    """Count, and print a table."""
    heads = ("perft, rules library", "rule", "depth", "sequences", "seconds", "M/s", "ratio")
    print("{:<24}{:<11}{:>5}{:>12}{:>9}{:>8}{:>7}".format(*heads))
    first_rate = 0.0
    for name, line, depth in POSITIONS:
        for jumps in Jumps:
            position = parse_position(line, jumps)
            # The tables of a board size are made once; they do not belong to the rate.
            position.perft(1)
            start = time.perf_counter()
            count = position.perft(depth)
            seconds = time.perf_counter() - start
            rate = count / seconds / 1e6
            first_rate = first_rate or rate
            figures = f"{depth:>5}{count:>12}{seconds:>9.3f}{rate:>8.2f}{rate / first_rate:>7.2f}"
            print(f"{name:<24}{jumps!s:<11}{figures}")


if __name__ == "__main__":
    main()
