"""The symmetries of the board: its columns in reverse, its rows in reverse, or both (half a turn)."""

from __future__ import annotations

from typing import overload

from quoridor_net.moves import Move, Square, Step, Wall


@overload
def reflect(place: Square, size: int, *, columns: bool = ..., rows: bool = ...) -> Square: ...
@overload
def reflect(place: Wall, size: int, *, columns: bool = ..., rows: bool = ...) -> Wall: ...
@overload
def reflect(place: Move, size: int, *, columns: bool = ..., rows: bool = ...) -> Move: ...
def reflect(place: Square | Move, size: int, *, columns: bool = False, rows: bool = False) -> Square | Move:
    """Return where ``place`` lies on a board of ``size`` with its columns or its rows in reverse order."""
    if isinstance(place, Step):
        return Step(reflect(place.square, size, columns=columns, rows=rows))
    # A row has one wall place fewer than squares.
    last = size - 2 if isinstance(place, Wall) else size - 1
    column = last - place.column if columns else place.column
    row = last - place.row if rows else place.row
    return Wall(column, row, place.orientation) if isinstance(place, Wall) else Square(column, row)
