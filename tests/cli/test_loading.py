"""Commands are imported without garbage collection."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest

from quoridor_net.cli.loading import load


@pytest.fixture
def name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module that notes whether the collector runs."""
    (tmp_path / "a_command.py").write_text("import gc\ncollects = gc.isenabled()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "a_command", raising=False)
    return "a_command"


@pytest.mark.parametrize("before", [True, False])
def test_the_collector_rests_only_during_the_import(name: str, before: bool) -> None:
    was = gc.isenabled()
    try:
        (gc.enable if before else gc.disable)()
        module = load(name)
        assert module.collects is False
        assert gc.isenabled() is before
    finally:
        (gc.enable if was else gc.disable)()
    frozen = gc.get_freeze_count()
    created: list[list[int]] = [[] for _ in range(1000)]
    assert load(name) is module
    # Otherwise garbage would stay for ever in a process that runs many commands, as tests do.
    assert gc.get_freeze_count() < frozen + len(created)


def test_the_collector_continues_after_a_failure() -> None:
    with pytest.raises(ModuleNotFoundError):
        load("quoridor_net.no_such_module")
    assert gc.isenabled()
