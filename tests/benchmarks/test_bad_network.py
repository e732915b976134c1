"""Games over connections that delay, lose packets and are cut, between network namespaces."""

from __future__ import annotations

import pytest

from benchmarks.bad_network import DISTURBANCES, namespaces, scenarios, why_impossible
from benchmarks.cable import Disturbance

pytestmark = [pytest.mark.slow, pytest.mark.end_to_end]


def test_every_game_is_decided() -> None:
    reason = why_impossible()
    if reason:
        pytest.skip(reason)
    with namespaces() as made:
        found = dict(scenarios(made))
    for name, played in found.items():
        assert played.status == 0, name
        expected = "too_slow" if name == "cable pulled for good" else "goal"
        assert played.termination == expected, name
        disturbance = DISTURBANCES.get(name, Disturbance())
        assert (played.packets["lost"] > 0) == (disturbance.lost > 0), name
        assert (played.packets["doubled"] > 0) == (disturbance.doubled > 0), name
        assert played.packets["carried"] > played.plies, name
