"""Addresses of clusters."""

from __future__ import annotations

import pytest

from quoridor_net.tournament.quoridor.cluster_address import ClusterAddress, parse_cluster


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("local:1", ClusterAddress(workers=1)),
        ("local:3", ClusterAddress(workers=3)),
        ("cs-lab:8786", ClusterAddress("tcp://cs-lab:8786")),
        ("tls://cs-lab:8786", ClusterAddress("tls://cs-lab:8786")),
    ],
)
def test_cluster_addresses_are_parsed(text: str, expected: ClusterAddress) -> None:
    assert parse_cluster(text) == expected


@pytest.mark.parametrize(("processors", "expected"), [(6, 6), (None, 1)])
def test_local_without_a_number_uses_all_known_processors(
    processors: int | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    assert parse_cluster("local").workers == expected


@pytest.mark.parametrize("text", ["", "here", "local:0", "local:", "local:x", "tcp://", "://a:1"])
def test_a_text_without_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|not"):
        parse_cluster(text)
