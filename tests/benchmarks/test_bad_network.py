"""Games over connections that delay, lose packets and are cut, between network namespaces."""

from __future__ import annotations

import pytest

from benchmarks.bad_network import namespaces, scenarios, why_impossible

pytestmark = [pytest.mark.slow, pytest.mark.end_to_end]


def test_every_game_is_decided() -> None:
    reason = why_impossible()
    if reason:
        pytest.skip(reason)
    with namespaces() as made:
        found = dict(scenarios(made))
    for name, played in found.items():
        # Where the kernel has no netem, there are no delays and losses.
        if played is None:
            continue
        assert played.status == 0, name
        expected = "too_slow" if name == "cable pulled for good" else "goal"
        assert played.termination == expected, name
    assert found["undisturbed"] is not None
    assert found["cable pulled for good"] is not None
