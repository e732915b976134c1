"""Losses of winning chances have the names, and make the accuracies, that lichess published."""

from __future__ import annotations

import pytest

from quoridor_net.analysis import Mark, accuracy_of, mark_of


@pytest.mark.parametrize(
    ("loss", "mark"),
    # lila, Advice.scala: 0.1, 0.2 and 0.3 of winning chances from -1 to 1.
    [
        (0.0, None),
        (0.0499, None),
        (0.1 / 2, Mark.INACCURACY),
        (0.0999, Mark.INACCURACY),
        (0.2 / 2, Mark.MISTAKE),
        (0.1499, Mark.MISTAKE),
        (0.3 / 2, Mark.BLUNDER),
        (1.0, Mark.BLUNDER),
    ],
)
def test_the_loss_determines_the_mark(loss: float, mark: Mark | None) -> None:
    assert mark_of(loss) is mark


def test_marks_have_their_usual_symbols() -> None:
    assert [mark.symbol for mark in Mark] == ["?!", "?", "??"]


@pytest.mark.parametrize(
    ("losses", "accuracy"),
    # https://lichess.org/page/accuracy: 103.1668 * exp(-0.04354 * loss in percentage points) - 3.1669.
    [([0.0], 100.0), ([0.10], 63.58), ([0.20], 40.02), ([1.0], 0.0), ([0.0, 0.10], 81.79)],
)
def test_the_losses_determine_the_accuracy(losses: list[float], accuracy: float) -> None:
    assert accuracy_of(losses) == pytest.approx(accuracy, abs=0.01)


def test_no_moves_have_no_accuracy() -> None:
    assert accuracy_of([]) is None
