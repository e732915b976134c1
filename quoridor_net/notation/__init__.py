"""Ways of writing moves, one module for each: lan, athens, standard."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from quoridor_net.moves import Move, Square

__all__ = ["Notation"]


@frozen
class Notation:
    """One way of writing squares and moves, on boards of one size where the size matters."""

    format_square: Callable[[Square], str]
    format_move: Callable[[Move], str]
