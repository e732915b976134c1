"""A trivial Athens engine: black moves one square aside and straight down, white straight up.

It imports nothing from the project, so that a measurement with it is one of the other side.
"""

from __future__ import annotations

import sys

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"


def main() -> None:
    """Answer commands until ``quit``."""
    size, moves = 9, {"black": 0, "white": 0}
    for line in sys.stdin:
        command, *words = line.split()
        text = ""
        if command == "boardsize":
            size = int(words[0])
        elif command == "clear_board":
            moves = {"black": 0, "white": 0}
        elif command == "name":
            text = " Trivial"
        elif command == "genmove":
            done = moves[words[0]]
            moves[words[0]] += 1
            is_black = words[0] == "black"
            text = f" {LETTERS[size // 2 - is_black]}{size - done if is_black else done + 2}"
        sys.stdout.write(f"={text}\n\n")
        sys.stdout.flush()
        if command == "quit":
            return


if __name__ == "__main__":
    main()
