"""The engine plays as recorded: the same moves, scores and node counts at the same seeds and limits."""

from __future__ import annotations

import pytest

from tests.support.recorded_games import GAMES, play, read_recorded

pytestmark = pytest.mark.compiled("engine")

RECORDED = read_recorded()


def test_every_game_is_recorded() -> None:
    assert list(RECORDED) == list(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_plays_as_recorded(name: str) -> None:
    assert play(GAMES[name]) == RECORDED[name]
