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
def test_addresses(text: str, expected: ClusterAddress) -> None:
    assert parse_cluster(text) == expected


def test_local_alone_is_for_all_processors() -> None:
    assert parse_cluster("local").workers >= 1


@pytest.mark.parametrize("text", ["", "here", "local:0", "local:", "local:x", "tcp://", "://a:1"])
def test_no_address(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|not"):
        parse_cluster(text)
