"""Notations of moves, one module for each: lan, athens, standard."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from quoridor_net.moves import Move, Square

__all__ = ["Notation"]


@frozen
class Notation:
    """A notation of squares and moves, for one board size if the notation depends on it."""

    format_square: Callable[[Square], str]
    format_move: Callable[[Move], str]
