"""Addresses of clusters."""

from __future__ import annotations

import pytest

from quoridor_net.tournament.quoridor.cluster_address import ClusterAddress, parse_cluster


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("local:3", ClusterAddress(workers=3)),
        ("cs-lab:8786", ClusterAddress("tcp://cs-lab:8786")),
        ("tls://cs-lab:8786", ClusterAddress("tls://cs-lab:8786")),
    ],
)
def test_cluster_addresses_are_parsed(text: str, expected: ClusterAddress) -> None:
    assert parse_cluster(text) == expected


def test_local_without_a_number_uses_all_processors() -> None:
    assert parse_cluster("local").workers >= 1


@pytest.mark.parametrize("text", ["", "here", "local:0", "local:", "local:x", "tcp://", "://a:1"])
def test_a_text_without_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|not"):
        parse_cluster(text)
