"""What docs/replay.md says is so."""

from __future__ import annotations

import doctest
from pathlib import Path

from quoridor_net.replay import parse_replay

PAGE = Path(__file__).parents[2] / "docs" / "replay.md"


def test_the_examples_of_the_page() -> None:
    failures, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert (failures, tried > 5) == (0, True)


def test_the_file_of_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    replay = parse_replay(text, strict=True)
    assert replay.outcome is not None
    assert replay.outcome.result == "P1-win"
