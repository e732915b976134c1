"""Wire transcripts: the form of the logs in tests/data/lan-transcripts."""

from __future__ import annotations

import io
import logging
from pathlib import Path

import pytest

from quoridor_net.protocols.common.transcript import Transcript


def test_lines_of_a_transcript_have_their_form() -> None:
    file = io.StringIO()
    times = iter([100.0, 100.5614, 102.52, 1234.0])
    transcript = Transcript(file, lambda: next(times))
    transcript.to_server(1, b"HELLO\n")
    transcript.to_client(2, b"IAM mur:murka2\r\nTESUJI (4,")
    transcript.to_client(2, b" 1)\n")
    assert file.getvalue().splitlines() == [
        r"[   0.561] C->S1 b'HELLO\n'",
        r"[   2.520] S2->C b'IAM mur:murka2\r\n'",
        r"[   2.520] S2->C b'TESUJI (4,'",
        r"[1134.000] S2->C b' 1)\n'",
    ]


class Full(io.StringIO):
    """A file on a full disk."""

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


def test_a_full_disk_ends_the_transcript_not_the_game(caplog: pytest.LogCaptureFixture) -> None:
    transcript = Transcript(Full(), lambda: 0.0)
    with caplog.at_level(logging.WARNING):
        transcript.to_server(1, b"HELLO\n")
        transcript.to_server(1, b"MYOUSHU\n")
    assert [record.getMessage() for record in caplog.records] == [
        "cannot write the transcript: No space left on device. No more lines are logged."
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_device_can_be_closed(caplog: pytest.LogCaptureFixture) -> None:
    with Path("/dev/full").open("w", encoding="ascii") as file:
        Transcript(file, lambda: 0.0).to_server(1, b"HELLO\n")
    assert caplog.records[0].getMessage().startswith("cannot write /dev/full: ")
