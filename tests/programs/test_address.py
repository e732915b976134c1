"""Where an engine is found: a command line, or a host and a port."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from quoridor_net.programs.address import locate, parse_address


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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission to run a file")
def test_a_program_in_its_folder_needs_no_dot_but_permission(tmp_path: Path) -> None:
    engine = tmp_path / "qnt-engine"
    address = parse_address(f"cd {tmp_path} && qnt-engine -v")
    with pytest.raises(ValueError, match=r"no program 'qnt-engine' that can be run in '/.*'\Z"):
        locate(address)
    with pytest.raises(ValueError, match=r"no program 'qnt-engine' that can be run\Z"):
        locate(parse_address("qnt-engine"))
    engine.write_text("#!/bin/sh\n", encoding="ascii")
    engine.chmod(0o644)
    with pytest.raises(ValueError, match=r"'qnt-engine' is not executable: try chmod \+x qnt-engine"):
        locate(address)
    engine.chmod(0o755)
    assert locate(address).command == ("./qnt-engine", "-v")
    # A path is run as it is.
    path = parse_address(str(engine))
    assert locate(path) == path


def test_only_programs_without_limits_run_on_a_system_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quoridor_net.programs.address.can_limit_programs", lambda: False)
    python = parse_address(f"'{sys.executable}'")
    assert locate(python, is_limited=False) == python
    with pytest.raises(ValueError, match="cannot run engine programs"):
        locate(python)
    # An engine that listens runs elsewhere.
    assert locate(parse_address("tcp:host:1")).port == 1
