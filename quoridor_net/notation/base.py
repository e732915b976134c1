"""What all notations have in common."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from quoridor_net.moves import Move, Square


@frozen
class Notation:
    """One way of writing squares and moves, on boards of one size where the size matters.

    Attributes:
        format_square: returns a square as text.
        format_move: returns a move as text.
    """

    format_square: Callable[[Square], str]
    format_move: Callable[[Move], str]
