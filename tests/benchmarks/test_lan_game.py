"""The benchmark of the 2016 protocol measures servers that are ready."""

from __future__ import annotations

import subprocess

import pytest

from benchmarks import lan_game


class _StartedError(Exception):
    """A server was about to start."""


async def test_the_memory_of_connections_is_not_that_of_a_loading_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[list[str]] = []

    def note(command: list[str], **_options: object) -> None:
        started.append(command)
        raise _StartedError

    monkeypatch.setattr(subprocess, "Popen", note)
    with pytest.raises(_StartedError):
        await lan_game.measure_memory(1)
    assert [command[-2:] for command in started] == [["--player", "simple"]]
