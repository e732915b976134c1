"""Standard output and standard error, whatever a program was started with."""

from __future__ import annotations

import io
import sys

import pytest

from quoridor_net.output import prepare_streams


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_no_character_is_too_much(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding))
    prepare_streams()
    print("\uff14 \U0001f600 \udcff", flush=True)
    shown = "\uff14 \U0001f600" if encoding == "utf-8" else "\\uff14 \\U0001f600"
    assert written.getvalue().decode(encoding) == f"{shown} \\udcff\n"


def test_a_program_started_without_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    prepare_streams()
    with sys.stdout, sys.stderr:
        print("nobody reads this")
        print("nor this", file=sys.stderr)


def test_streams_without_an_encoding_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(sys, "stdout", file)
    prepare_streams()
    print("\uff14")
    assert file.getvalue() == "\uff14\n"
