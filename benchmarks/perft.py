"""Speed of perft in the rules library: ``python -m benchmarks.perft``.

The ratio compares the rate with that of the start position, which needs the least path searching.
"""

from __future__ import annotations

import time

from benchmarks.table import print_table
from quoridor_net.rules import Jumps, Position

#: Name, position, and a depth that takes about a second.
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
    rows = []
    first_rate = 0.0
    for name, line, depth in POSITIONS:
        for jumps in Jumps:
            position = Position.from_line(line, jumps)
            # Make the tables of this board size first, so that they do not count.
            position.perft(1)
            start = time.perf_counter()
            count = position.perft(depth)
            seconds = time.perf_counter() - start
            rate = count / seconds / 1e6
            first_rate = first_rate or rate
            figures = (f"{seconds:.3f}", f"{rate:.2f}", f"{rate / first_rate:.2f}")
            rows.append((name, str(jumps), str(depth), str(count), *figures))
    heads = ("position", "jumps", "depth", "sequences", "seconds", "million/s", "ratio")
    print_table("Perft of the rules library", heads, rows)


if __name__ == "__main__":
    main()
