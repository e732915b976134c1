"""The command line of the Clobber client."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from client.clobber.command import main
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.clobber.engine import ClobberEngine
from tests.support.loopback import HOST, reserved_port


def test_an_unreachable_server_is_reported_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_for_minutes(*_: object) -> None:
        raise AssertionError("the server is not reached yet")

    monkeypatch.setattr(ClobberEngine, "warm_up", compile_for_minutes)
    with reserved_port() as port:
        result = CliRunner().invoke(main, [f"{HOST}:{port}", "--connect-time", "0.01"])
    assert result.exit_code == ExitStatus.CANNOT_BEGIN
    assert result.stdout == ""
    assert result.stderr == f"Error: {HOST}:{port} cannot be reached: Connection refused.\n"
