"""Where an engine is found: a command line, or a host and a port."""

from __future__ import annotations

import pytest

from quoridor_net.programs.address import parse_address


@pytest.mark.parametrize("text", ["", "  ", "tcp:", "tcp:host", "tcp:host:0", "tcp:host:99999", "'open"])
def test_invalid_addresses_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"empty|expected tcp|not a command line"):
        parse_address(text)


def test_addresses_are_parsed() -> None:
    assert parse_address("./engine -d 'a b'").command == ("./engine", "-d", "a b")
    assert str(parse_address("tcp:host:5858")) == "tcp:host:5858"
    assert parse_address("tcp:[fe80::1%eth0]:5858").host == "fe80::1%eth0"
    assert str(parse_address("tcp:[fe80::1%eth0]:5858")) == "tcp:[fe80::1%eth0]:5858"


def test_an_engine_can_have_a_folder() -> None:
    address = parse_address("cd my/engine && ./engine -v")
    assert (address.folder, address.command) == ("my/engine", ("./engine", "-v"))
