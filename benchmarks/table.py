"""Tables of figures for the terminal."""

from __future__ import annotations

from collections.abc import Sequence


def print_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print ``rows`` below ``heads``: the first column aligned to the left, the others to the right."""
    cells = [list(heads), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    print(f"\n{title}\n")
    for index, row in enumerate(cells):
        first, *others = (cell for cell in row)
        line = first.ljust(widths[0])
        line += "".join(f"  {cell.rjust(width)}" for cell, width in zip(others, widths[1:], strict=True))
        print(line.rstrip())
        if index == 0:
            print("  ".join("-" * width for width in widths))
