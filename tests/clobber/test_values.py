"""Values of Clobber check the types of their fields, like those of Quoridor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from quoridor_net.clobber import ClobberPosition, ClobberSquare, Colour, Move

# Any, because the arguments have wrong types on purpose.
a_square: Any = ClobberSquare
a_move: Any = Move
a_start: Any = ClobberPosition.start
a_setup: Any = ClobberPosition.setup


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: a_square("a", 1), "the column of a ClobberSquare must be an int, not 'a'"),
        (lambda: a_move("a1", "b1"), "the origin of a Move must be a ClobberSquare, not 'a1'"),
        (lambda: a_start(2.0, 2), "the number of columns must be an int, not 2.0"),
        (lambda: a_setup(2, "2", {}), "the number of rows must be an int, not '2'"),
        (
            lambda: a_setup(2, 2, {"a1": Colour.BLACK}),
            "the square of a stone must be a ClobberSquare, not 'a1'",
        ),
        (
            lambda: a_setup(2, 2, {ClobberSquare(0, 0): "x"}),
            "the colour of a stone must be a Colour, not 'x'",
        ),
        (lambda: a_setup(2, 2, {}, "white"), "the player to move must be a Colour, not 'white'"),
    ],
)
def test_arguments_of_the_wrong_type_are_refused(make: Callable[[], object], sentence: str) -> None:
    ClobberPosition.start(2, 2)
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value) == sentence
