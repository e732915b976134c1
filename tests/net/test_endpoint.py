"""HOST:PORT pairs (section "Client": "The colon separates a machine name from the port number")."""

from __future__ import annotations

import pytest

from quoridor_net.net.endpoint import Endpoint, parse_endpoint


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        ("localhost:5858", Endpoint("localhost", 5858)),
        ("marcy:9685", Endpoint("marcy", 9685)),
        ("lab-3.example.org:1", Endpoint("lab-3.example.org", 1)),
        ("192.168.1.7:65535", Endpoint("192.168.1.7", 65535)),
        ("[::1]:5858", Endpoint("::1", 5858)),
        *(
            (f"[fe80::1%{zone}]:5858", Endpoint(f"fe80::1%{zone}", 5858))
            for zone in ("eth0", "br-lan", "eth0.7", "eth0:1", "3")
        ),
    ],
)
def test_endpoints_are_parsed(text: str, endpoint: Endpoint) -> None:
    assert parse_endpoint(text) == endpoint
    assert str(endpoint) == text


WRONG = [
    *("", "localhost", "localhost:", ":5858", "localhost:x", "localhost:0", "localhost:65536"),
    *("::1:5858", "a b:1", "a,b:1:2", "[]:1", "[::1]", "localhost:5858:1", "localhost:-1", "localhost:٥"),
]


@pytest.mark.parametrize("text", WRONG)
def test_an_invalid_endpoint_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"HOST:PORT|65535"):
        parse_endpoint(text)


@pytest.mark.parametrize("host", ["fe80::1", "FE80::1", "febf::1"])
def test_a_link_local_address_needs_a_zone(host: str) -> None:
    with pytest.raises(ValueError, match=f"needs the name of a network interface as its zone: {host}%eth0$"):
        parse_endpoint(f"[{host}]:5858")


def test_the_case_of_a_zone_counts() -> None:
    one, other, third = (
        parse_endpoint(f"[{host}]:1") for host in ("FE80::1%wlP1", "fe80::1%wlP1", "fe80::1%wlp1")
    )
    assert one.canonical == other.canonical != third.canonical


@pytest.mark.parametrize("text", ["9" * 5000, "４", "٥٨"])
def test_an_invalid_port_is_not_given_as_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"as in marcy:5858$") as refusal:
        parse_endpoint(text)
    assert str(refusal.value).isascii()
