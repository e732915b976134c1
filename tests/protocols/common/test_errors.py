"""Whose bug it was, and the verdict it deserves."""

from __future__ import annotations

from quoridor_net.phrases import Translatable
from quoridor_net.protocols.common.errors import LocalProtocolError, ProtocolError, RemoteProtocolError
from quoridor_net.rules import Termination


def test_a_remote_error_carries_its_verdict_and_a_local_one_does_not() -> None:
    error = RemoteProtocolError(Termination.FLOODING, Translatable("sent too much"), "x...")
    assert isinstance(error, ProtocolError)
    assert (error.termination, error.sentence, error.line) == (Termination.FLOODING, "sent too much", "x...")
    assert str(error) == "sent too much"
    assert not isinstance(LocalProtocolError("our bug"), RemoteProtocolError)
